import assert from "node:assert/strict";
import { test } from "node:test";
import { rotationMatrix } from "../../src/geometry/pose.ts";
import type { Mat3, Vec3 } from "../../src/geometry/vector.ts";
import type { PartVoxels } from "../../src/orient/part-voxels.ts";
import { partSurface } from "../../src/orient/part-surface.ts";
import { voxelizeWalls } from "../../src/orient/voxelize-walls.ts";
import { fc } from "../fixture/property.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { subdivided } from "../fixture/surface-edits.ts";
import { slowRuns } from "../fixture/long.ts";

const SIDE_MM = 0.9;
const COUNT = 16;
/** Lines that enter less deeply may cross or not, depending on rounding. */
const GRAZING_MM = 1e-6;

const gridOf = (frame: Mat3): PartVoxels => {
  const first = (-(COUNT - 1) / 2) * SIDE_MM;
  return {
    kinds: new Uint8Array(COUNT ** 3),
    columns: COUNT,
    rows: COUNT,
    layers: COUNT,
    voxelMm: SIDE_MM,
    frame,
    origin: [first, first, first],
  };
};

/** The centre of a voxel, in the axes of the part. */
const middleOf = ({ frame, origin }: PartVoxels, index: readonly number[]): number[] =>
  [0, 1, 2].map((axis) =>
    index.reduce((sum, count, i) => sum + frame[3 * i + axis] * (origin[i] + count * SIDE_MM), 0),
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
  fc.record({ x: angle, y: angle, z: angle }).map((turn) => rotationMatrix(turn)),
  fc.constant<Mat3>([1, 0, 0, 0, 1, 0, 0, 0, 1]),
  fc.constant<Mat3>([0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1]),
);
/** Boxes, also with walls thinner than a voxel. */
const size = fc.oneof(fc.double({ min: 0.05, max: 8, noNaN: true }), fc.constantFrom(0.9, 1.8, 4.5, 7.2));

test("no step between centres of unmarked voxels crosses the surface, and all marked voxels touch it", () => {
  fc.assert(
    fc.property(frames, fc.tuple(size, size, size), fc.boolean(), (frame, sizes, isFine) => {
      const shape = box(sizes);
      const voxels = gridOf(frame);
      voxelizeWalls(voxels, partSurface(meshOf(isFine ? subdivided(shape) : shape), 1), 1);
      const isMarked = ([x, y, z]: readonly number[]): boolean => voxels.kinds[(z * COUNT + y) * COUNT + x] === 1;
      for (let at = 0; at < voxels.kinds.length; at++) {
        const index = [at % COUNT, Math.floor(at / COUNT) % COUNT, Math.floor(at / COUNT ** 2)];
        const middle = middleOf(voxels, index);
        for (let axis = 0; axis < 3; axis++) {
          const next = index.with(axis, index[axis] + 1);
          if (next[axis] === COUNT || isMarked(index) || isMarked(next)) continue;
          assert.ok(!crosses(middle, middleOf(voxels, next), sizes), `${index} to ${next}`);
        }
        if (isMarked(index)) {
          const beyond = middle.map((value, axis) => Math.abs(value) - sizes[axis] / 2);
          const reach = (Math.sqrt(3) / 2 + 1e-6) * SIDE_MM;
          assert.ok(Math.max(...beyond) <= reach && Math.max(...beyond) >= -reach, `${index}`);
        }
      }
    }),
    { numRuns: slowRuns(60) },
  );
});
