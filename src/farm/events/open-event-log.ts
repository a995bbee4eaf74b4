import { join } from "node:path";
import { defaultStateFolder } from "../../core/state-folder.ts";
import type { EventLog } from "./event-log.ts";

/** Opens the events of the queue that `openQueue` opens. */
export async function openEventLog(): Promise<EventLog> {
  const { openSqliteEventLog } = await import("./sqlite-event-log.ts");
  return openSqliteEventLog(join(defaultStateFolder(), "queue.sqlite"));
}
