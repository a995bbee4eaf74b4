import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ball } from "../../../src/geometry/vector.ts";
import { criticalLoad, freeLengths, isSlender } from "../../../src/support/tree/buckling.ts";
import type { Strut, SupportTree } from "../../../src/support/tree/support-tree.ts";

/** E · I of a strut, N mm²: E is 1.6 GPa, and I is that of a regular octagon with this circumscribed circle. */
const stiffness = (radiusMm: number): number =>
  1600 * (8 / 24) * Math.sin(Math.PI / 4) * (2 + Math.cos(Math.PI / 4)) * radiusMm ** 4;

const ball = (z: number, radiusMm: number, x = 0): Ball => ({ centre: [x, 0, z], radiusMm });

const near = (actual: number, expected: number, share: number): void =>
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} instead of ${expected}`);

test("a straight column buckles at Euler's load: π² · E · I / L² between hinges, a quarter of it if its top is free", () => {
  for (const [lengthMm, radiusMm] of [
    [10, 0.4],
    [60, 0.4],
    [120, 1.5],
  ] as const) {
    const euler = (Math.PI ** 2 * stiffness(radiusMm)) / lengthMm ** 2;
    const column = [ball(lengthMm, radiusMm), ball(0, radiusMm)];
    near(criticalLoad(column, false), euler, 2e-3);
    near(criticalLoad(column, true), euler / 4, 2e-3);
    const inPieces = [ball(lengthMm, radiusMm), ball(0.3 * lengthMm, radiusMm), ball(0, radiusMm)];
    near(criticalLoad(inPieces, false), euler, 2e-3);
  }
});

test("a column is slender above half of Euler's load, so that pillars bear twice their load", () => {
  for (const [lengthMm, radiusMm, isFree] of [
    [30, 0.4, false],
    [60, 0.8, true],
  ] as const) {
    const euler = (Math.PI ** 2 * stiffness(radiusMm)) / (isFree ? 2 * lengthMm : lengthMm) ** 2;
    const column = { struts: [0], nodes: [0, 1], balls: [ball(lengthMm, radiusMm), ball(0, radiusMm)], isFree };
    assert.equal(isSlender({ ...column, loadN: (euler / 2) * 0.99 }), false);
    assert.equal(isSlender({ ...column, loadN: (euler / 2) * 1.01 }), true);
  }
});

test("a cone buckles at Dinnik's load: that of a straight column of the geometric mean of its end radii", () => {
  for (const [top, bottom] of [
    [0.4, 0.8],
    [0.4, 1.6],
    [1.2, 0.5],
  ] as const) {
    const expected = (Math.PI ** 2 * stiffness(Math.sqrt(top * bottom))) / 50 ** 2;
    near(criticalLoad([ball(50, top), ball(0, bottom)], false), expected, 1e-2);
  }
});

/** A tree of balls whose struts and feet are given by indices; the first balls are its touches. */
const treeOf = (
  balls: readonly Ball[],
  touches: number,
  struts: readonly Strut[],
  feet: readonly number[],
): SupportTree => ({
  nodes: Float64Array.from(balls.flatMap(({ centre, radiusMm }) => [...centre, radiusMm])),
  struts,
  feet: feet.map((node) => ({ node, on: "GROUND" })),
  touches: Int32Array.from({ length: touches }, (_, i) => i),
});

const pillar = (from: number, to: number): Strut => ({ from, to, kind: "PILLAR" });

test("free lengths extend across bends, end at joints, and bear the loads above them; braces bear 2 % of these", () => {
  const balls = [
    ball(40, 0.3),
    ball(40, 0.3, 4),
    ball(40, 0.3, 20),
    ball(30, 0.4, 2),
    ball(20, 0.4, 2),
    ball(0, 0.5, 3),
    ball(5, 0.4, 20),
    ball(0, 0.5, 20),
  ];
  const struts: Strut[] = [pillar(0, 3), pillar(1, 3), pillar(3, 4), pillar(4, 5), pillar(2, 6), pillar(6, 7)];
  const tree = treeOf(balls, 3, [...struts, { from: 4, to: 6, kind: "BRACE" }], [5, 7]);
  const loads = Float64Array.of(1, 2, 5);
  const lengths = freeLengths(tree, loads);
  assert.deepEqual(
    lengths.map(({ nodes }) => nodes),
    [
      [0, 3],
      [1, 3],
      [3, 4],
      [4, 5],
      [2, 6],
      [6, 7],
      [4, 6],
    ],
  );
  near(lengths[3].loadN, 3 * Math.sqrt(1 + 1 / 400), 1e-9);
  near(lengths[4].loadN, 5, 1e-9);
  near(lengths[6].loadN, 0.02 * 5 * Math.sqrt(1 + (18 / 15) ** 2), 1e-9);
  const unbraced = freeLengths({ ...tree, struts }, loads).map(({ nodes }) => nodes);
  assert.deepEqual(unbraced, [
    [0, 3],
    [1, 3],
    [3, 4, 5],
    [2, 6, 7],
  ]);
});

test("the pillars of a model on one or two feet, or on a row of feet, buckle as if twice as long, because the model can tilt", () => {
  const standing = (places: readonly (readonly [x: number, y: number])[]): boolean[] => {
    const balls = [30, 0].flatMap((z) => places.map(([x, y]): Ball => ({ centre: [x, y, z], radiusMm: 0.5 })));
    const [tops, feet] = [0, places.length].map((first) => places.map((_, i) => first + i));
    const struts = tops.map((top, i) => pillar(top, feet[i]));
    return freeLengths(treeOf(balls, places.length, struts, feet), new Float64Array(places.length)).map(
      ({ isFree }) => isFree,
    );
  };
  assert.deepEqual(standing([[0, 0]]), [true]);
  assert.deepEqual(
    standing([
      [0, 0],
      [20, 0],
    ]),
    [true, true],
  );
  assert.ok(
    standing([
      [0, 0],
      [20, 0],
      [10, 1],
      [40, 0],
    ]).every((isFree) => isFree),
  );
  assert.ok(
    standing([
      [0, 0],
      [20, 0],
      [10, 8],
    ]).every((isFree) => !isFree),
  );
});
