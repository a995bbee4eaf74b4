import { length, sizeOf } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { newDisjointSets } from "../disjoint-sets.ts";
import { edgesOf, nextInFacet } from "../edges.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { newRadixSort } from "../radix-sort.ts";

/** A gap this small against the model's diagonal comes from rounding, and never counts beyond the largest gap. */
const GAP_SHARE = 1e-6;
const LARGEST_GAP_MM = 1e-3;
/** Two neighbouring single-precision numbers lie up to this share of their size apart. */
const SINGLE_STEP = 2 ** -23;

/** Welds vertices on open edges that lie closer together than a seam that rounding has torn. */
export function stitch(surface: Surface, watch: Watch): Surface {
  const rim = rimVertices(surface);
  if (rim.length === 0) return surface;
  const { vertices, triangles } = surface;
  const box = boxOf(vertices);
  const farthest = Math.max(...box.min.map(Math.abs), ...box.max.map(Math.abs));
  const gap = Math.max(Math.min(GAP_SHARE * length(sizeOf(box)), LARGEST_GAP_MM), 2 * SINGLE_STEP * farthest);
  const sets = newDisjointSets(vertexCount(surface));
  const isNear = (a: number, b: number): boolean =>
    Math.hypot(
      vertices[3 * a] - vertices[3 * b],
      vertices[3 * a + 1] - vertices[3 * b + 1],
      vertices[3 * a + 2] - vertices[3 * b + 2],
    ) <= gap;

  const { heights, reach } = heightsOf(surface, rim, gap);
  newRadixSort(rim.length)(heights, rim, 0, rim.length);
  for (let i = 0; i < rim.length; i++) {
    if (i % 65_536 === 0) watch.report(i / rim.length);
    for (let j = i + 1; j < rim.length && heights[j] - heights[i] <= reach; j++) {
      if (isNear(rim[i], rim[j])) sets.join(rim[i], rim[j]);
    }
  }
  const stitched = triangles.map((v) => sets.find(v));
  return stitched.every((v, at) => v === triangles[at]) ? surface : { vertices, triangles: stitched };
}

function rimVertices({ vertices, triangles }: Surface): Uint32Array {
  const { halfEdges, runs } = edgesOf(triangles, vertices.length / 3);
  const isRim = new Uint8Array(vertices.length / 3);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] > 1) continue;
    const halfEdge = halfEdges[runs[edge]];
    isRim[triangles[halfEdge]] = 1;
    isRim[triangles[nextInFacet(halfEdge)]] = 1;
  }
  return Uint32Array.from(isRim.keys().filter((v) => isRim[v] === 1));
}

/** Slanted against every axis, so that no flat side of a usual model puts many of its corners at one height. */
const UP = [0.5417, 0.6803, 0.4937] as const;
const HEIGHT_STEPS = 2 ** 31;

/** Heights along {@link UP} as integers; two points within `gap` differ by at most `reach`. */
function heightsOf({ vertices }: Surface, rim: Uint32Array, gap: number): { heights: Uint32Array; reach: number } {
  const [x, y, z] = UP;
  const raw = Float64Array.from(rim, (v) => x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2]);
  const lowest = raw.reduce((a, b) => Math.min(a, b));
  const highest = raw.reduce((a, b) => Math.max(a, b));
  const steps = HEIGHT_STEPS / Math.max(highest - lowest, gap);
  return { heights: Uint32Array.from(raw, (height) => (height - lowest) * steps), reach: Math.ceil(gap * steps) + 1 };
}
