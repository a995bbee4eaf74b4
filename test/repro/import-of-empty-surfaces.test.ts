import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import type { RepairBehavior } from "../../src/feature/import/stored-file.ts";

const folder = mkdtempSync(join(tmpdir(), "empty-surfaces-"));
after(() => rmSync(folder, { recursive: true }));

const FILES = {
  "a point": "v 5 5 5\nv 5 5 5\nv 5 5 5\nf 1 2 3\n",
  "a line": "v 5 5 5\nv 6 5 5\nv 5 5 5\nf 1 2 3\n",
  "a straight facet": "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
  "a body too small for single precision":
    "v 0 0 0\nv 1e-46 0 0\nv 0 1e-46 0\nv 0 0 1e-46\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
};

for (const [what, text] of Object.entries(FILES)) {
  test(`a file of ${what} is refused, whatever the repair_behavior`, async () => {
    const file = join(folder, "part.obj");
    writeFileSync(file, text);
    for (const repairBehavior of ["ERROR", "REPAIR", "IGNORE"] as RepairBehavior[]) {
      const request = {
        file,
        repairBehavior,
        split: false,
        options: { chordalToleranceMm: 0.01, angleToleranceDeg: 5 },
      };
      await assert.rejects(importFile(request, noProgress), { code: "OPERATION_FAILED", message: /no surface/ });
    }
  });
}
