import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { nextHalfedge } from "../geometry/halfedge.ts";
import { type Vec3, distance, lerp } from "../geometry/vector.ts";
import { type Edges, cachedEdges } from "../mesh/edges.ts";
import { type Surface, placedSurface, vertexAt } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../slice/stack.ts";
import { type Place, newPlaceFinder } from "./place.ts";

/** Edges nearer to each other than this are one place. */
const CELL_MM = 0.5;
/** Points of an edge. */
const MAX_POINTS_OF_EDGE = 256;

/**
 * The places of the edges at which a mesh is not closed: those that do not lie between two facets with opposite directions. With the
 * number of edges as the size.
 */
export function defectPlaces(placed: PlacedMesh, progress: Progress): Place[] {
  const edges = cachedEdges(placed.mesh);
  progress.report(0.5);
  const surface = placedSurface(placed);
  const finder = newPlaceFinder(CELL_MM);
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    if (edge % STEPS_PER_REPORT === 0) progress.report(0.5 + edge / edges.runs.length / 2);
    if (!isFaulty(surface, edges, edge)) continue;
    const [from, to] = endsOf(surface, edges.halfedges[edges.runs[edge]]);
    const steps = Math.min(MAX_POINTS_OF_EDGE, Math.ceil(distance(from, to) / CELL_MM));
    for (let step = 0; step <= steps; step++) {
      finder.add(...lerp(from, to, steps === 0 ? 0 : step / steps), 1 / (steps + 1));
    }
  }
  return finder.parts();
}

function isFaulty({ triangles }: Surface, { halfedges, runs }: Edges, edge: number): boolean {
  const first = runs[edge];
  return runs[edge + 1] - first !== 2 || triangles[halfedges[first]] === triangles[halfedges[first + 1]];
}

const endsOf = (surface: Surface, halfedge: number): readonly [from: Vec3, to: Vec3] => [
  vertexAt(surface, surface.triangles[halfedge]),
  vertexAt(surface, surface.triangles[nextHalfedge(halfedge)]),
];
