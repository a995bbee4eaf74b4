import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";
import { facetOf, nextHalfedge } from "../geometry/halfedge.ts";
import { type Vec3, distance, lerp, triangleCentroid } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { maxComparisons, visitSelfIntersections } from "../mesh/bvh/self-intersections.ts";
import { type Edges, cachedEdges } from "../mesh/edges.ts";
import { type Surface, cornersOf, placedSurface, vertexAt } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { duplicatePlaces, invertedPlaces, turnedFacets, turnedPlaces } from "./facet-defects.ts";
import { type DefectKind, MAX_PARTS, type FindingPlace, newPlaceFinder } from "./finding-place.ts";
import { type Corners, type TriangleCorners, crossingPoints, nearestPoints } from "./triangle-contacts.ts";

/** Edges and self-intersections that are nearer to each other than this are one place. */
const CELL_MM = 0.5;
/** Maximum number of points of an edge. */
const MAX_POINTS_OF_EDGE = 256;
/** Maximum number of points of self-intersections: more would not change the picture. */
const MAX_CROSSING_POINTS = 200_000;
/** Distance below which two points are the same: the rounding of facets in single precision. */
const SAME_MM = 1e-4;

/**
 * The places where a mesh is not a closed manifold or intersects itself; manifold defects first, at most as many as a model may have
 * places. The size is the number of edges or facets; for self-intersections, the number of their points.
 */
export function defectPlaces(placed: PlacedMesh, progress: Progress): FindingPlace[] {
  const edges = cachedEdges(placed.mesh);
  progress.report(0.1);
  // The coordinates of the file decide which facets intersect, as in the report of the mesh: rotating them rounds.
  const surface = placedSurface(placed);
  const isTurned = turnedFacets(placed.mesh);
  progress.report(0.2);
  const found: readonly (readonly [DefectKind, FindingPlace[]])[] = [
    ["EDGES", edgePlaces(surface, edges, isTurned, progress.part(0.2, 0.3))],
    ["TURNED", turnedPlaces(surface, isTurned, progress.part(0.3, 0.4))],
    ["DUPLICATE", duplicatePlaces(surface, edges)],
    ["INVERTED", invertedPlaces(surface, edges, progress.part(0.4, 0.5))],
    ["CROSSING", crossingPlaces(placed, surface, progress.part(0.5, 1))],
  ];
  const present = found.filter(([, places]) => places.length > 0);
  const most = Math.floor(MAX_PARTS / Math.max(1, present.length));
  return present.flatMap(([kind, places]) => places.slice(0, most).map((place) => ({ ...place, kind })));
}

/** Edges that are not between exactly two facets, or between two facets that cannot be made consistent by flipping one. */
function edgePlaces(surface: Surface, edges: Edges, isTurned: Uint8Array, progress: Progress): FindingPlace[] {
  const finder = newPlaceFinder(CELL_MM);
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    if (edge % STEPS_PER_REPORT === 0) progress.report(edge / edges.runs.length);
    if (!isFaulty(surface, edges, edge, isTurned)) continue;
    const [from, to] = endsOf(surface, edges.halfedges[edges.runs[edge]]);
    const steps = Math.min(MAX_POINTS_OF_EDGE, Math.ceil(distance(from, to) / CELL_MM));
    for (let step = 0; step <= steps; step++) {
      finder.add(...lerp(from, to, steps === 0 ? 0 : step / steps), 1 / (steps + 1));
    }
  }
  return finder.parts();
}

function isFaulty({ triangles }: Surface, { halfedges, runs }: Edges, edge: number, isTurned: Uint8Array): boolean {
  if (runs[edge + 1] - runs[edge] !== 2) return true;
  const [one, other] = [halfedges[runs[edge]], halfedges[runs[edge] + 1]];
  return triangles[one] === triangles[other] && isTurned[facetOf(one)] === isTurned[facetOf(other)];
}

const endsOf = (surface: Surface, halfedge: number): readonly [from: Vec3, to: Vec3] => [
  vertexAt(surface, surface.triangles[halfedge]),
  vertexAt(surface, surface.triangles[nextHalfedge(halfedge)]),
];

/** Places along the lines in which facets cross, and where they overlap in one plane. */
function crossingPlaces({ mesh }: PlacedMesh, surface: Surface, progress: Progress): FindingPlace[] {
  const tree = buildBvh(mesh, progress.part(0, 0.4));
  const finder = newPlaceFinder(CELL_MM);
  let points = 0;
  const visit = (facet: number, other: number): boolean => {
    const common = commonPoints(cornersOf(surface, facet), cornersOf(surface, other));
    for (const point of common) finder.add(...point);
    points += common.length;
    return points < MAX_CROSSING_POINTS;
  };
  visitSelfIntersections(tree, progress.part(0.4, 1), visit, undefined, maxComparisons(tree));
  return finder.parts();
}

/** Points that two facets have in common; despite rounding at least one. */
function commonPoints(one: TriangleCorners, other: TriangleCorners): Vec3[] {
  const crossing = crossingPoints(one, other, CELL_MM / 2);
  if (crossing.length > 0) return crossing;
  const [p, q] = [one, other].map((corners): Corners => [Float32Array.from(corners.flat()), 0]);
  const starts = [...one, ...other, triangleCentroid(...one), triangleCentroid(...other)];
  const pairs = starts.map((start) => nearestPoints(start, p, q));
  const common = pairs.filter(([a, b]) => distance(a, b) <= SAME_MM);
  return (common.length > 0 ? common : pairs.slice(-1)).map(([a]) => a);
}
