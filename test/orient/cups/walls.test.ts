import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Mat3, Vec3 } from "../../../src/core/geometry.ts";
import { toMatrix } from "../../../src/mesh/pose.ts";
import type { Cubes } from "../../../src/orient/cups/cubes.ts";
import { markWalls } from "../../../src/orient/cups/walls.ts";
import { partOf } from "../../../src/orient/form/part.ts";
import { subdivided } from "../../fixture/altered.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const SIDE_MM = 0.9;
const COUNT = 16;
/** Lines that come no farther inside may pass or not, by rounding. */
const GRAZING_MM = 1e-6;

const gridOf = (frame: Mat3): Cubes => {
  const first = (-(COUNT - 1) / 2) * SIDE_MM;
  return {
    kinds: new Uint8Array(COUNT ** 3),
    columns: COUNT,
    rows: COUNT,
    levels: COUNT,
    sideMm: SIDE_MM,
    frame,
    firstMm: [first, first, first],
  };
};

/** The middle of a cube, in the axes of the part. */
const middleOf = ({ frame, firstMm }: Cubes, index: readonly number[]): number[] =>
  [0, 1, 2].map((axis) =>
    index.reduce((sum, count, i) => sum + frame[3 * i + axis] * (firstMm[i] + count * SIDE_MM), 0),
  );

/** Whether the line between two points meets the surface of a box about the origin, by clipping it to the box. */
function crosses(from: readonly number[], to: readonly number[], sizes: Vec3): boolean {
  let [first, last] = [-Infinity, Infinity];
  sizes.forEach((size, axis) => {
    const [p, d] = [from[axis], to[axis] - from[axis]];
    const half = size / 2 - GRAZING_MM;
    const ends = [(-half - p) / d, (half - p) / d];
    first = Math.max(first, Math.min(...ends));
    last = Math.min(last, Math.max(...ends));
  });
  return first < last && ((first > 0 && first < 1) || (last > 0 && last < 1));
}

const angle = fc.double({ min: -180, max: 180, noNaN: true });
const frames = fc.oneof(
  fc.record({ x: angle, y: angle, z: angle }).map((turn) => toMatrix(turn)),
  fc.constant<Mat3>([1, 0, 0, 0, 1, 0, 0, 0, 1]),
  fc.constant<Mat3>([0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]),
);
/** Also walls thinner than a cube. */
const size = fc.oneof(fc.double({ min: 0.05, max: 8, noNaN: true }), fc.constantFrom(0.9, 1.8, 4.5, 7.2));

test("no step between middles of cubes crosses the surface unmarked, and all that is marked is touched", () => {
  fc.assert(
    fc.property(frames, fc.tuple(size, size, size), fc.boolean(), (frame, sizes, isFine) => {
      const shape = box(sizes);
      const cubes = gridOf(frame);
      markWalls(cubes, partOf(meshOf(isFine ? subdivided(shape) : shape), 1), 1);
      const isMarked = ([x, y, z]: readonly number[]): boolean => cubes.kinds[(z * COUNT + y) * COUNT + x] === 1;
      for (let at = 0; at < cubes.kinds.length; at++) {
        const index = [at % COUNT, Math.floor(at / COUNT) % COUNT, Math.floor(at / COUNT ** 2)];
        const middle = middleOf(cubes, index);
        for (let axis = 0; axis < 3; axis++) {
          const next = index.with(axis, index[axis] + 1);
          if (next[axis] === COUNT || isMarked(index) || isMarked(next)) continue;
          assert.ok(!crosses(middle, middleOf(cubes, next), sizes), `${index} to ${next}`);
        }
        if (isMarked(index)) {
          const beyond = middle.map((value, axis) => Math.abs(value) - sizes[axis] / 2);
          const reach = (Math.sqrt(3) / 2 + 1e-6) * SIDE_MM;
          assert.ok(Math.max(...beyond) <= reach && Math.max(...beyond) >= -reach, `${index}`);
        }
      }
    }),
    { numRuns: 60 },
  );
});
