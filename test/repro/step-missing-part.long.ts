import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import type { RepairBehavior } from "../../src/feature/import/stored-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();

test("a STEP file that lacks one line is refused with the name of the lost part, or read without the part in bounded memory", async () => {
  const lines = readFileSync(new URL("../../assets/demo/bracket.step", import.meta.url), "utf8").split("\n");
  const path = file("part.step", lines.toSpliced(1564, 1).join("\n"));
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  const read = (repairBehavior: RepairBehavior): Promise<ImportedFile> =>
    importFile({ file: path, repairBehavior, split: true, options }, noProgress);
  await assert.rejects(read("ERROR"), { code: "OPERATION_FAILED", message: /damaged: .* affects "pin"\./ });
  const before = process.memoryUsage().rss;
  const { parts, warnings } = await read("REPAIR");
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["bracket"],
  );
  assert.match(warnings.join(" "), /affects "pin".*no triangles for a part of the file \("pin"\)/);
  assert.ok(process.memoryUsage().rss - before < 1024 * 2 ** 20);
});
