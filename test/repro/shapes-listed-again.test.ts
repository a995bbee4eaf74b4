import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Some programs list the shells and faces of solids in addition to the solids: each became a separate part, and a sphere became two.

const file = temporaryFiles();
const read = (text: string): Promise<ImportedFile> => {
  const options = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };
  return importFile({ file: file("part.brep", text), repairBehavior: "ERROR", split: true, options }, noProgress);
};

test("a shell that is listed in addition to its solid is not another part", async () => {
  const text = brepText({ size: [10, 20, 30], at: [0, 0, 0] });
  // Shapes are numbered from the last: the compound, its solid, the shell of the solid.
  const again = text.replace("1100000\n+2 0 *", "1100000\n+2 0 +3 0 *");
  assert.notEqual(again, text);
  const { parts } = await read(again);
  assert.equal(parts.length, 1);
  assert.ok(Math.abs(parts[0].mesh.volumeMm3 - 6000) < 1e-6);
});

test("a solid whose faces all belong to other solids, too, is a part", async () => {
  const steps = [0, 10, 20];
  const cells = steps.flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z] as const)));
  const inwards = cells.toSorted((a, b) => Math.hypot(...b.map((v) => v - 10)) - Math.hypot(...a.map((v) => v - 10)));
  const { parts } = await read(brepText(...inwards.map((at) => ({ size: [10, 10, 10] as const, at }))));
  assert.equal(parts.length, 27);
});
