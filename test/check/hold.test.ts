import assert from "node:assert/strict";
import { test } from "node:test";
import { checkHold } from "../../src/check/hold.ts";
import { noProgress } from "../../src/core/progress.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { toSceneSpace } from "../../src/geometry/pose.ts";
import { type Vec3, add, distance, subtract } from "../../src/geometry/vector.ts";
import type { Weakness } from "../../src/hold/hold-walk.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import {
  type Mesh,
  type Surface,
  concatenateSurfaces,
  filterFacets,
  placedSurface,
  vertexAt,
} from "../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import type { SupportSettings } from "../../src/support/support-settings.ts";
import { placedBody } from "../fixture/check-request.ts";
import { box, cylinder, lathe } from "../fixture/shapes.ts";
import { supported } from "../fixture/supported-model.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { longTest } from "../fixture/long.ts";

const meshOf = (surface: Surface): Mesh => canonicalMesh(surface, 1, noProgress);

/** A cone with its tip down. */
const cone = (radiusMm: number, heightMm: number) =>
  lathe(
    [
      [0, 0],
      [radiusMm, heightMm],
      [0, heightMm],
    ],
    48,
    false,
  );

interface HoldOptions {
  readonly bottomMm?: number;
  readonly supports?: PlacedMesh;
  readonly touchpoints?: readonly Vec3[];
  readonly isOnRaft?: boolean;
}

const ofSize = (places: readonly Vec3[]) => places.map((position) => ({ position, sizeMm: 0.5 }));

/** The weaknesses of a surface at a height, in layers of 0.1 mm and with touchpoints of 0.5 mm. */
function weaknessesOf(surface: Surface | Mesh, options: HoldOptions = {}): Weakness[] {
  const { bottomMm = 0, supports, touchpoints = [], isOnRaft = false } = options;
  const { placed, box: around } = placedBody("hash" in surface ? surface : meshOf(surface), [0, 0, bottomMm]);
  const request = { placed, bottomMm, topMm: around.max[2], layerThicknessMm: 0.1 };
  if (!supports) return checkHold(request, noProgress);
  return checkHold(
    { ...request, supports: { placed: supports, touchpoints: ofSize(touchpoints), touchpointSizeMm: 0.5, isOnRaft } },
    noProgress,
  );
}

const kindsOf = (weaknesses: readonly Weakness[]) => [...new Set(weaknesses.map(({ kind }) => kind))].sort();

test("a part on a wide enough foot is held, a cone on its tip is not", () => {
  assert.deepEqual(weaknessesOf(box([10, 10, 10])), []);
  const found = weaknessesOf(cone(10, 20));
  assert.deepEqual(kindsOf(found), ["NECK", "PULL", "WOBBLE"]);
  const shares = found.map(({ heldShare }) => heldShare);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.ok(shares.every((share) => share < 0.05));
  // The neck is the first layer of the tip, whose middle is at 0.05 mm, with a radius of 25 µm.
  assert.ok(found.filter(({ kind }) => kind === "NECK").every(({ neckMm }) => neckMm === 0.05));
});

test("a part without contact to the platform or supports is not held", () => {
  const plate = placedBody(meshOf(box([20, 20, 2])), [0, 0, 0]).placed;
  const [first, ...others] = weaknessesOf(box([10, 10, 10]), { bottomMm: 5 });
  assert.deepEqual([first.kind, first.heldShare, others], ["PULL", 0, []]);
  assert.equal(weaknessesOf(box([10, 10, 10]), { bottomMm: 5, supports: plate })[0].heldShare, 0);
  assert.equal(weaknessesOf(box([10, 10, 10]), { bottomMm: 2, supports: plate, touchpoints: [[0, 0, 9]] }).length, 1);
  assert.deepEqual(weaknessesOf(box([10, 10, 10]), { bottomMm: 2, supports: plate, isOnRaft: true }), []);
  const raised = { ...plate, pose: { ...plate.pose, position: [0, 0, 4] as const } };
  assert.equal(weaknessesOf(box([10, 10, 10]), { bottomMm: 5, supports: raised, isOnRaft: true })[0].heldShare, 0);
});

test("a mushroom would break at its stem, and a board next to its foot leans", () => {
  const foot = moved(cylinder(8, 3), [0, 0, 1.5]);
  const stem = moved(cylinder(1, 30), [0, 0, 16]);
  const hat = moved(cylinder(15, 5), [0, 0, 32]);
  const mushroom = weaknessesOf(concatenateSurfaces([foot, stem, hat]));
  const neck = mushroom.find(({ kind }) => kind === "NECK");
  assert.ok(neck && neck.point[2] > 29 && neck.neckMm! > 3 && neck.neckMm! < 29, JSON.stringify(mushroom));
  const board = concatenateSurfaces([moved(box([8, 8, 20]), [0, 0, 10]), moved(box([30, 12, 3]), [11, 0, 20])]);
  const lean = weaknessesOf(board).find(({ kind }) => kind === "LEAN");
  assert.ok(lean && lean.heldShare > 0.2 && lean.heldShare < 1);
});

