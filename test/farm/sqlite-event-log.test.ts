import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { testEventLog } from "./event-log.case.ts";

const path = temporaryFiles()("queue/queue.sqlite", "");

testEventLog({ name: "sqlite", open: () => openSqliteEventLog(path), openQueue: () => openSqliteQueue(path) });
