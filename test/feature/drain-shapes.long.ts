import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { type DrainedModel, drainModel } from "../../src/feature/drain/drain-model.ts";
import type { EulerDeg } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { type Mesh, type Surface, concatenateSurfaces, placedSurface } from "../../src/mesh/mesh.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import { checkRequest, modelBody } from "../fixture/check-request.ts";
import { denseVoxels, floodedPockets } from "../fixture/priority-flood.ts";
import { box, lathe, mug, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { tube } from "../fixture/tube.ts";
import { assertClosedManifold } from "../solid/drill/holes.ts";

// Made shapes with known least numbers of holes. Cavities are so far apart that no hole of 30 mm passes through two of them, unless said.

const UP = { x: 0, y: 0, z: 0 };
/** Which axis of the shape points up: z, −z, y, −y, x, −x. */
const POSES: readonly Partial<EulerDeg>[] = [{}, { x: 180 }, { x: 90 }, { x: -90 }, { y: -90 }, { y: 90 }];

const shell = (outer: Surface, ...cavities: Surface[]): Mesh => meshOf(outer, ...cavities.map((one) => insideOut(one)));

/** Two balls at ±`apart` on the z axis and a neck between them. */
function hourglass(radius: number, neck: number, apart: number): Surface {
  const arc = (middle: number, from: number, to: number) =>
    Array.from({ length: 13 }, (_, i): [number, number] => {
      const angle = from + ((to - from) * i) / 12;
      return [radius * Math.sin(angle), middle - radius * Math.cos(angle)];
    });
  const joint = Math.asin(neck / radius);
  const lower = arc(-apart, 0, Math.PI - joint);
  const upper = arc(apart, joint, Math.PI);
  return lathe([[0, -apart - radius], ...lower.slice(1), ...upper.slice(0, -1), [0, apart + radius]], 48, false);
}

/** Low at x 0 and ±36, high at ±18. */
const ZIGZAG: Vec3[] = [
  [-36, 0, -5],
  [-18, 0, 5],
  [0, 0, -5],
  [18, 0, 5],
  [36, 0, -5],
];
const TURN_MM = 34;
const HELIX = Array.from({ length: 73 }, (_, i): Vec3 => {
  const angle = (2 * Math.PI * i) / 24;
  return [12 * Math.cos(angle), 12 * Math.sin(angle), TURN_MM * (i / 24 - 1.5)];
});
const BALLS = [-10, 0, 10].flatMap((x) =>
  [-10, 0, 10].flatMap((y) => [-10, 0, 10].map((z) => moved(uvSphere(4, 32, 16), [x, y, z]))),
);

interface Made {
  readonly name: string;
  readonly mesh: Mesh;
  /** In the order of {@link POSES}. */
  readonly least: readonly number[];
}

const SHAPES: readonly Made[] = [
  { name: "ball", mesh: shell(uvSphere(10), uvSphere(8)), least: [2, 2, 2, 2, 2, 2] },
  { name: "cube", mesh: shell(box([30, 30, 30]), box([26, 26, 26])), least: [2, 2, 2, 2, 2, 2] },
  { name: "torus", mesh: shell(torus(15, 6), torus(15, 4)), least: [2, 2, 2, 2, 2, 2] },
  // Lying, each bulb has a cup and a pool.
  { name: "hourglass", mesh: shell(hourglass(10, 4.5, 20), hourglass(8, 2.5, 20)), least: [2, 2, 4, 4, 4, 4] },
  // Flat, one hole of 5 mm is as high as the tube; on end, it rises all the way.
  { name: "zigzag", mesh: shell(box([80, 8, 20]), tube(ZIGZAG, 2)), least: [5, 5, 1, 1, 2, 2] },
  // Turned by a quarter about its axis, both ends are beside an extremum instead of being one: one end more of each kind.
  { name: "spiral", mesh: shell(box([30, 30, 3 * TURN_MM + 10]), tube(HELIX, 2)), least: [2, 2, 8, 8, 7, 7] },
];

const CORNER: Partial<EulerDeg> = { x: 45, y: 35.264 };
const LIMITS = { diametersMm: { vent: 2, drain: 3.5 }, maxPoolMm3: 50, keepOut: { never: [], touched: [] } };

async function drained(
  mesh: Mesh,
  orientation: Partial<EulerDeg>,
): Promise<{ result: DrainedModel; before: Surface; after: Surface }> {
  const body = modelBody(0, mesh, [0, 0, 5], { orientation: { ...UP, ...orientation } });
  const [{ placed: group }] = runAtOnce(checkGroups(checkRequest([body], 0.1), 0.1));
  const result = await drainModel({ ...LIMITS, group }, noProgress);
  const { pose } = body.placed;
  return { result, before: placedSurface({ mesh, pose }), after: placedSurface({ mesh: result.mesh, pose }) };
}

/** By floods of dense voxels, which share no code with the proof of the program. */
function assertDrained({ result, before, after }: Awaited<ReturnType<typeof drained>>, name: string): void {
  assert.deepEqual(result.left, [], name);
  assertClosedManifold(result.mesh, name);
  const voxelMm = 0.25;
  for (const [sealing, limit] of [
    ["CUP", 1],
    ["POOL", LIMITS.maxPoolMm3],
  ] as const) {
    assert.ok(floodedPockets(denseVoxels(before, voxelMm), sealing)[0] > limit, `${name}: ${sealing} before`);
    const [most = 0] = floodedPockets(denseVoxels(after, voxelMm), sealing);
    assert.ok(most < limit, `${name}: ${sealing} of ${most} mm³`);
  }
}

for (const { name, mesh, least } of SHAPES) {
  test(`a ${name} drains by the least number of holes in six poses`, async () => {
    const counts: number[] = [];
    for (const [i, pose] of POSES.entries()) {
      const found = await drained(mesh, pose);
      counts.push(found.result.holes.length);
      assertDrained(found, `${name}, pose ${i}`);
    }
    assert.deepEqual(counts, least);
  });
}

test("a cube on its corner drains by two holes", async () => {
  const found = await drained(shell(box([30, 30, 30]), box([26, 26, 26])), CORNER);
  assertDrained(found, "corner");
  assert.equal(found.result.holes.length, 2);
});

for (const [i, pose] of POSES.entries()) {
  test(`27 balls in a block drain by at most a vent and a drain for each row of three, in pose ${i}`, async () => {
    const found = await drained(shell(box([32, 32, 32]), ...BALLS), pose);
    assertDrained(found, `balls, pose ${i}`);
    assert.ok(found.result.holes.length <= 18, `${found.result.holes.length} holes`);
  });
}

test("floods find what is known of bodies with a hole", () => {
  const solidOf = (...surfaces: Surface[]) => denseVoxels(concatenateSurfaces(surfaces), 0.25);
  const cavity = insideOut(box([10, 10, 10]));
  const closed = solidOf(box([14, 14, 14]), cavity);
  for (const sealing of ["CUP", "POOL"] as const) {
    const [volume, ...others] = floodedPockets(closed, sealing);
    assert.deepEqual(others, []);
    assert.ok(Math.abs(volume - 1000) < 80, `${volume}`);
  }
  // A mug that is open above is a cup until its last layer, and keeps no resin.
  const standing = solidOf(mug(5, 12));
  assert.deepEqual(floodedPockets(standing, "POOL"), []);
  const [cup, ...more] = floodedPockets(standing, "CUP");
  assert.deepEqual(more, []);
  assert.ok(Math.abs(cup - 12 * Math.PI * 25) < 60, `${cup}`);
});
