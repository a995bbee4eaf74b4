import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type RepairBehavior, importFile } from "../../src/worker/import-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();

test("a STEP file that lacks one line is refused with the part it lost, in bounded memory", async () => {
  const lines = readFileSync(new URL("../../assets/demo/bracket.step", import.meta.url), "utf8").split("\n");
  const path = file("part.step", lines.toSpliced(1564, 1).join("\n"));
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  const read = (repairBehavior: RepairBehavior): Promise<unknown> =>
    importFile({ file: path, repairBehavior, split: true, options }, noProgress);
  await assert.rejects(read("ERROR"), { code: "OPERATION_FAILED", message: /damaged: .* concerns "pin"\./ });
  const before = process.memoryUsage().rss;
  // OpenCASCADE takes all of its memory for the rest of that part, and has none for the other one.
  await assert.rejects(read("REPAIR"), { code: "OPERATION_FAILED", message: /MiB of memory.* concerns "pin"\./ });
  assert.ok(process.memoryUsage().rss - before < 1024 * 2 ** 20);
});
