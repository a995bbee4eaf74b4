import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { operationFailed } from "../../src/core/api-error.ts";
import type { PrintJob } from "../../src/printer/printer.ts";
import { openUnclearedPlatforms } from "../../src/printer/queue/uncleared-platforms.ts";
import { heldFolderOf } from "../../src/printer/job-folder.ts";
import { type QueuePrinter, openQueue, queuePrinter } from "../fixture/queue-bench.ts";
import { someJob } from "../fixture/some-job.ts";
import { until } from "../fixture/until.ts";

// After a server was killed right at the start of a print, the next server assumed that the platform of that printer was clear, and
// the next print started on top of the first.

const root = mkdtempSync(join(tmpdir(), "printwright-platform-"));
after(() => rmSync(root, { recursive: true }));

/** Whether the platform of a printer may not be clear, for a server that starts now. */
function unclearedIn(folder: string): (name: string) => boolean {
  const platforms = openUnclearedPlatforms(heldFolderOf(folder), assert.fail);
  return (name) => platforms.has(name);
}

type Printing = QueuePrinter & { submit(job: PrintJob): Promise<void>; started: number };

/** A printer whose starts end as the test determines; it never reports that it is busy. */
function printer(start: (job: PrintJob) => Promise<void>): Printing {
  const one: Printing = queuePrinter("a", ["FORM-4-0"], {
    started: 0,
    async submit(job: PrintJob) {
      await job.writeTo(join(root, `${job.id}.arrived`), () => {});
      job.task.commit("job.goo");
      one.started++;
      await start(job);
    },
  });
  return one;
}

for (const how of ["at once", "after a release"]) {
  test(`the platform of a print that starts ${how} is recorded before the printer begins`, async () => {
    const one = printer(() => new Promise(() => {}));
    one.ready = how === "at once";
    const { queue, folder, close } = openQueue([one], { root, starts: "released", names: ["a"] });
    void queue.submit(someJob({ name: "1" }));
    if (!one.ready) {
      await until("it is held", () => queue.jobs().length === 1 && unclearedIn(folder)("a"));
      one.ready = true;
      await until("the printer is ready", () => queue.jobs()[0].readyPrinters.length === 1);
      queue.order(queue.jobs()[0].id, "RELEASE", "a");
    }
    await until("it starts", () => one.started === 1);
    // The state on disk is the same whatever happens to the server.
    assert.equal(unclearedIn(folder)("a"), true);
    await close();
  });
}

test("a start that the printer certainly refused leaves its platform clear, so that the release applies to the next attempt", async () => {
  const one = printer(async ({ task }) => {
    if (one.started > 1) return;
    task.withdraw?.();
    throw operationFailed("Not this file.");
  });
  one.ready = false;
  const { queue, folder, close } = openQueue([one], { root, starts: "released", names: ["a"] });
  await queue.submit(someJob({ name: "1" }));
  one.ready = true;
  await until("the printer is ready", () => queue.jobs()[0].readyPrinters.length === 1);
  queue.order(queue.jobs()[0].id, "RELEASE", "a");
  await until("the second try starts", () => one.started === 2 && queue.jobs().length === 0);
  assert.equal(unclearedIn(folder)("a"), true);
  await close();
});
