import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { type EulerDeg, IDENTITY_POSE, UPRIGHT, rotationMatrix } from "../../../src/geometry/pose.ts";
import { type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import { holdCandidates } from "../../../src/support/points/hold-candidates.ts";
import { type SupportedModel, supportModel } from "../../../src/support/support-model.ts";
import type { SupportSettings } from "../../../src/support/support-settings.ts";
import { cornersOfFacets, distanceToFacet } from "../../fixture/facet-distance.ts";
import { longTest, sampledTests, slowCases } from "../../fixture/long.ts";
import { box, lathe, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { moved, subdivided } from "../../fixture/surface-edits.ts";
import { SETTINGS } from "../settings.ts";

/** Supports of a part 5 mm above its raft, in layers of 0.1 mm. */
function supported(
  surface: Surface,
  orientation: EulerDeg = UPRIGHT,
  changes: Partial<SupportSettings> = {},
): Promise<SupportedModel> {
  const mesh = meshOf(surface);
  const outline = outlineOf(mesh, rotationMatrix(orientation));
  const placed = { mesh, pose: { ...IDENTITY_POSE, orientation } };
  const settings = { ...SETTINGS, ...changes };
  return supportModel({ placed, outline, settings, layerThicknessMm: 0.1, label: "" }, noProgress);
}

const pointsOf = ({ supports }: SupportedModel): number => supports!.touchpoints.length;

const CONE = lathe(
  [
    [0, 0],
    [15, 0],
    [0, 40],
  ],
  48,
  false,
);

longTest("a ball gets touchpoints for 1.35 times the pull at its equator, and few more", async () => {
  for (const radius of slowCases([8, 12])) {
    const needed = (1.35 * Math.PI * radius * radius) / (50 * Math.PI * 0.25 ** 2);
    const points = pointsOf(await supported(uvSphere(radius)));
    assert.ok(points >= 0.98 * needed && points <= 1.3 * needed, `${points} of ${needed} at ${radius} mm`);
  }
});

const ON_EDGES: Readonly<Record<string, readonly [Surface, EulerDeg]>> = {
  "a cone on its tip": [CONE, { x: 180, y: 0, z: 0 }],
  "a cone on its rim": [CONE, { x: 125, y: 0, z: 0 }],
  "a block on a corner": [box([60, 20, 10]), { x: 40, y: 36, z: 0 }],
  "a bar that leans out": [box([98, 10, 5]), { x: 0, y: 36, z: 0 }],
  "a wall on an edge": [box([40, 3, 70]), { x: 2, y: 0, z: 0 }],
  "a table on a leg": [
    concatenateSurfaces([
      box([40, 30, 4]),
      ...[-17, 17].flatMap((x) => [-12, 12].map((y) => moved(box([4, 4, 25]), [x, y, -14.4]))),
    ]),
    { x: 30, y: 35, z: 0 },
  ],
};

for (const [[name, [surface, orientation]], testOne] of sampledTests(Object.entries(ON_EDGES), 4)) {
  testOne(`${name}: steep faces, edges and sides hold a part that no overhang holds`, async () => {
    const { weaknesses, unreached, isLoose } = await supported(surface, orientation);
    assert.deepEqual({ weaknesses, unreached, isLoose }, { weaknesses: [], unreached: [], isLoose: false });
    const alone = await supported(surface, orientation, { onlyMinima: true });
    assert.notDeepEqual(alone.weaknesses, [], "minima alone do not hold it");
  });
}

longTest("more density gives more points, and a larger size gives fewer points", async () => {
  const count = async (changes: Partial<SupportSettings>): Promise<number> =>
    pointsOf(await supported(CONE, { x: 180, y: 0, z: 0 }, changes));
  const [plain, dense, large] = [await count({}), await count({ density: 2 }), await count({ touchpointSizeMm: 1 })];
  assert.ok(dense > 1.6 * plain && large < plain / 2.5, `${plain}, ${dense} dense, ${large} large`);
});

test("without density, or without points on slopes, minima hold what they can, and the rest is named", async () => {
  for (const changes of [{ density: 0 }, { slopeMultiplier: 0 }]) {
    const result = await supported(CONE, { x: 180, y: 0, z: 0 }, changes);
    assert.equal(pointsOf(result), 1);
    const { heldShare, point } = result.weaknesses.find(({ kind }) => kind === "PULL")!;
    assert.ok(heldShare < 0.1 && point[2] > 30, `${heldShare} at ${point[2]}`);
  }
});

test("candidates are on faces and convex edges that tips reach, whatever the division of faces", () => {
  const tilted = meshOf(box([20, 12, 9]));
  const surface: Surface = { vertices: Float64Array.from(tilted.vertices), triangles: tilted.triangles };
  const facets = cornersOfFacets(surface);
  const candidates = holdCandidates(surface);
  assert.ok(candidates.length > 500);
  for (const { point } of candidates) {
    const aside = facets.map((facet) => distanceToFacet(point.position, facet));
    assert.ok(Math.min(...aside) < 1e-5, `${point.position}`);
    assert.ok(point.normal[2] <= 0.35);
  }
  const faces = (of: Surface): string[] =>
    holdCandidates(of)
      .filter(({ point: { normal } }) => normal.some((value) => Math.abs(value) > 0.99))
      .map(({ point: { position } }) => position.map((value) => value.toFixed(6)).join())
      .sort();
  assert.deepEqual(faces(subdivided(surface)), faces(surface));
});
