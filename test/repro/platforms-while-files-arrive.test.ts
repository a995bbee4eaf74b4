import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openQueue } from "../fixture/queue-bench.ts";
import { connectTo, gooFile, gooJob } from "../fixture/sdcp-bench.ts";
import { startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { until } from "../fixture/until.ts";

// A printer that received a file which a person was to start counted as printing: the next print was held until a person confirmed
// that the platform was clear, although nothing had been printed on it.

const root = mkdtempSync(join(tmpdir(), "printwright-receiving-"));
const sdcp = await startSdcpFakes({ name: "a", checkMs: 100 });
after(async () => {
  await sdcp.stop();
  rmSync(root, { recursive: true });
});

test("a file that a printer receives, from this server or another source, does not count as a print on its platform", async () => {
  const [fake] = sdcp.printers;
  const { printer, protocol } = await connectTo(fake);
  const { queue, held, close } = openQueue([printer], { root, starts: "released", names: ["a"] });
  const file = gooFile(200_000);
  await printer.submit(gooJob({ printNow: false }, file));
  await fake.act("receive");
  await until("it shows that it receives a file", () => !printer.isReady());
  // The queue checks every 2 ms.
  await sleep(25);
  await fake.act("received");
  await until("it is ready", () => printer.isReady());
  await queue.submit(gooJob({}, file));
  assert.deepEqual([(await fake.seen()).starts.length, held()], [1, []]);
  await fake.act("finish");
  await until("it is ready after its print", () => printer.isReady());
  await queue.submit(gooJob({}, file));
  assert.deepEqual([(await fake.seen()).starts.length, held().length], [1, 1], "that print is on the platform");
  await close();
  await protocol.close();
});
