import type { Vec3 } from "../../core/geometry.ts";

/** What is done with a point: its number and where it is. */
export type Visit = (point: number, x: number, y: number, z: number) => void;

/** Points in the cells of a grid without bounds; cells far apart may share their points, which costs a look. */
export interface PlaceGrid {
  readonly cellMm: number;
  /**
   * Calls `visit` with all points in a box, and others near it or in cells that share its points; a point may come twice.
   */
  visitBox(least: Vec3, most: Vec3, visit: Visit): void;
  /** Cells and points looked at since the grid was made. */
  looks(): number;
}

/** Source: M. Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects" (2003). */
const [MIX_X, MIX_Y] = [73_856_093, 19_349_663];

/** Points, x, y, z of each, in cells of the given size. */
export function newPlaceGrid(points: Float64Array, cellMm: number): PlaceGrid {
  const count = points.length / 3;
  const mask = 2 ** Math.ceil(Math.log2(count + 1)) - 1;
  const perMm = 1 / cellMm;
  const slotOf = (i: number, j: number, k: number): number =>
    // What lies above each other stays beside each other in memory.
    ((Math.imul(i, MIX_X) ^ Math.imul(j, MIX_Y)) + k) & mask;
  const slots = new Uint32Array(count);
  const starts = new Uint32Array(mask + 2);
  for (let point = 0; point < count; point++) {
    const at = 3 * point;
    const slot = slotOf(
      Math.floor(points[at] * perMm),
      Math.floor(points[at + 1] * perMm),
      Math.floor(points[at + 2] * perMm),
    );
    slots[point] = slot;
    starts[slot + 1]++;
  }
  for (let slot = 0; slot <= mask; slot++) starts[slot + 1] += starts[slot];
  const inOrder = new Uint32Array(count);
  // Beside each other in memory, as they are looked at.
  const places = new Float64Array(points.length);
  const filled = starts.slice();
  for (let point = 0; point < count; point++) {
    const at = filled[slots[point]]++;
    inOrder[at] = point;
    for (let axis = 0; axis < 3; axis++) places[3 * at + axis] = points[3 * point + axis];
  }
  let looks = 0;
  return {
    cellMm,
    looks: () => looks,
    visitBox(least, most, visit) {
      const firstK = Math.floor(least[2] * perMm);
      const firstJ = Math.floor(least[1] * perMm);
      const lastI = Math.floor(most[0] * perMm);
      const lastJ = Math.floor(most[1] * perMm);
      const lastK = Math.floor(most[2] * perMm);
      for (let i = Math.floor(least[0] * perMm); i <= lastI; i++) {
        for (let j = firstJ; j <= lastJ; j++) {
          for (let k = firstK; k <= lastK; k++) {
            const slot = slotOf(i, j, k);
            const end = starts[slot + 1];
            looks += 1 + end - starts[slot];
            for (let at = starts[slot]; at < end; at++) {
              visit(inOrder[at], places[3 * at], places[3 * at + 1], places[3 * at + 2]);
            }
          }
        }
      }
    },
  };
}
