import { getOrInsert } from "../core/memoize.ts";
import { boxCentre } from "../geometry/box.ts";
import { nextHalfedge } from "../geometry/halfedge.ts";
import type { Polygon, Polygons } from "../geometry/polygon.ts";
import { unionExactly } from "../geometry/polygon-operations.ts";
import { edgesOf } from "../mesh/edges.ts";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { isRelevantRing } from "./silhouette.ts";
import { simplifyOutward } from "./simplify-outward.ts";

/** Of larger meshes the raster of `silhouetteOf` takes less time and memory. */
const MAX_FACETS = 500_000;
/** Edges of a contour at most: rough surfaces fold at every other edge. */
const MAX_CONTOUR_EDGES = 20_000;

/**
 * The silhouette of a mesh in its own pose, seen from above, relative to the centre of its box: exact to 1e-7 mm, but for few corners: it
 * reaches at most `toleranceMm` beyond. Holes too small for another part are closed. Undefined for meshes of which the raster of
 * `silhouetteOf` is faster, and those that are a line from above.
 *
 * The contour is the boundary of all facets, each taken counter-clockwise: it winds around a point as often as facets are above or below it.
 * Of a closed mesh the facets that face up have the same silhouette.
 */
export async function exactSilhouetteOf(mesh: Mesh, toleranceMm: number): Promise<Polygons | undefined> {
  if (triangleCount(mesh) > MAX_FACETS) return undefined;
  const contour = contourOf(mesh);
  if (contour.length === 0 || contour.length > 2 * MAX_CONTOUR_EDGES) return undefined;
  const [cx, cy] = boxCentre(mesh.box);
  const loops = loopsOf(contour).map((loop) =>
    Float64Array.from(loop.flatMap((v) => [mesh.vertices[3 * v] - cx, mesh.vertices[3 * v + 1] - cy])),
  );
  const union = (await unionExactly(loops)).filter(isRelevantRing);
  const rings = union.flatMap((ring): Polygon[] => {
    const simple = simplifyOutward(ring, toleranceMm);
    return simple ? [simple] : [];
  });
  return rings.length > 0 ? rings : undefined;
}

/** The edges of the contour: the vertices at their starts and ends, the solid side to the left. */
function contourOf(mesh: Mesh): number[] {
  const signs = facetSigns(mesh);
  const { halfedges, runs } = edgesOf(mesh.triangles, vertexCount(mesh));
  const closed: number[] = [];
  const all: number[] = [];
  let isClosed = true;
  for (let e = 0; e + 1 < runs.length; e++) {
    let [balance, up, any] = [0, 0, 0];
    let [low, high] = [0, 0];
    for (let i = runs[e]; i < runs[e + 1]; i++) {
      const from = mesh.triangles[halfedges[i]];
      const to = mesh.triangles[nextHalfedge(halfedges[i])];
      const sign = signs[Math.floor(halfedges[i] / 3)];
      const along = from < to ? 1 : -1;
      [low, high] = from < to ? [from, to] : [to, from];
      balance += along;
      if (sign > 0) up += along;
      any += sign * along;
    }
    if (balance !== 0) isClosed = false;
    addEdge(closed, low, high, up);
    addEdge(all, low, high, any);
  }
  return isClosed ? closed : all;
}

function addEdge(edges: number[], low: number, high: number, times: number): void {
  for (let i = 0; i < times; i++) edges.push(low, high);
  for (let i = 0; i < -times; i++) edges.push(high, low);
}

/** For each facet 1 if it faces up, −1 if it faces down, 0 if it is vertical. */
function facetSigns({ vertices, triangles }: Mesh): Int8Array {
  const signs = new Int8Array(triangles.length / 3);
  for (let t = 0; t < signs.length; t++) {
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    const area =
      (vertices[b] - vertices[a]) * (vertices[c + 1] - vertices[a + 1]) -
      (vertices[b + 1] - vertices[a + 1]) * (vertices[c] - vertices[a]);
    signs[t] = Math.sign(area);
  }
  return signs;
}

/** The loops that edges form, of which as many end at each vertex as begin there: the vertices of each. */
function loopsOf(edges: readonly number[]): number[][] {
  const leaving = new Map<number, number[]>();
  for (let i = 0; i < edges.length; i += 2) getOrInsert(leaving, edges[i], () => []).push(edges[i + 1]);
  const loops: number[][] = [];
  for (const [start, ends] of leaving) {
    while (ends.length > 0) {
      const loop: number[] = [];
      let at = start;
      do {
        loop.push(at);
        at = leaving.get(at)!.pop()!;
      } while (at !== start);
      loops.push(loop);
    }
  }
  return loops;
}
