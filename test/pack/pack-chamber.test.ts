import assert from "node:assert/strict";
import { test } from "node:test";
import { meshTree } from "../../src/mesh/bvh/interfere.ts";
import {
  CancelledError,
  type Progress,
  STEPS_PER_REPORT,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import { IDENTITY_POSE, UPRIGHT, type Pose, rotationMatrix } from "../../src/geometry/pose.ts";
import { type Vec3, cross, dot, length, subtract } from "../../src/geometry/vector.ts";
import { type Mesh, placedSurface, triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { extentOf } from "../../src/pack/clearance.ts";
import { fillChamber } from "../../src/pack/fill-chamber.ts";
import { orientBvh } from "../../src/pack/oriented-bvh.ts";
import { type MovablePart, type PackRequest, packChamber } from "../../src/pack/pack-chamber.ts";
import { partField, rotatedSurface } from "../../src/pack/part-shape.ts";
import { inBounds } from "../../src/layout/bounds.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { type Corners, cornersOfFacets, distanceToFacet } from "../fixture/facet-distance.ts";
import { longTest, slowCases, slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, lathe, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const TOLERANCE_MM = 1e-3;
const REGION = { min: [-30, -30, 0], max: [30, 30, 90], filletRadiusMm: 8 } as const;
const movable = (mesh: Mesh, turns: MovablePart["turns"] = "all", pose: Pose = IDENTITY_POSE): MovablePart => ({
  mesh,
  pose,
  turns,
});

const request = (parts: readonly MovablePart[], changes: Partial<PackRequest> = {}): PackRequest => ({
  parts,
  obstacles: [],
  region: REGION,
  spacingMm: 2,
  wallDistanceMm: 0,
  ...changes,
});

/** The distance of two lines if it is attained within both edges, else Infinity. */
function edgeDistance([p, q]: readonly [Vec3, Vec3], [r, s]: readonly [Vec3, Vec3]): number {
  const [u, v, w] = [subtract(q, p), subtract(s, r), subtract(r, p)];
  const normal = cross(u, v);
  const squared = dot(normal, normal);
  if (squared < 1e-12) return Infinity;
  const along = dot(cross(w, v), normal) / squared;
  const other = dot(cross(w, u), normal) / squared;
  if (along < 0 || along > 1 || other < 0 || other > 1) return Infinity;
  return Math.abs(dot(w, normal)) / length(normal);
}

const edgesOf = ([a, b, c]: Corners) => [[a, b] as const, [b, c] as const, [c, a] as const];

/** The least distance of the facets of two meshes, by all pairs of a corner and a facet and of two edges; for meshes that do not intersect. */
function gapBetween(a: readonly Corners[], b: readonly Corners[]): number {
  let least = Infinity;
  for (const one of a) {
    for (const other of b) {
      for (const corner of one) least = Math.min(least, distanceToFacet(corner, other));
      for (const corner of other) least = Math.min(least, distanceToFacet(corner, one));
      for (const p of edgesOf(one)) for (const q of edgesOf(other)) least = Math.min(least, edgeDistance(p, q));
    }
  }
  return least;
}

const facetsOf = (placed: PlacedMesh): Corners[] => cornersOfFacets(placedSurface(placed));

/** Asserts that the placed meshes keep the spacing; the first `fixed` may be near each other. */
function assertApart(placed: readonly PlacedMesh[], spacingMm: number, fixed = 0): void {
  const facets = placed.map(facetsOf);
  for (const [i, a] of facets.entries()) {
    for (const [j, b] of facets.slice(0, i).entries()) {
      if (i < fixed) continue;
      const gap = gapBetween(a, b);
      assert.ok(gap >= spacingMm - TOLERANCE_MM, `${i} and ${j} are ${gap} mm apart instead of ${spacingMm}`);
    }
  }
}

/** Asserts that a placed mesh is in the region, whose middle is at zero. */
function assertInside({ mesh, pose }: PlacedMesh, { min, max, filletRadiusMm }: PackRequest["region"]): void {
  const volume = { dimensionsMm: [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as const, filletRadiusMm };
  assert.ok(inBounds(outlineOf(mesh, rotationMatrix(pose.orientation)), pose, volume));
}

const SHAPES = [box([12, 8, 20]), box([25, 3, 9]), tetrahedron(18), torus(8, 2, 10, 5)].map((shape) => meshOf(shape));

/** 30 scenes, by their seeds. */
const BATCHES = Array.from({ length: 6 }, (_, i) => Array.from({ length: 5 }, (_, k) => 5 * i + k));

longTest(
  "parts keep the spacing to each other and to obstacles inside the rounded region, in the same packing each time",
  () => {
    for (const scene of slowCases(BATCHES).flat()) {
      const random = randomFrom(scene);
      const parts = Array.from({ length: 8 }, () => {
        const scale = 0.6 + 0.6 * random();
        const orientation = { x: 90 * random(), y: 90 * random(), z: 90 * random() };
        const turns = (["all", "z-and-flip", "z", "none"] as const)[Math.floor(4 * random())];
        return movable(SHAPES[Math.floor(4 * random())], turns, { ...IDENTITY_POSE, orientation, scale });
      });
      const obstacles = [{ mesh: SHAPES[0], pose: { ...IDENTITY_POSE, position: [5, -8, 12] as const } }];
      const spacingMm = [0, 0.3, 1, 2, 5][scene % 5];
      const balance = scene % 2 === 0 ? { heightMm: 200, weight: 0.5, tilts: true } : undefined;
      const packed = request(parts, { obstacles, spacingMm, ...(balance && { balance }) });
      const packing = packChamber(packed, noProgress);
      const placed = parts.flatMap(({ mesh }, i) => (packing.poses[i] ? [{ mesh, pose: packing.poses[i] }] : []));
      assert.equal(packing.placed, 8);
      assertApart([...obstacles, ...placed], spacingMm, 1);
      for (const one of placed) assertInside(one, REGION);
      if (scene === 0) assert.deepEqual(packChamber(packed, noProgress), packing);
    }
  },
);

test("if not all parts fit, as many as possible are placed, and the distance from walls is kept", () => {
  const cubes = Array.from({ length: 12 }, () => movable(meshOf(box([28, 28, 28]))));
  const sharp = { ...REGION, filletRadiusMm: 0 };
  const { placed, poses } = packChamber(request(cubes, { region: sharp }), noProgress);
  assert.equal(placed, 12);
  assert.ok(poses.every((pose) => pose));
  assert.equal(packChamber(request([...cubes, cubes[0]], { region: sharp }), noProgress).placed, 12);
  const narrow = packChamber(request(cubes.slice(0, 4), { region: sharp, wallDistanceMm: 1.9 }), noProgress);
  assert.equal(narrow.placed, 3);
});

test("a part that may not turn keeps its exact orientation, one that may spin stays upright", () => {
  const orientation = { x: 12, y: 34, z: 56 };
  const pose = { ...IDENTITY_POSE, orientation };
  const { poses } = packChamber(request([movable(SHAPES[0], "none", pose), movable(SHAPES[1], "z")]), noProgress);
  assert.deepEqual(poses[0]?.orientation, orientation);
  assert.deepEqual({ ...poses[1]?.orientation, z: 0 }, UPRIGHT);
});

test("nothing is placed in a closed cavity", () => {
  const shell = meshOf(box([40, 40, 40]), { ...box([36, 36, 36]), triangles: box([1, 1, 1]).triangles.toReversed() });
  const { poses } = packChamber(request([movable(shell, "none"), movable(meshOf(box([10, 10, 10])))]), noProgress);
  assert.ok(poses[0] && poses[1]);
  assert.ok(poses[1].position.some((value, axis) => Math.abs(value - poses[0]!.position[axis]) > 24));
});

test("no part is placed where the only way out is through thin walls, also without a spacing", () => {
  // A can of 26 mm with a hole in its lid, and walls at all positions relative to the cells.
  const shapes = Array.from({ length: slowRuns(24) }, (_, i) => [0.1 + 0.05 * (i % 3), 26 + i / 24] as const);
  for (const [wall, height] of shapes) {
    const profile = [
      [0, 0],
      [18.6, 0],
      [18.6, height],
      [2.8, height],
      [2.8, height - wall],
      [18.6 - wall * Math.SQRT2, height - wall],
      [18.6 - wall * Math.SQRT2, wall],
      [0, wall],
    ] as const;
    const can = movable(meshOf(lathe(profile, 4, false)), "none", {
      ...IDENTITY_POSE,
      orientation: { x: 0, y: 0, z: 45 },
    });
    const side = 18.6 * Math.SQRT1_2 + 0.01;
    const region = { min: [-side, -side, 0], max: [side, side, 60], filletRadiusMm: 0 } as const;
    const ball = movable(meshOf(uvSphere(5, 24, 12)), "none");
    const { poses } = packChamber(request([can, ball], { region, spacingMm: 0 }), noProgress);
    assert.ok(poses[1]!.position[2] > poses[0]!.position[2] + height / 2, `walls of ${wall} mm, ${height} mm high`);
  }
});

test("a chamber is filled with copies in turn until no further one fits", () => {
  const sources = [box([27, 27, 27]), box([13, 13, 27])].map((shape) => ({ ...movable(meshOf(shape)), moves: true }));
  const region = { min: [-30, -30, 0], max: [30, 30, 58], filletRadiusMm: 0 } as const;
  const chamber = { sources, obstacles: [], region, spacingMm: 2, wallDistanceMm: 0 };
  const filling = fillChamber({ ...chamber, maxCopies: 100 }, noProgress);
  const placed = filling.sources.flatMap(({ pose, copies }, i) =>
    [pose!, ...copies].map((one) => ({ mesh: sources[i].mesh, pose: one })),
  );
  assertApart(placed, 2);
  const [large, small] = filling.sources.map(({ copies }) => 1 + copies.length);
  // Eight cells of 27 mm, each with room for one large part or two small ones.
  assert.ok(large + small / 2 >= 7 && Math.abs(large - small) <= 6, `${large} and ${small}`);
  const capped = fillChamber({ ...chamber, maxCopies: 3 }, noProgress);
  assert.equal(
    capped.sources.reduce((sum, { copies }) => sum + copies.length, 0),
    3,
  );
});

test("packing reports progress, and stops when it is cancelled", () => {
  const parts = SHAPES.map((mesh) => movable(mesh));
  const state = newTaskState();
  packChamber(request(parts), taskProgress(state));
  assert.ok(readProgress(state) > 0.9);
  cancelTask(state);
  assert.throws(() => packChamber(request(parts), taskProgress(state)), CancelledError);
});

/** Counts the reports of a kernel, and cancels it at one of them. */
function countingProgress(cancelAt = Infinity): Progress & { readonly count: () => number } {
  let reports = 0;
  const progress = {
    report() {
      reports++;
      if (reports >= cancelAt) throw new CancelledError();
    },
    part: () => progress,
    silent: () => progress,
    count: () => reports,
  };
  return progress;
}

longTest("each stage of a part with many facets reports about every 65,536 of them", () => {
  const mesh = meshOf(uvSphere(20, 500, 250));
  const facets = triangleCount(mesh);
  const { tree } = meshTree(mesh, noProgress);
  const surface = rotatedSurface(mesh, rotationMatrix(UPRIGHT), 1, noProgress);
  const stages: Readonly<Record<string, (progress: Progress) => unknown>> = {
    tree: (progress) => meshTree(mesh, progress),
    "turned tree": (progress) => orientBvh(tree, mesh, { x: 10, y: 20, z: 30 }, 1, progress),
    extent: (progress) => extentOf(mesh, IDENTITY_POSE, progress),
    surface: (progress) => rotatedSurface(mesh, rotationMatrix(UPRIGHT), 1, progress),
    field: (progress) => partField(surface, mesh.box, 0.5, 3, progress),
  };
  for (const [name, stage] of Object.entries(stages)) {
    const progress = countingProgress();
    stage(progress);
    const least = Math.floor((name === "surface" ? vertexCount(mesh) : facets) / STEPS_PER_REPORT);
    assert.ok(progress.count() >= least, `${name}: ${progress.count()} reports`);
  }
});

test("a cancel at any report ends the packing there", () => {
  const packed = request([...SHAPES, ...SHAPES].map((mesh) => movable(mesh)));
  // Another packing first, because the results for the same parts would be reused.
  const other = request([movable(SHAPES[0])]);
  packChamber(other, noProgress);
  const whole = countingProgress();
  packChamber(packed, whole);
  assert.ok(whole.count() > 500, `${whole.count()} reports`);
  for (let cancelAt = 1; cancelAt < whole.count(); cancelAt = Math.ceil(1.7 * cancelAt)) {
    packChamber(other, noProgress);
    const progress = countingProgress(cancelAt);
    assert.throws(() => packChamber(packed, progress), CancelledError);
    assert.equal(progress.count(), cancelAt);
  }
});

test("a packing after one of other parts is that of a fresh thread; required parts come first, or end it", () => {
  const parts = [box([20, 30, 12]), torus(12, 4), uvSphere(8), box([31, 9, 25])].map((shape) => movable(meshOf(shape)));
  const fresh = (some: readonly MovablePart[], changes: Partial<PackRequest> = {}) => {
    packChamber(request([movable(meshOf(box([3, 3, 3])))], { spacingMm: 1 }), noProgress);
    return packChamber(request(some, changes), noProgress);
  };
  const [alone, three] = [fresh(parts), fresh(parts.slice(1))];
  packChamber(request(parts.slice(0, 2)), noProgress);
  assert.deepEqual(packChamber(request(parts), noProgress), alone);
  assert.deepEqual(packChamber(request(parts.slice(1)), noProgress), three);
  const [small, large] = [movable(meshOf(box([10, 10, 10]))), movable(meshOf(box([50, 50, 80])))];
  const first = fresh([small, large], { required: 1 });
  assert.deepEqual(first.poses[0], fresh([small]).poses[0]);
  assert.equal(fresh([small, large], { required: 0 }).poses[0]?.position[2] === first.poses[0]?.position[2], false);
  const both = [large, movable(meshOf(box([50, 50, 81]))), small];
  assert.deepEqual(
    fresh(both, { required: 2 }).poses.map((pose) => pose !== undefined),
    [false, true, false],
  );
});
