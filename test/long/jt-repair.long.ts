import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { importFile } from "../../src/feature/import/import-file.ts";

test("parts of a JT file whose faces were tessellated apart are closed by a repair", { timeout: 300_000 }, async () => {
  const file = fileURLToPath(new URL("../fixture/corpus/jt-butterflyvalve-10.0.jt", import.meta.url));
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  const { parts } = await importFile({ file, repairBehavior: "REPAIR", split: true, options }, noProgress);
  assert.equal(parts.length, 12);
  for (const { mesh, name } of parts) {
    assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], String(name));
    assert.ok(mesh.volumeMm3 > 0, String(name));
  }
});