/** A supported model, and the heights and touchpoints to check it with. */
async function supportedPart(surface: Surface, settings: Partial<SupportSettings> = {}) {
  const { model, supports, result } = await supported({ mesh: () => meshOf(surface) }, settings);
  const { mesh } = model;
  const bottomMm = model.pose.position[2] - (mesh.box.max[2] - mesh.box.min[2]) / 2;
  const touchpoints = result.supports.touchpoints.map(({ position }) => position);
  return { mesh, supports, touchpoints, bottomMm, model, weaknesses: result.weaknesses };
}

test("supports hold by their existing tips, whether their touchpoints are known or not", async () => {
  const { mesh, supports, touchpoints, bottomMm, model } = await supportedPart(cone(10, 20));
  assert.deepEqual(weaknessesOf(mesh, { bottomMm, supports, touchpoints }), []);
  assert.deepEqual(weaknessesOf(mesh, { bottomMm, supports }), []);
  const cut = touchpoints.filter((_, i) => i % 2 === 0).map((point) => toSceneSpace(model, point));
  const without = withoutNear(supports, cut, 1);
  for (const known of [touchpoints, []]) {
    const found = weaknessesOf(mesh, { bottomMm, supports: without, touchpoints: known });
    assert.ok(found.length > 0 && found[0].heldShare < 0.8, JSON.stringify(found));
  }
});

test("supports of several shells rest on the raft where the shells overlap", () => {
  const raft = moved(box([20, 20, 2]), [0, 0, 1]);
  for (const [fromMm, share] of [
    [1.5, 1],
    [2.5, 0],
  ]) {
    const pillar = moved(box([0.5, 0.5, 6.2 - fromMm]), [0, 0, (6.2 + fromMm) / 2]);
    const supports = placedBody(meshOf(concatenateSurfaces([raft, pillar]))).placed;
    const [worst] = weaknessesOf(box([2.5, 2.5, 3]), { bottomMm: 6, supports });
    assert.equal(worst?.heldShare ?? 1, share, `from ${fromMm} mm`);
  }
});

test("tips without pillars hold nothing", async () => {
  const { mesh, supports, touchpoints, bottomMm } = await supportedPart(cone(10, 15));
  const { vertices } = placedSurface(supports);
  const heightOf = (vertex: number): number => vertices[3 * vertex + 2];
  // Cuts the pillars just above their raft.
  const cut = withoutFacets(
    supports,
    (corners) => corners.some((one) => heightOf(one) > 1.01) && corners.some((one) => heightOf(one) < 3),
  );
  for (const known of [touchpoints, []]) {
    const [worst] = weaknessesOf(mesh, { bottomMm, supports: cut, touchpoints: known });
    assert.deepEqual([worst.kind, worst.heldShare], ["PULL", 0]);
  }
});

longTest("the check agrees with the warnings of new supports, also if these have feet on the model", async () => {
  // Only the supports of the block inside it end on its floor.
  const room = concatenateSurfaces([box([16, 16, 14]), insideOut(box([14, 14, 12])), box([6, 6, 3])]);
  for (const [kinds, surface, settings] of [
    [[], room, { internalSupportsEnabled: true }],
    [["PULL"], room, { internalSupportsEnabled: false }],
    [["LEAN", "NECK", "PULL"], cone(20, 30), { density: 0.3 }],
    [[], cone(10, 15), { heightAboveRaftMm: 0 }],
  ] as const) {
    const { mesh, supports, touchpoints, bottomMm, weaknesses } = await supportedPart(surface, settings);
    const isOnRaft = "heightAboveRaftMm" in settings;
    assert.deepEqual(weaknessesOf(mesh, { bottomMm, supports, touchpoints, isOnRaft }), weaknesses);
    assert.deepEqual(kindsOf(weaknesses), kinds);
  }
});

/** Supports without the facets that are near some points of the scene. */
function withoutNear(supports: PlacedMesh, points: readonly Vec3[], reachMm: number): PlacedMesh {
  const surface = placedSurface(supports);
  const isNear = (vertex: number): boolean =>
    points.some((point) => distance(point, vertexAt(surface, vertex)) < reachMm);
  return withoutFacets(supports, (corners) => corners.some(isNear));
}

function withoutFacets({ mesh, pose }: PlacedMesh, isGone: (corners: readonly number[]) => boolean): PlacedMesh {
  const { vertices } = mesh;
  const { triangles } = filterFacets(mesh, (facet) => !isGone([...mesh.triangles.subarray(3 * facet, 3 * facet + 3)]));
  const kept = canonicalMesh({ vertices, triangles }, 1, noProgress);
  // The pose places the centre of its box.
  const moved = subtract(boxCentre(kept.box), boxCentre(mesh.box));
  return { mesh: kept, pose: { ...pose, position: add(pose.position, moved) } };
}
