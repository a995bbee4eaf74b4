import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bumpySphere } from "../bench/models.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { binaryStl } from "../fixture/stl-file.ts";

test("a stop in the middle of an import prints nothing, and a second SIGTERM does not change its exit status", async () => {
  const folder = mkdtempSync(join(tmpdir(), "second-signal-"));
  const file = join(folder, "large.stl");
  writeFileSync(file, binaryStl(bumpySphere(300_000)));
  const printwright = await startPrintwright();
  const [{ id: scene_id }] = (await printwright.call("GET", "/v1/scene/list/")).body.scenes;
  await printwright.post("/v1/scene/model/import/?async=true", { scene_id, file });
  const status = printwright.stop();
  for (let i = 0; i < 5; i++) {
    await sleep(2);
    try {
      process.kill(printwright.pid, "SIGTERM");
    } catch {
      break;
    }
  }
  assert.equal(await status, 0);
  assert.equal(printwright.output.stderr, "");
  rmSync(folder, { recursive: true });
});
