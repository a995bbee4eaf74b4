import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../src/core/watch.ts";
import { combine } from "../../src/mesh/combine.ts";
import { manifoldnessOf } from "../../src/check/manifoldness.ts";
import { insideOut, moved } from "../fixture/altered.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";
import { jaw, TOOTH_FORMS } from "../solid/dental/jaw.ts";
import { assertShare, made } from "../solid/dental/made.ts";

test("a cavity stays that ends a hair below the cut, as near as counts as on it", async () => {
  const cavity = insideOut(moved(box([10, 10, 10.00005]), [0, 0, 9.999975]));
  const block = meshOf(combine([moved(box([40, 20, 20]), [0, 0, 10]), cavity]));
  const { mesh } = await made(block, { cut: { heightMm: 5 }, extrudeMm: 4 });
  assertShare(mesh.volumeMm3, 40 * 20 * 15 - 10 ** 3 + (40 * 20 - 10 ** 2) * 4, 1e-4);
});

test("the cavity of a piece that is left out goes with it, though it lies between the ends of the arch", async () => {
  const arch = jaw({ form: TOOTH_FORMS.domes, teeth: 12, gumMm: 8, toothMm: 7 });
  const ball = [uvSphere(6), insideOut(uvSphere(4))].map((shell) => moved(shell, [0, 8, 6]));
  const cut = { cut: { heightMm: 4 }, extrudeMm: 4 };
  const alone = await made(meshOf(arch), cut);
  const both = await made(meshOf(combine([arch, ...ball])), cut);
  assert.match(both.warnings.join(), /1 smaller piece was left out/);
  assertShare(both.mesh.volumeMm3, alone.mesh.volumeMm3, 1e-6);
  assert.ok(manifoldnessOf(both.mesh, unwatched).isManifold);
});
