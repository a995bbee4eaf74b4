import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { sampledTests } from "../fixture/long.ts";
import { CONE, oriented, upOf } from "../fixture/orienting.ts";
import { box, cylinder, lathe } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// Orientations in which shops print parts of these kinds.

const upIn = (surface: Surface): Vec3 => upOf(oriented(meshOf(surface)));

/** A prism along z over a triangle, counter-clockwise. */
const prism = (corners: readonly (readonly [x: number, y: number])[], height: number): Surface => ({
  vertices: Float64Array.from([0, height].flatMap((z) => corners.flatMap(([x, y]) => [x, y, z]))),
  triangles: Uint32Array.of(0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5),
});

/** Degrees between a direction and the nearest coordinate axis, along which the box is aligned. */
const fromAxisDeg = (up: Vec3): number => degrees(Math.max(...up.map(Math.abs)));
const degrees = (cosine: number): number => (Math.acos(Math.min(1, Math.abs(cosine))) * 180) / Math.PI;

const BLOCKS: readonly Vec3[] = [
  [30, 30, 30],
  [98, 30, 10],
  [40, 25, 15],
  [60, 60, 20],
  [20, 70, 35],
];

for (const [size, testOne] of sampledTests(BLOCKS, 4)) {
  testOne(`a block of ${size.join(" × ")} mm is put on a face, or tilted on an edge: never on a corner`, () => {
    const up = upIn(box(size));
    assert.ok(fromAxisDeg(up) <= 30, `${up}`);
    assert.ok(
      up.some((share) => Math.abs(share) < 0.05),
      `${up}`,
    );
  });
}

test("a cone, a half ball and a wide cylinder are put on their bases", () => {
  const halfBall = lathe(
    Array.from({ length: 13 }, (_, i): [number, number] =>
      i === 12 ? [0, 20] : [20 * Math.cos((Math.PI * i) / 24), 20 * Math.sin((Math.PI * i) / 24)],
    ).toSpliced(0, 0, [0, 0]),
    48,
    false,
  );
  assert.ok(upIn(CONE)[2] > 0.9999);
  assert.ok(upIn(halfBall)[2] > 0.9999);
  assert.ok(Math.abs(upIn(cylinder(20, 40))[2]) > 0.9999);
});

test("a prism is put on one of its faces", () => {
  const corners = [
    [0, 0],
    [40, 0],
    [12, 30],
  ] as const;
  const [x, y, z] = upIn(prism(corners, 60));
  assert.ok(Math.abs(z) > 0.85 || Math.abs(z) < 0.05, `${[x, y, z]}`);
});

for (const size of [
  [110, 3, 190],
  [100, 2, 60],
  [70, 1.5, 70],
] as const) {
  test(`a plate of ${size.join(" × ")} mm leans by 8 to 30°`, () => {
    const lean = 90 - degrees(upIn(box(size))[1]);
    assert.ok(lean >= 8 && lean <= 30, `${lean}`);
  });
}

test("a disc leans by 8 to 30°", () => {
  const lean = 90 - degrees(upIn(cylinder(25, 3))[2]);
  assert.ok(lean >= 8 && lean <= 30, `${lean}`);
});

test("rods are put upright or tilted steeply, whatever their cross-sections", () => {
  for (const rod of [cylinder(4, 100), box([12, 12, 180]), box([6, 8, 120]), cylinder(1.5, 40)]) {
    const up = upIn(rod);
    assert.ok(Math.abs(up[2]) > Math.SQRT1_2, `${up}`);
  }
});

test("a ball with a hole is oriented so that it is empty, its hole near the bottom", () => {
  /** Angle from the pole at which the hole ends. */
  const rim = 0.12;
  const arc = (radius: number): [r: number, z: number][] =>
    Array.from({ length: 24 }, (_, i): [number, number] => {
      const angle = rim + ((Math.PI - rim) * i) / 24;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    }).concat([[0, radius]]);
  const ball = lathe([...arc(20), ...arc(18).toReversed()], 48, true);
  const [, , z] = upIn(ball);
  assert.ok(z > 0.9, `${z}`);
});
