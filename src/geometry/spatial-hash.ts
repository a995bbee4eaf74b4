import { bucketBy } from "./bucket-by.ts";
import type { Vec3 } from "./vector.ts";

/** Called with the index of a point and its coordinates. */
type PointVisitor = (point: number, x: number, y: number, z: number) => void;

/** Points in the cells of an unbounded grid. Cells that hash to the same slot share their points. */
interface SpatialHash {
  readonly cellMm: number;
  /** Calls `visit` with all points in a box, and with other points near it or in cells of the same slot. A point may be visited twice. */
  visitBox(min: Vec3, max: Vec3, visit: PointVisitor): void;
  /** Number of cells and points visited so far. */
  lookups(): number;
}

/** Source: M. Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects" (2003). */
const [MIX_X, MIX_Y] = [73_856_093, 19_349_663];

/** A spatial hash of points, given as x, y, z of each, with cells of the given size. */
export function newSpatialHash(points: Float64Array, cellMm: number): SpatialHash {
  const count = points.length / 3;
  const mask = 2 ** Math.ceil(Math.log2(count + 1)) - 1;
  const perMm = 1 / cellMm;
  const slotOf = (i: number, j: number, k: number): number =>
    // Not multiplied, so that cells above each other have adjacent slots, which are adjacent in memory.
    ((Math.imul(i, MIX_X) ^ Math.imul(j, MIX_Y)) + k) & mask;
  const slots = new Uint32Array(count);
  for (let point = 0; point < count; point++) {
    const at = 3 * point;
    slots[point] = slotOf(
      Math.floor(points[at] * perMm),
      Math.floor(points[at + 1] * perMm),
      Math.floor(points[at + 2] * perMm),
    );
  }
  const { starts, items } = bucketBy(slots, mask + 1);
  // Coordinates in the order of the slots: the points of a cell are adjacent in memory.
  const sorted = new Float64Array(points.length);
  for (let at = 0; at < count; at++) {
    for (let axis = 0; axis < 3; axis++) sorted[3 * at + axis] = points[3 * items[at] + axis];
  }
  let lookups = 0;
  return {
    cellMm,
    lookups: () => lookups,
    visitBox(min, max, visit) {
      const firstK = Math.floor(min[2] * perMm);
      const firstJ = Math.floor(min[1] * perMm);
      const lastI = Math.floor(max[0] * perMm);
      const lastJ = Math.floor(max[1] * perMm);
      const lastK = Math.floor(max[2] * perMm);
      for (let i = Math.floor(min[0] * perMm); i <= lastI; i++) {
        for (let j = firstJ; j <= lastJ; j++) {
          for (let k = firstK; k <= lastK; k++) {
            const slot = slotOf(i, j, k);
            const end = starts[slot + 1];
            lookups += 1 + end - starts[slot];
            for (let at = starts[slot]; at < end; at++) {
              visit(items[at], sorted[3 * at], sorted[3 * at + 1], sorted[3 * at + 2]);
            }
          }
        }
      }
    },
  };
}

/**
 * Calls `visit` with all points at most `radius` from a segment, and with other points near it. A point may be visited twice. Steps
 * along the segment's longest axis, one cell at a time.
 */
export function visitNearSegment(hash: SpatialHash, from: Vec3, to: Vec3, radius: number, visit: PointVisitor): void {
  const { cellMm } = hash;
  const direction = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
  const [x, y, z] = direction.map(Math.abs);
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const others = [(axis + 1) % 3, (axis + 2) % 3];
  const [start, length] = [from[axis], direction[axis] || 1];
  const min: [number, number, number] = [0, 0, 0];
  const max: [number, number, number] = [0, 0, 0];
  const last = Math.floor((Math.max(start, to[axis]) + radius) / cellMm);
  for (let slab = Math.floor((Math.min(start, to[axis]) - radius) / cellMm); slab <= last; slab++) {
    const enter = clampToUnit((slab * cellMm - radius - start) / length);
    const leave = clampToUnit(((slab + 1) * cellMm + radius - start) / length);
    min[axis] = max[axis] = (slab + 0.5) * cellMm;
    for (const other of others) {
      const [p, q] = [from[other] + enter * direction[other], from[other] + leave * direction[other]];
      min[other] = Math.min(p, q) - radius;
      max[other] = Math.max(p, q) + radius;
    }
    hash.visitBox(min, max, visit);
  }
}

const clampToUnit = (share: number): number => Math.min(1, Math.max(0, share));
