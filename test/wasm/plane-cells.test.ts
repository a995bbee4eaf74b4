import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import occtimportjs from "occt-import-js";
import { noProgress } from "../../src/core/progress.ts";
import { stepOfBreps } from "../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../src/format/rhino/rhino-library.ts";
import { boundedInstance } from "../../src/wasm/library.ts";
import { withFewerPlaneCells } from "../../src/wasm/plane-cells.ts";
import { drilledPlate } from "../fixture/rhino-breps.ts";
import { longTest } from "../fixture/long.ts";

const ROWS = 5;

longTest("a plane with many holes is triangulated completely and in little memory", async () => {
  const brep = drilledPlate(await rhinoLibrary(0), ROWS);
  const text = stepOfBreps([{ name: "plate", brep, unitMm: 1 }], 1e-3);
  // The kernel takes 29 MiB, with the cells of OpenCASCADE 41 MiB.
  const bounds = { maxBytes: 34 * 2 ** 20, maxRounds: 1e12 };
  const { instantiateWasm, shortage } = await boundedInstance("occt-import-js.wasm", bounds, noProgress);
  const occt = await occtimportjs({ instantiateWasm, print() {}, printErr() {} });
  const { meshes } = occt.ReadStepFile(Buffer.from(text), {
    linearUnit: "millimeter",
    linearDeflectionType: "absolute_value",
    linearDeflection: 0.01,
    angularDeflection: Math.PI / 36,
  });
  assert.equal(shortage(), undefined);
  const [{ brep_faces: faces, index, attributes }] = meshes!;
  const height = (corner: number): number => Math.round(1e6 * attributes.position.array[3 * corner + 2]);
  const level = faces.filter(({ first, last }) => {
    const corners = index.array.slice(3 * first, 3 * (last + 1));
    return corners.every((corner) => height(corner) === height(corners[0]));
  });
  assert.equal(level.length, 2);
  for (const { first, last } of level) {
    const points = new Set(index.array.slice(3 * first, 3 * (last + 1))).size;
    // Euler's formula for a polygon with holes.
    assert.equal(last + 1 - first, points + 2 * ROWS ** 2 - 2);
  }
});

test("other code stays unchanged", () => {
  const module = new Uint8Array(64);
  assert.equal(withFewerPlaneCells(module), module);
});
