import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import { stlReader } from "../../../src/format/stl.ts";
import { type Vec3, dot, length } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { closestPoint } from "../../../src/mesh/bvh/closest-point.ts";
import { type Mesh, placedSurface } from "../../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../../src/mesh/placed-mesh.ts";
import { placeTouchpoints } from "../../../src/support/points/place-touchpoints.ts";
import type { Touchpoint } from "../../../src/support/points/touchpoint.ts";
import type { SupportSettings } from "../../../src/support/support-settings.ts";
import { checkRequest, modelBody, percentUnsupported, supportBody } from "../../fixture/check-request.ts";
import { longTest, slowCases, slowSample } from "../../fixture/long.ts";
import { minimaOf } from "../../fixture/minima.ts";
import { READ_OPTIONS } from "../../fixture/read-model.ts";
import { box, cylinder, lathe, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { SETTINGS as PLAIN_SETTINGS } from "../settings.ts";

const SETTINGS: SupportSettings = { ...PLAIN_SETTINGS, internalSupportsEnabled: true, earlyLayerMergeMm: 0.3 };
const LIFT_MM = 5;
const LAYER_MM = 0.1;

type Turn = { readonly x: number; readonly y: number; readonly z: number };

async function corpus(name: string): Promise<Mesh> {
  const file = fileURLToPath(new URL(`../../fixture/corpus/${name}.stl`, import.meta.url));
  const { parts } = await stlReader.read(file, READ_OPTIONS, noProgress);
  return meshOf(parts[0].surface);
}

type Case = [name: string, mesh: Mesh, turn: Turn];

/** Meshes and their orientations: slopes, peninsulas, holes, several bodies, and a broken mesh. */
const CASES: readonly Case[] = [
  ["box", meshOf(box([20, 14, 6])), { x: 0, y: 0, z: 0 }],
  ["box on its corner", meshOf(box([14, 14, 14])), { x: 40, y: 30, z: 0 }],
  ["plate at 20°", meshOf(box([20, 20, 2])), { x: 20, y: 0, z: 0 }],
  ["ball", meshOf(uvSphere(9, 96, 48)), { x: 0, y: 0, z: 0 }],
  ["ring upright", meshOf(torus(10, 2)), { x: 90, y: 0, z: 15 }],
  ["ring flat", meshOf(torus(10, 2)), { x: 0, y: 0, z: 0 }],
  ["tetrahedron", meshOf(tetrahedron(20)), { x: 10, y: 70, z: 0 }],
  [
    "spikes",
    meshOf(
      ...[0, 5, 9].map((x, i) =>
        moved(
          lathe(
            [
              [0, i],
              [1, 6],
              [1, 9],
              [0, 9],
            ],
            24,
            false,
          ),
          [x, 0, 0],
        ),
      ),
      moved(box([14, 4, 2]), [4.5, 0, 9]),
    ),
    { x: 0, y: 0, z: 0 },
  ],
  ["sheet", meshOf(box([12, 12, 0.12])), { x: 3, y: 2, z: 0 }],
  ...slowCases<Case>([
    ["bracket with holes", await corpus("gen-65004-holes12"), { x: 30, y: 20, z: 0 }],
    ["offset", await corpus("mf-Offset1-x0.04"), { x: 30, y: 20, z: 0 }],
    ["hull body", await corpus("mf-hull-body-x0.35"), { x: 30, y: 20, z: 0 }],
    ["bracket", await corpus("thingi-65004"), { x: 90, y: 0, z: 0 }],
  ]),
];

interface Supported {
  readonly placed: PlacedMesh;
  readonly boundariesMm: Float64Array;
  readonly points: readonly Touchpoint[];
}

/** Tips reach all points, and material that begins in the first layers is on the platform. */
const REACHED = { groundMm: LAYER_MM, standingOf: () => ({}) };

function supported(mesh: Mesh, orientation: Turn, changes: Partial<SupportSettings> = {}, at = [0, 0]): Supported {
  const body = modelBody(0, mesh, [...at, LIFT_MM], { orientation });
  const { boundariesMm } = checkRequest([body], LAYER_MM);
  const { placed } = body;
  return {
    placed,
    boundariesMm,
    points: placeTouchpoints({ ...REACHED, placed, boundariesMm, settings: { ...SETTINGS, ...changes } }, noProgress)
      .touchpoints,
  };
}

const apart = ([ax, ay]: Vec3, [bx, by]: Vec3): number => Math.sqrt((ax - bx) ** 2 + (ay - by) ** 2);

for (const [name, mesh, orientation] of CASES) {
  const { placed, boundariesMm, points } = supported(mesh, orientation);
  const { box: around } = modelBody(0, mesh, [0, 0, LIFT_MM], { orientation });

  test(`${name}: every touchpoint is on the surface, with an outward normal that does not point up`, () => {
    const surface = placedSurface(placed);
    const tree = buildBvh(surface, noProgress);
    assert.ok(points.length > 0);
    for (const { position, normal } of points) {
      // If holes are filled for printing, the surface has no facets there.
      if (!name.includes("holes")) assert.ok(closestPoint(tree, position, 1)!.distanceMm <= 1e-4);
      assert.ok(Math.abs(length(normal) - 1) < 1e-6);
      assert.ok(dot(normal, [0, 0, 1]) <= 0, `${normal}`);
    }
  });

  test(`${name}: every region that begins in the air has a touchpoint`, () => {
    const least = supported(mesh, orientation, { onlyMinima: true }).points;
    const minima = minimaOf([placed], boundariesMm, around);
    assert.ok(minima.length > 0);
    const missed = minima.filter(({ layer, xMm, yMm, areaMm2 }) => {
      const z = (boundariesMm[layer] + boundariesMm[layer + 1]) / 2;
      const reachMm = 0.3 + 2 * Math.max(areaMm2, Math.sqrt(areaMm2));
      const isHeld = (by: readonly Touchpoint[]): boolean =>
        by.some(
          ({ position }) => Math.abs(position[2] - z) <= 3 * LAYER_MM && apart(position, [xMm, yMm, 0]) <= reachMm,
        );
      return !isHeld(points) || !isHeld(least);
    });
    assert.deepEqual(missed, []);
    assert.ok(least.every(({ cause }) => cause === "MINIMUM"));
    assert.ok(
      Math.abs(least.length - minima.length) <= 2 + 0.05 * minima.length,
      `${least.length} for ${minima.length}`,
    );
  });

  test(`${name}: with a post below every touchpoint, nothing is unsupported`, () => {
    const bodies = [
      modelBody(0, mesh, [0, 0, LIFT_MM], { orientation }),
      ...points.map(({ position: [x, y, z] }) => supportBody(0, POST, [x, y, z - 0.25])),
    ];
    const request = { ...checkRequest(bodies, LAYER_MM), selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 };
    const [percent] = percentUnsupported(request, noProgress);
    assert.ok(percent < 1, `${percent}`);
  });
}
const POST = meshOf(box([0.3, 0.3, 0.5]));

test("flat faces: every point is within the spacing of a touchpoint; touchpoints keep away from edges and each other", () => {
  for (const size of [
    [30, 20, 4],
    [12, 3, 4],
    [6, 6, 4],
    [1, 1, 4],
  ] as const) {
    const { points } = supported(meshOf(box(size)), { x: 0, y: 0, z: 0 });
    for (let x = -size[0] / 2; x <= size[0] / 2; x += 0.25) {
      for (let y = -size[1] / 2; y <= size[1] / 2; y += 0.25) {
        assert.ok(
          points.some(({ position }) => apart(position, [x, y, 0]) <= 2.3),
          `${size}: ${x}, ${y}`,
        );
      }
    }
    points.forEach(({ position }, i) => {
      const toEdge = Math.min(size[0] / 2 - Math.abs(position[0]), size[1] / 2 - Math.abs(position[1]));
      assert.ok(toEdge >= 0.25, `${position} is ${toEdge} from an edge`);
      for (const other of points.slice(0, i)) assert.ok(apart(position, other.position) > 1.1);
    });
  }
});

longTest("more density gives more touchpoints, density 0 only those of minima", () => {
  for (const [name, mesh, orientation] of slowSample(CASES.slice(0, 6), 3)) {
    // All faces of the box on its corner are so steep that it is held only at its corner.
    const counts = [0, 0.25, 1, 4].map((density) => supported(mesh, orientation, { density }).points.length);
    const minima = supported(mesh, orientation, { onlyMinima: true }).points.length;
    assert.equal(counts[0], minima, name);
    counts.forEach((count, i) => assert.ok(i === 0 || count >= counts[i - 1], `${name}: ${counts}`));
    if (name !== "box on its corner") assert.ok(counts[3] > counts[0], name);
  }
});

test("the slope multiplier matters only on slopes", () => {
  const counts = (turn: Turn): number[] =>
    [0, 0.5, 1, 4].map(
      (slopeMultiplier) => supported(meshOf(box([20, 20, 2])), turn, { slopeMultiplier }).points.length,
    );
  const [none, half, usual, dense] = counts({ x: 25, y: 0, z: 0 });
  assert.equal(none, 1);
  assert.ok(none < half && half < usual && usual < dense, `${[none, half, usual, dense]}`);
  assert.equal(new Set(counts({ x: 0, y: 0, z: 0 })).size, 1);
});

test("steep walls and regions on the platform need no touchpoints", () => {
  const wedgeOn = (footMm: number) =>
    meshOf(
      lathe(
        [
          [0, 0],
          [footMm, 0],
          [8, 10],
          [0, 10],
        ],
        64,
        false,
      ),
    );
  const standingOn = (mesh: Mesh): readonly Touchpoint[] => {
    const body = modelBody(0, mesh);
    const { boundariesMm } = checkRequest([body], LAYER_MM);
    return placeTouchpoints({ ...REACHED, placed: body.placed, boundariesMm, settings: SETTINGS }, noProgress)
      .touchpoints;
  };
  assert.deepEqual(standingOn(wedgeOn(3)), []);
  assert.ok(standingOn(wedgeOn(1)).length > 5, "a foot that the largest layer tears off");
  assert.deepEqual(standingOn(meshOf(cylinder(5, 12))), []);
  const mushroom = meshOf(
    lathe(
      [
        [0, 0],
        [2, 0],
        [2, 8],
        [9, 8],
        [9, 10],
        [0, 10],
      ],
      64,
      false,
    ),
  );
  const under = standingOn(mushroom);
  assert.ok(under.length >= 8);
  for (const { position, normal, cause } of under) {
    assert.ok(Math.abs(position[2] - 8) < 1e-5 && Math.abs(normal[2] + 1) < 1e-6);
    assert.notEqual(cause, "MINIMUM");
  }
});

longTest("touchpoints are the same every time, and at every place on the platform", () => {
  for (const [name, mesh, orientation] of slowSample(CASES.slice(0, 9), 4)) {
    const here = supported(mesh, orientation).points;
    assert.deepEqual(supported(mesh, orientation).points, here, name);
    const there = supported(mesh, orientation, {}, [16, -32]).points;
    assert.equal(there.length, here.length, name);
    there.forEach(({ position: [x, y, z], cause }, i) => {
      assert.ok(apart([x - 16, y + 32, 0], here[i].position) < 1e-4 && Math.abs(z - here[i].position[2]) < 1e-4, name);
      assert.equal(cause, here[i].cause);
    });
  }
});

test("the search can be cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  const { placed, boundariesMm } = supported(CASES[0][1], CASES[0][2]);
  assert.throws(
    () => placeTouchpoints({ ...REACHED, placed, boundariesMm, settings: SETTINGS }, taskProgress(state)),
    CancelledError,
  );
});
