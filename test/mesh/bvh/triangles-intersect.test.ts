import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../../fixture/property.ts";
import { trianglesIntersect } from "../../../src/mesh/bvh/triangles-intersect.ts";

/** A point in exact fractions: x, y and z are divided by the last number, which is positive. */
type Place = readonly [bigint, bigint, bigint, bigint];
type Facet = readonly number[];

const cross = (a: readonly bigint[], b: readonly bigint[]): bigint[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: readonly bigint[], b: readonly bigint[]): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: readonly bigint[], b: readonly bigint[]): bigint[] => [0, 1, 2].map((axis) => a[axis] - b[axis]);

const cornersOf = (facet: Facet): bigint[][] => [0, 3, 6].map((at) => facet.slice(at, at + 3).map(BigInt));

/** Half-spaces n · p ≥ d that bound a facet: those of its edges, and those on both sides of its plane. */
function planesOf(facet: Facet): { edges: [bigint[], bigint][]; own: [bigint[], bigint] } {
  const [a, b, c] = cornersOf(facet);
  const normal = cross(minus(b, a), minus(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ].map(([p, q]): [bigint[], bigint] => {
    const inward = cross(normal, minus(q, p));
    return [inward, dot(inward, p)];
  });
  return { edges, own: [normal, dot(normal, a)] };
}

const height = ([normal, d]: [bigint[], bigint], p: Place): bigint => dot(normal, p) - d * p[3];

/** The part of a convex polygon, which may be a segment or a point, whose height is not negative. */
function clipped(polygon: readonly Place[], plane: [bigint[], bigint]): Place[] {
  const kept: Place[] = [];
  for (const [i, p] of polygon.entries()) {
    const q = polygon[(i + 1) % polygon.length];
    const [hp, hq] = [height(plane, p), height(plane, q)];
    if (hp >= 0n) kept.push(p);
    if (hp * hq >= 0n) continue;
    // The point at which the two heights, each divided by the scale of its point, cancel out.
    const [u, v] = hp > 0n ? [-hq, hp] : [hq, -hp];
    kept.push([0, 1, 2, 3].map((axis) => u * p[axis] + v * q[axis]) as unknown as Place);
  }
  return kept;
}

const middleOf = (polygon: readonly Place[]): Place => {
  let [x, y, z, w]: [bigint, bigint, bigint, bigint] = [0n, 0n, 0n, 1n];
  for (const p of polygon) [x, y, z, w] = [x * p[3] + p[0] * w, y * p[3] + p[1] * w, z * p[3] + p[2] * w, w * p[3]];
  return [x, y, z, w * BigInt(polygon.length)];
};

/** The same result from cutting one facet with the planes of the other, in fractions. */
function crossInFractions(a: Facet, b: Facet): boolean {
  const [inA, inB] = [planesOf(a), planesOf(b)];
  if ([inA, inB].every(({ own: [normal] }) => normal.some((value) => value !== 0n)) === false) return false;
  const {
    edges,
    own: [normal, d],
  } = inA;
  let both: Place[] = cornersOf(b).map(([x, y, z]): Place => [x, y, z, 1n]);
  for (const plane of [...edges, inA.own, [normal.map((value) => -value), -d] as [bigint[], bigint]]) {
    both = clipped(both, plane);
  }
  if (both.length === 0) return false;
  // The middle of all common points is inside a facet if any of these points is.
  const middle = middleOf(both);
  return [inA, inB].some((planes) => planes.edges.every((plane) => height(plane, middle) > 0n));
}

const crosses = (a: Facet, b: Facet): boolean => trianglesIntersect(Float32Array.from(a), 0, Float32Array.from(b), 0);

const facet = (most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: most }), { minLength: 9, maxLength: 9 });

