import { type Mat3, subtract, times, type Vec3 } from "../../core/geometry.ts";
import { transposed, turn } from "../pose.ts";
import type { FacetTree } from "./facet-tree.ts";

/** A tree of facets that stand elsewhere: point p of the tree at scale · rotation · p + offset. */
export interface PlacedTree {
  readonly tree: FacetTree;
  readonly rotation: Mat3;
  readonly scale: number;
  readonly offset: Vec3;
}

/** Where the point of a tree is that stands at `point`. */
export const pointOfTree = ({ rotation, scale, offset }: PlacedTree, point: Vec3): Vec3 =>
  times(turn(transposed(rotation), subtract(point, offset)), 1 / scale);

/** Writes the corners of the facet at a place of the tree, where they stand, from `to` on. */
export function placeFacet(placed: PlacedTree, place: number, corners: Float32Array, to: number): void {
  const from = placed.tree.corners;
  const [a, b, c, d, e, f, g, h, k] = placed.rotation;
  const [u, v, w] = placed.offset;
  const { scale } = placed;
  for (let corner = 0; corner < 9; corner += 3) {
    const x = scale * from[9 * place + corner];
    const y = scale * from[9 * place + corner + 1];
    const z = scale * from[9 * place + corner + 2];
    corners[to + corner] = a * x + b * y + c * z + u;
    corners[to + corner + 1] = d * x + e * y + f * z + v;
    corners[to + corner + 2] = g * x + h * y + k * z + w;
  }
}

/** Writes a box around the box of a node, where it stands: least x, y, z and greatest x, y, z. */
export function placeNodeBox({ tree, rotation, scale, offset }: PlacedTree, node: number, box: Float64Array): void {
  const { boxes } = tree;
  const half = scale / 2;
  const x = half * (boxes[6 * node] + boxes[6 * node + 3]);
  const y = half * (boxes[6 * node + 1] + boxes[6 * node + 4]);
  const z = half * (boxes[6 * node + 2] + boxes[6 * node + 5]);
  const w = half * (boxes[6 * node + 3] - boxes[6 * node]);
  const d = half * (boxes[6 * node + 4] - boxes[6 * node + 1]);
  const h = half * (boxes[6 * node + 5] - boxes[6 * node + 2]);
  for (let axis = 0; axis < 3; axis++) {
    const p = rotation[3 * axis];
    const q = rotation[3 * axis + 1];
    const r = rotation[3 * axis + 2];
    const middle = p * x + q * y + r * z + offset[axis];
    const reach = Math.abs(p) * w + Math.abs(q) * d + Math.abs(r) * h;
    box[axis] = middle - reach;
    box[axis + 3] = middle + reach;
  }
}
