import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { BuildVolume } from "../../../src/geometry/build-volume.ts";
import { routedPoints } from "../../../src/support/draft/routed-points.ts";
import { lifted } from "../../../src/support/lifted.ts";
import { toModel } from "../../../src/support/points/touchpoint-space.ts";
import { supportModel } from "../../../src/support/support-model.ts";
import { draftPartOf, requestFor } from "../../fixture/draft-of.ts";
import { latticeTouchpoints } from "../../fixture/lattice-touchpoints.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/stage.ts";
import { SETTINGS } from "../settings.ts";

const request = requestFor(meshOf(box([30, 20, 3])), SETTINGS);
const placed = lifted(request);
const touchpoints = latticeTouchpoints(placed, 4, SETTINGS.touchpointSizeMm).map((point) => toModel(point, placed));
const part = draftPartOf(request);
const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 0 };

test("points of a part are held as the supports with their solid hold them, at the place of the model", async () => {
  const { supports } = await supportModel({ ...request, touchpoints }, noProgress);
  assert.ok(supports && touchpoints.length > 20);
  const { tree, touchLoadsN, trees } = supports.routed;
  const routed = routedPoints({ part, touchpoints, place: [60, -20], volume: VOLUME }, noProgress);
  assert.ok(routed);
  assert.deepEqual(routed.touchLoadsN, touchLoadsN);
  assert.deepEqual(routed.trees, trees);
  assert.deepEqual(routed.tree.struts, tree.struts);
  const away = tree.nodes.map((value, i) => value + [60, -20, 0, 0][i % 4]);
  assert.ok(routed.tree.nodes.every((value, i) => Math.abs(value - away[i]) < 1e-9));
});

test("struts that would leave the volume, and points that nothing reaches, are left to others", () => {
  assert.equal(routedPoints({ part, touchpoints, place: [90, 0], volume: VOLUME }, noProgress), undefined);
  assert.equal(routedPoints({ part, touchpoints: [], place: [0, 0], volume: VOLUME }, noProgress), undefined);
});
