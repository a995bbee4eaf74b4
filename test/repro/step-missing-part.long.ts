import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { stepReader } from "../../src/format/occt/step-reader.ts";

test("a STEP file that lacks one line is refused with the part it lost, within seconds and bounded memory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "step-missing-part-"));
  const file = join(folder, "part.step");
  const lines = readFileSync(new URL("../../assets/demo/bracket.step", import.meta.url), "utf8").split("\n");
  writeFileSync(file, lines.toSpliced(1564, 1).join("\n"));
  const before = process.memoryUsage().rss;
  await assert.rejects(stepReader.read(file, { chordalToleranceMm: 0.01, angleToleranceDeg: 5 }, noProgress), {
    code: "OPERATION_FAILED",
    message: /no triangles of its part "pin"/,
  });
  assert.ok(process.memoryUsage().rss - before < 1024 * 2 ** 20);
  rmSync(folder, { recursive: true });
});
