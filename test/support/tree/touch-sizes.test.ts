import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { UPRIGHT, rotationMatrix } from "../../../src/geometry/pose.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import type { PlacedMesh } from "../../../src/mesh/placed-mesh.ts";
import type { SupportTree } from "../../../src/support/tree/support-tree.ts";
import { latticeTouchpoints } from "../../fixture/lattice-touchpoints.ts";
import { longTest } from "../../fixture/long.ts";
import { type RouteRequest, routeTouchpoints } from "../../fixture/route-touchpoints.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/stage.ts";
import { supported } from "../../fixture/supported-model.ts";
import { assertClear, assertJoined, assertSteep, nodeOf } from "../../fixture/tree-checks.ts";
import { SETTINGS } from "../settings.ts";

const GROUND_MM = 2;
const LIFT_MM = 20;

function raised(mesh: Mesh): PlacedMesh {
  const lowest = outlineOf(mesh, rotationMatrix(UPRIGHT)).box.min[2];
  return { mesh, pose: { position: [0, 0, GROUND_MM + LIFT_MM - lowest], orientation: UPRIGHT, scale: 1 } };
}

/** A plate whose points have the given sizes in turn. */
function plate(sizesMm: readonly number[]): RouteRequest {
  const placed = raised(meshOf(box([40, 40, 3])));
  const touchpoints = latticeTouchpoints(placed, 4, SETTINGS.touchpointSizeMm).map((point, i) => ({
    ...point,
    sizeMm: sizesMm[i % sizesMm.length],
  }));
  return { placed, touchpoints, settings: SETTINGS, groundMm: GROUND_MM };
}

/** The sum of the areas of the touches on each foot, in areas of a touch of the size of the settings. */
function loadsOfFeet({ struts, feet, touches }: SupportTree, sizesMm: readonly number[]): number[] {
  const below = new Map(struts.filter(({ kind }) => kind !== "BRACE").map(({ from, to }) => [from, to]));
  const loads = new Map(feet.map(({ node }) => [node, 0]));
  touches.forEach((touch, i) => {
    let foot = touch;
    for (let next = below.get(foot); next !== undefined; next = below.get(foot)) foot = next;
    loads.set(foot, loads.get(foot)! + (sizesMm[i] / SETTINGS.touchpointSizeMm) ** 2);
  });
  return [...loads.values()];
}

// Hashes of the version before points had sizes.
const [TREE_HASH, SOLID_HASH] = [
  "b2b85f129b46ac6dc86606cd7b22e31c5eccb377e3c9d73be5bd8d71a9013b35",
  "c34eb7ef2ab05835c22de51c9e749fb38b51ca374f71b84f04fb3f8f7c254253",
];

test("points of the size of the settings give the bytes of earlier versions", () => {
  const { nodes, struts, feet, touches } = routeTouchpoints(plate([SETTINGS.touchpointSizeMm]));
  const hash = createHash("sha256")
    .update(nodes)
    .update(JSON.stringify([struts, feet, [...touches]]));
  assert.equal(hash.digest("hex"), TREE_HASH);
});

longTest("supports whose points all have the size of the settings have the bytes of earlier versions", async () => {
  const { supports } = await supported({ mesh: () => meshOf(uvSphere(4)) });
  assert.equal(supports.mesh.hash, SOLID_HASH);
});

test("each tip enters the part in a circle of the size of its own point", () => {
  const input = plate([0.3, 0.5, 0.8, 2]);
  const tree = routeTouchpoints(input);
  assertJoined(tree);
  assertSteep(tree);
  assertClear(tree, input.placed);
  for (const [i, { sizeMm }] of input.touchpoints.entries()) {
    assert.ok(tree.touches[i] >= 0, `point ${i} is reached`);
    const { centre, radiusMm } = nodeOf(tree, tree.touches[i]);
    const below = GROUND_MM + LIFT_MM - centre[2];
    assert.ok(Math.abs(2 * Math.sqrt(radiusMm ** 2 - below ** 2) - sizeMm) < 1e-5, `width of ${sizeMm}`);
  }
});

test("trunks bear at most ten touches of the size of the settings, counted by area", () => {
  const most = [0.3, 0.5, 0.8].map((sizeMm) => {
    const input = plate([sizeMm]);
    const tree = routeTouchpoints(input);
    const loads = loadsOfFeet(
      tree,
      input.touchpoints.map(() => sizeMm),
    );
    assert.ok(
      loads.every((load) => load <= 10),
      `${sizeMm} mm: ${loads}`,
    );
    return Math.max(...loads) / (sizeMm / SETTINGS.touchpointSizeMm) ** 2;
  });
  const [light, medium, heavy] = most;
  assert.ok(light > medium && medium > heavy && heavy > 1, `${most}`);
});
