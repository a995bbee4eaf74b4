import assert from "node:assert/strict";
import { test } from "node:test";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { noProgress } from "../../src/core/progress.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { assertShare, makeDental } from "../solid/dental/dental-cases.ts";
import { TOOTH_FORMS, jaw } from "../solid/dental/jaw.ts";

test("a cavity that ends just below the cut, within the tolerance, is kept", async () => {
  const cavity = insideOut(moved(box([10, 10, 10.00005]), [0, 0, 9.999975]));
  const block = meshOf(concatenateSurfaces([moved(box([40, 20, 20]), [0, 0, 10]), cavity]));
  const { mesh } = await makeDental(block, { cut: { heightMm: 5 }, extrudeMm: 4 });
  assertShare(mesh.volumeMm3, 40 * 20 * 15 - 10 ** 3 + (40 * 20 - 10 ** 2) * 4, 1e-4);
});

test("the cavity of an omitted piece is omitted, too, although it is between the ends of the arch", async () => {
  const arch = jaw({ form: TOOTH_FORMS.domes, teeth: 12, gumMm: 8, toothMm: 7 });
  const ball = [uvSphere(6), insideOut(uvSphere(4))].map((shell) => moved(shell, [0, 8, 6]));
  const cut = { cut: { heightMm: 4 }, extrudeMm: 4 };
  const alone = await makeDental(meshOf(arch), cut);
  const both = await makeDental(meshOf(concatenateSurfaces([arch, ...ball])), cut);
  assert.match(both.warnings.join(), /1 smaller piece was left out/);
  assertShare(both.mesh.volumeMm3, alone.mesh.volumeMm3, 1e-6);
  assert.ok(manifoldnessOf(both.mesh, noProgress).isManifold);
});
