import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import { brepText } from "../fixture/brep-file.ts";
import { boxFaces, igesText } from "../fixture/iges-file.ts";
import { stepFrustum } from "../fixture/step-solid-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Files that contain only surfaces were refused with the number of their open edges, as if a repair could make a body of them. The
// separate faces of a STEP file became one open part each.

const file = temporaryFiles();
const read = (name: string, text: string): Promise<ImportedFile> => {
  const options = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };
  return importFile({ file: file(name, text), repairBehavior: "ERROR", split: false, options }, noProgress);
};

/** A cylinder as STEP in which each face has a shell: the first `count` of wall, bottom and top. */
function stepFaces(count: number): string {
  const text = stepFrustum(10, 10, 20);
  const [, faces] = /CLOSED_SHELL\('',\((.*?)\)\)/.exec(text)!;
  const shells = faces
    .split(",")
    .slice(0, count)
    .map((face, i) => [`#${9000 + i}`, `OPEN_SHELL('',(${face}))`]);
  return text
    .replace(/MANIFOLD_SOLID_BREP\('',#\d+\)/, `SHELL_BASED_SURFACE_MODEL('',(${shells.map(([id]) => id).join(",")}))`)
    .replace("ADVANCED_BREP_SHAPE_REPRESENTATION", "MANIFOLD_SURFACE_SHAPE_REPRESENTATION")
    .replace("\nENDSEC;\nEND", `\n${shells.map(([id, shell]) => `${id}=${shell};`).join("\n")}\nENDSEC;\nEND`);
}

/** A box as BREP, whose solid is a compound of a shell with its first `faces` faces. */
const brepFaces = (faces: number): string =>
  brepText({ size: [10, 20, 30], at: [0, 0, 0], faces }).replace("\nSo\n", "\nCo\n");

test("separate faces of a STEP file that touch become one part", async () => {
  const { parts, warnings } = await read("part.step", stepFaces(3));
  assert.equal(parts.length, 1);
  assert.deepEqual(warnings, []);
  const { volumeMm3 } = parts[0].mesh;
  assert.ok(Math.abs(volumeMm3 / (Math.PI * 100 * 20) - 1) < 0.03, `${volumeMm3}`);
});

test("a closed shell of a BREP file is a part, although the file has no solid", async () => {
  const { parts } = await read("part.brep", brepFaces(6));
  assert.ok(Math.abs(parts[0].mesh.volumeMm3 - 6000) < 1e-6);
});

test("open faces of a file without a solid are refused with this cause and the way out", async () => {
  const open = (faces: string) => ({
    code: "OPERATION_FAILED",
    message: new RegExp(
      `needs repair: \\d+ open edges\\. The file holds no solid, only ${faces} no body: export it as a solid, or join and thicken its surfaces in the CAD program\\. Import it with repair_behavior REPAIR`,
    ),
  });
  await assert.rejects(read("part.step", stepFaces(1)), open("1 face that encloses"));
  await assert.rejects(read("part.step", stepFaces(2)), open("2 faces that enclose"));
  await assert.rejects(read("part.brep", brepFaces(5)), open("5 faces that enclose"));
  await assert.rejects(read("part.igs", igesText(boxFaces([10, 20, 30]).slice(1))), open("5 faces that enclose"));
});
