import assert from "node:assert/strict";
import { dirname } from "node:path";
import { after, test } from "node:test";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { PASSWORD, someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, bodyOf } from "../fixture/test-server.ts";
import { until } from "../fixture/until.ts";

// The events of printers and held jobs that a server writes with `--events`.

const QUEUE = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";
const write = temporaryFiles();
const part = write("part.stl", binaryStl(box([2, 2, 0.3])));
const folder = dirname(part);
const started: Printwright[] = [];
after(() => Promise.allSettled(started.map(async (one) => one.stop("SIGKILL"))));

test("printers and held jobs are events of the queue, once each, over kills of the server", async () => {
  const printers = write("printers.json", "");
  writePrintersFile(printers, {
    queues: [{ id: QUEUE, name: "All", printers: ["A"] }],
    accounts: [await someAccount("ann", { id: 7 })],
  });
  const queue = write("queue.sqlite", "");
  const words = ["--virtual-printer", "FORM-4-0=A", "--printers", printers, "--job-dir", folder];
  const start = async (more = ["--events", "desk"]): Promise<Printwright> => {
    const server = await startPrintwright([...words, ...more], undefined, undefined, {
      PRINTWRIGHT_QUEUE: queue,
      XDG_STATE_HOME: folder,
    });
    started.push(server);
    return server;
  };
  const log = await openSqliteEventLog(queue);
  const told = async (): Promise<string[]> => (await log.read(0, 1000)).map(({ type }) => type);
  const has =
    (type: string, count = 1) =>
    async (): Promise<boolean> =>
      (await told()).filter((one) => one === type).length === count;

  const first = await start();
  await until("the printer is told", has("printer.online"));
  bodyOf(await first.post("/v1/login/", { username: "ann", password: PASSWORD }));
  const { scene_id } = bodyOf(await first.post("/v1/scene/create/", RESIN));
  bodyOf(await first.post("/v1/scene/model/import/", { scene_id, file: part }));
  const print = async (): Promise<string> =>
    bodyOf(await first.post("/v1/scene/print/", { scene_id, printer: QUEUE, job_name: "Smith", print_now: true }))
      .job_id;
  // The platform of the printer is clear once.
  await print();
  const [held, dropped] = [await print(), await print()];
  await until("both are held", has("plate.held", 2));
  await first.stop("SIGKILL");

  const second = await start();
  bodyOf(await second.post("/v1/login/", { username: "ann", password: PASSWORD }));
  const order = (job_id: string, action: string) => second.post("/v1/queue/job/update/", { job_id, action });
  bodyOf(await order(dropped, "CANCEL"));
  await until("it is released", async () => (await order(held, "RELEASE")).status === 200);
  await until(
    "it is sent",
    async () => bodyOf(await second.call("GET", "/v1/queue/list/")).queues[0].jobs.length === 0,
  );
  // Perhaps before it has told of that.
  await second.stop("SIGKILL");

  const third = await start();
  await until("its end is told", has("plate.ended"));
  await third.stop();
  const events = await log.read(0, 1000);
  const of = (subject: string): string[] =>
    events.filter((one) => one.subject === subject).map(({ type }) => type.replace(/.*\./, ""));
  assert.deepEqual(of(`plate/${dropped}`), ["held", "cancelled"]);
  assert.deepEqual(
    of(`plate/${held}`).filter((type) => type !== "released"),
    ["held", "sent", "ended"],
  );
  assert.equal(of("printer/A").at(-1), "offline");
  assert.ok(!JSON.stringify(events).includes("Smith"), "names of jobs are no part of events");
  for (const one of ["printer/A", `plate/${held}`]) {
    const states = events
      .filter(({ subject }) => subject === one)
      .map(({ type, data }) => JSON.stringify([type, data]));
    for (const [i, state] of states.entries()) assert.notEqual(state, states[i - 1]);
  }
  const { last } = await log.range();
  const silent = await start([]);
  await silent.stop();
  assert.equal((await log.range()).last, last, "without --events nothing is written");
  await log.close();
});
