import type { Vec3 } from "../../core/geometry.ts";
import { type FacetTree, MAX_DEPTH } from "../bvh/facet-tree.ts";
import { newAngleSum } from "./angle-sum.ts";

/** The generalised winding number of a point: how often facets go around it, in fractions where they leave gaps. */
export type SolidAngles = (point: Vec3, isLeftOut?: (facet: number) => boolean) => number;

/**
 * Facets so many times farther away than their radius count as a whole. Off by 0.02 at most about one body, by 0.07 in a heap
 * of a hundred.
 */
const FAR_RADII = 3;

const stack = new Uint32Array(MAX_DEPTH);
const near = newAngleSum();

/** A tree of facets, and of each node what those in it are from afar. */
export interface AngleTree {
  readonly tree: FacetTree;
  readonly dipoles: Dipoles;
}

/** Facets of a tree: all in some nodes, and some at places of their own. */
export interface FacetParts {
  readonly nodes: readonly number[];
  readonly places: readonly number[];
}

/** All facets of a tree. */
export const WHOLE: FacetParts = { nodes: [0], places: [] };

export const angleTreeOf = (tree: FacetTree): AngleTree => ({ tree, dipoles: dipolesOf(tree) });

/** The winding number by all facets of a tree. Facets that are left out must hold the point, or lie in a plane with it. */
export function solidAnglesOf(tree: FacetTree): SolidAngles {
  const angles = angleTreeOf(tree);
  return (point, isLeftOut) => windingOf(angles, WHOLE, point, isLeftOut);
}

/**
 * The winding number by the solid angles of facets, far ones by the sum of their areas as vectors.
 * Source: G. Barill, N. Dickson, R. Schmidt, D. Levin, A. Jacobson, "Fast Winding Numbers for Soups and Clouds" (2018).
 */
export function windingOf(
  { tree: { links, facets, corners }, dipoles: { areas, centres, radii } }: AngleTree,
  { nodes, places }: FacetParts,
  [x, y, z]: Vec3,
  isLeftOut?: (facet: number) => boolean,
): number {
  let sum = 0;
  near.start();
  for (let i = 0; i < places.length; i++) near.add(corners, 9 * places[i]!, x, y, z);
  for (let i = 0; i < nodes.length; i++) {
    let height = 1;
    stack[0] = nodes[i]!;
    while (height > 0) {
      const node = stack[--height];
      const dx = centres[3 * node] - x;
      const dy = centres[3 * node + 1] - y;
      const dz = centres[3 * node + 2] - z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared > (FAR_RADII * radii[node]) ** 2) {
        const along = areas[3 * node] * dx + areas[3 * node + 1] * dy + areas[3 * node + 2] * dz;
        sum += along / (squared * Math.sqrt(squared));
        continue;
      }
      const count = links[2 * node + 1];
      if (count === 0) {
        stack[height++] = links[2 * node];
        stack[height++] = node + 1;
        continue;
      }
      for (let place = links[2 * node]; place < links[2 * node] + count; place++) {
        if (!isLeftOut?.(facets[place])) near.add(corners, 9 * place, x, y, z);
      }
    }
  }
  // Engines may differ in the last bits of an arc tangent.
  return Math.fround((sum + near.total()) / (4 * Math.PI));
}

interface Dipoles {
  /** The vector area of each node's facets. */
  readonly areas: Float64Array;
  readonly centres: Float64Array;
  /** No point of a node's facets is farther from its centre. */
  readonly radii: Float64Array;
}

function dipolesOf({ boxes, links, corners }: FacetTree): Dipoles {
  const nodes = links.length / 2;
  const areas = new Float64Array(3 * nodes);
  const centres = new Float64Array(3 * nodes);
  const weights = new Float64Array(nodes);
  const radii = new Float64Array(nodes);
  // Children come after their parents.
  for (let node = nodes - 1; node >= 0; node--) {
    const count = links[2 * node + 1];
    const take = (from: number, area: ArrayLike<number>, weight: number, centre: (axis: number) => number): void => {
      weights[node] += weight;
      for (let axis = 0; axis < 3; axis++) {
        areas[3 * node + axis] += area[from + axis]!;
        centres[3 * node + axis] += weight * centre(axis);
      }
    };
    if (count === 0) {
      for (const child of [node + 1, links[2 * node]]) {
        take(3 * child, areas, weights[child], (axis) => centres[3 * child + axis]);
      }
    }
    for (let place = links[2 * node]; place < links[2 * node] + count; place++) {
      const area = vectorArea(corners, 9 * place);
      const at = (axis: number): number =>
        (corners[9 * place + axis] + corners[9 * place + 3 + axis] + corners[9 * place + 6 + axis]) / 3;
      take(0, area, Math.sqrt(area[0] ** 2 + area[1] ** 2 + area[2] ** 2), at);
    }
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [least, most] = [boxes[6 * node + axis], boxes[6 * node + 3 + axis]];
      const at = 3 * node + axis;
      centres[at] = weights[node] > 0 ? centres[at] / weights[node] : (least + most) / 2;
      squared += Math.max(centres[at] - least, most - centres[at]) ** 2;
    }
    radii[node] = Math.sqrt(squared);
  }
  return { areas, centres, radii };
}

function vectorArea(corners: Float32Array, at: number): [number, number, number] {
  const ux = corners[at + 3] - corners[at];
  const uy = corners[at + 4] - corners[at + 1];
  const uz = corners[at + 5] - corners[at + 2];
  const vx = corners[at + 6] - corners[at];
  const vy = corners[at + 7] - corners[at + 1];
  const vz = corners[at + 8] - corners[at + 2];
  return [(uy * vz - uz * vy) / 2, (uz * vx - ux * vz) / 2, (ux * vy - uy * vx) / 2];
}
