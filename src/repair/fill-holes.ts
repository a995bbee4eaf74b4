import { facetOf, nextHalfedge } from "../geometry/halfedge.ts";
import { lazy } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { appendNumbers } from "../core/typed-arrays.ts";
import { earClip } from "../geometry/ear-clip.ts";
import { add, cross, dot, exactLength, ORIGIN, subtract, unitOrZero, type Vec3 } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { boundaryHalfedges, cachedEdges, type Edges } from "../mesh/edges.ts";
import { facetNormal, type Surface, vertexAt, vertexCount } from "../mesh/mesh.ts";
import { newEdgeSet } from "./edge-set.ts";
import { minimumAreaTriangulation } from "./minimum-area-triangulation.ts";
import { canFillSmoothly, holeNeighbourhoods, smoothFill } from "./smooth-fill.ts";

/** Share of the progress of a hole at which it is triangulated. The rest is the smooth fill. Estimated. */
const TRIANGULATED_SHARE = 0.5;
/** Holes of up to this many corners get the triangulation of minimum area, in O(n³). Larger holes are ear clipped. */
const MAX_MINIMUM_AREA_CORNERS = 250;
/** 16 µs for each corner of a hole, without its triangulation; measured on 10 thousand random facets. */
const STEPS_PER_CORNER = 1024;

/**
 * Fills every hole whose boundary is a simple loop of open edges: with facets between its vertices, or in a curved surface
 * with a {@link smoothFill} that adds vertices. Only loops for which `isWanted` holds are filled.
 */
export function fillHoles(
  surface: Surface,
  progress: Progress,
  isWanted: (loop: readonly number[]) => boolean = () => true,
): Surface {
  const edges = cachedEdges(surface);
  const loops = boundaryLoops(surface, edges).filter(isWanted);
  if (loops.length === 0) return surface;
  const edgeSet = newEdgeSet(surface, edges);
  const normalBeyond = boundaryNormals(surface, edges);
  const { vertices, triangles } = surface;
  const tree = lazy(() => buildBvh(surface, progress.silent()));
  const neighbourhoods = lazy(() => holeNeighbourhoods(surface));
  const facets: number[] = [];
  const added: number[] = [];
  loops.forEach((loop, i) => {
    progress.report(i / loops.length, STEPS_PER_CORNER * loop.length);
    const corners = loop.map((v) => vertexAt(surface, v));
    const isTaken = (a: number, b: number): boolean => edgeSet.has(loop[a], loop[b]);
    const part = progress.part(i / loops.length, (i + 1) / loops.length);
    const normals = loop.map((v, at) => normalBeyond(v, loop[(at + 1) % loop.length]));
    const flat =
      loop.length <= MAX_MINIMUM_AREA_CORNERS
        ? minimumAreaTriangulation(corners, normals, isTaken, part.part(0, TRIANGULATED_SHARE))
        : earClip(corners, isTaken, part.part(0, TRIANGULATED_SHARE));
    const smooth = canFillSmoothly(loop.length)
      ? smoothFill(neighbourhoods()(loop), flat, isTaken, tree, part.part(TRIANGULATED_SHARE, 1))
      : undefined;
    const firstAdded = vertexCount(surface) + added.length / 3;
    const toVertex = (at: number): number => (at < loop.length ? loop[at] : firstAdded + at - loop.length);
    added.push(...(smooth?.added.flat() ?? []));
    for (const facet of smooth?.facets ?? flat) {
      const [a, b, c] = [toVertex(facet[0]), toVertex(facet[1]), toVertex(facet[2])];
      facets.push(a, b, c);
      edgeSet.add(a, b);
      edgeSet.add(b, c);
      edgeSet.add(c, a);
    }
  });
  return {
    vertices: added.length === 0 ? vertices : appendNumbers(Float64Array.from(vertices), added),
    triangles: appendNumbers(triangles, facets),
  };
}

/** Returns a look-up of the unit normal of the facet at a boundary edge. The edge is given by its vertices in the direction of the hole. */
function boundaryNormals(surface: Surface, edges: Edges): (from: number, to: number) => Vec3 {
  const { triangles } = surface;
  const count = vertexCount(surface);
  const facets = new Map<number, number>();
  for (const halfedge of boundaryHalfedges(edges)) {
    facets.set(triangles[nextHalfedge(halfedge)] * count + triangles[halfedge], facetOf(halfedge));
  }
  return (from, to) => {
    const facet = facets.get(from * count + to);
    if (facet === undefined) throw new Error("A hole has an edge that is not open.");
    return unitOrZero(facetNormal(surface, facet));
  };
}

/**
 * The simple loops of open edges, each as its vertices in the direction of the facets that would fill the hole. Chains of open edges
 * that do not close are omitted.
 */
export function boundaryLoops(surface: Surface, edges: Edges): number[][] {
  const { triangles } = surface;
  const leaving = new Map<number, number[]>();
  for (const halfedge of boundaryHalfedges(edges)) {
    // Facets of the fill have the edge in the opposite direction.
    const from = triangles[nextHalfedge(halfedge)];
    const known = leaving.get(from);
    if (known === undefined) leaving.set(from, [halfedge]);
    else known.push(halfedge);
  }
  const loops: number[][] = [];
  for (const [first, choices] of leaving) {
    while (choices.length > 0) loops.push(...followBoundary(surface, leaving, first));
  }
  return loops.filter((loop) => loop.length > 2);
}

/** Follows open edges from `first` until they end, and removes them from `leaving`. If the path meets itself, a loop is cut off. */
function followBoundary(surface: Surface, leaving: Map<number, number[]>, first: number): number[][] {
  const loops: number[][] = [];
  const path = [first];
  const indexOf = new Map([[first, 0]]);
  for (let choices = leaving.get(first) ?? []; choices.length > 0;) {
    const to = surface.triangles[takeNextEdge(surface, choices, path)];
    const index = indexOf.get(to);
    if (index === undefined) {
      indexOf.set(to, path.push(to) - 1);
    } else {
      loops.push(path.slice(index));
      for (const v of path.splice(index + 1)) indexOf.delete(v);
    }
    choices = leaving.get(to) ?? [];
  }
  return loops;
}

/** A surface where more holes touch at one vertex is debris. Any edge will do there. */
const MAX_TOUCHING_HOLES = 16;

/** Takes one of the open edges at the end of the path: if holes touch at a vertex, the next edge around the same hole. */
function takeNextEdge(surface: Surface, choices: number[], path: readonly number[]): number {
  let next = choices.length - 1;
  if (choices.length > 1 && choices.length <= MAX_TOUCHING_HOLES && path.length > 1) {
    const here = vertexAt(surface, path[path.length - 1]);
    const back = subtract(vertexAt(surface, path[path.length - 2]), here);
    const normal = choices.map((halfedge) => unitOrZero(facetNormal(surface, facetOf(halfedge)))).reduce(add, ORIGIN);
    const angles = choices.map((halfedge) => {
      const out = subtract(vertexAt(surface, surface.triangles[halfedge]), here);
      const angle = Math.atan2(dot(cross(out, back), normal), dot(out, back) * exactLength(normal));
      return angle > 0 ? angle : angle + 2 * Math.PI;
    });
    next = angles.indexOf(Math.min(...angles));
  }
  return choices.splice(next, 1)[0];
}