/** The facet from corner `first` on, forward or backward. */
const turned = (of: Facet, first: number, isBackward: boolean): number[] =>
  [0, 1, 2].flatMap((corner) => {
    const at = 3 * ((first + (isBackward ? 3 - corner : corner)) % 3);
    return of.slice(at, at + 3);
  });

for (const most of [1, 2, 4, 1000]) {
  test(`triangles on a grid of ${most + 1} agree with clipping in exact fractions`, () => {
    fc.assert(
      fc.property(facet(most), facet(most), fc.nat(2), fc.nat(2), fc.boolean(), fc.boolean(), (a, b, i, j, s, t) => {
        const expected = crossInFractions(a, b);
        assert.equal(crosses(turned(a, i, s), turned(b, j, t)), expected);
        assert.equal(crosses(turned(b, j, t), turned(a, i, s)), expected);
      }),
      { numRuns: 4000 },
    );
  });
}

test("the grids contain many triangles of both kinds", () => {
  for (const most of [2, 4]) {
    const pairs = fc.sample(fc.tuple(facet(most), facet(most)), { numRuns: 2000 });
    const crossing = pairs.filter(([a, b]) => crossInFractions(a, b)).length;
    assert.ok(crossing > 100 && crossing < 1900, `${crossing} of 2,000`);
  }
});

const FLOOR = [0, 0, 0, 4, 0, 0, 0, 4, 0];

test("known pairs of triangles intersect or not as expected", () => {
  const cases: [string, Facet, boolean][] = [
    ["passes through", [1, 1, -1, 1, 1, 1, 2, 1, 1], true],
    ["ends above", [1, 1, 0.001, 1, 1, 1, 2, 1, 1], false],
    ["stands on it with a corner", [1, 1, 0, 1, 1, 1, 2, 1, 1], true],
    ["stands on it with an edge", [1, 1, 0, 2, 1, 0, 1, 1, 1], true],
    ["stands on its rim", [1, 0, 0, 2, 0, 0, 1, 0, 1], false],
    ["shares an edge", [0, 0, 0, 4, 0, 0, 0, 0, 3], false],
    ["shares an edge and lies beside it", [0, 0, 0, 4, 0, 0, 1, -3, 0], false],
    ["shares an edge and is folded onto it", [0, 0, 0, 4, 0, 0, 1, 1, 0], true],
    ["shares an edge and is folded over it", [0, 0, 0, 4, 0, 0, 5, 9, 0], true],
    ["is the same facet turned over", [0, 0, 0, 0, 4, 0, 4, 0, 0], true],
    ["shares a corner and stands on it", [0, 0, 0, 0, 0, 3, -1, 0, 3], false],
    ["shares a corner and passes through", [0, 0, 0, 2, 2, -1, 2, 2, 1], true],
    ["shares a corner and lies beside it", [0, 0, 0, -1, 0, 0, 0, -1, 0], false],
    ["shares a corner and overlaps", [0, 0, 0, 3, 1, 0, 1, 3, 0], true],
    ["has no area and passes through", [1, 1, -1, 1, 1, 1, 1, 1, 2], false],
  ];
  for (const [what, other, expected] of cases) assert.equal(crosses(FLOOR, other), expected, what);
});

test("a change of the last bit decides the result", () => {
  const up = (value: number): number => {
    const bits = Int32Array.from([0]);
    const single = new Float32Array(bits.buffer);
    single[0] = value;
    bits[0]++;
    return single[0];
  };
  // z = x / 3 + y / 7, and needles that end on it or near it.
  const slope = [0, 0, 0, 21, 0, 7, 0, 21, 3];
  assert.equal(crosses(slope, [5.25, 5.25, 2.5, 5, 5, 9, 6, 5, 9]), true);
  assert.equal(crosses(slope, [5.25, 5.25, up(2.5), 5, 5, 9, 6, 5, 9]), false);
  assert.equal(crosses(slope, [10.5, 10.5, 5, 5, 5, 9, 6, 5, 9]), false, "it ends on the rim");
});
