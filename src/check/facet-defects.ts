import type { Progress } from "../core/progress.ts";
import { facetOf, previousHalfedge } from "../geometry/halfedge.ts";
import { type Bodies, bodiesOf, bodyVolumes } from "../mesh/bodies.ts";
import { invertedBodies } from "../mesh/body-nesting.ts";
import type { Edges } from "../mesh/edges.ts";
import { type Surface, filterFacets, triangleCount } from "../mesh/mesh.ts";
import { orientPatches } from "../repair/orientation.ts";
import { facetCellMm, facetPoints } from "./facet-points.ts";
import { MAX_PARTS, type FindingPlace, type PlaceFinder, newPlaceFinder } from "./finding-place.ts";

/** Facets per progress report: each facet is many points of a grid. */
const FACETS_PER_REPORT = 4096;

/** 1 for each facet whose orientation differs from most of the facets connected with it: a repair flips these. */
export function turnedFacets(surface: Surface): Uint8Array {
  const { triangles } = orientPatches(surface);
  return Uint8Array.from({ length: triangleCount(surface) }, (_, facet) =>
    triangles[3 * facet + 1] === surface.triangles[3 * facet + 1] ? 0 : 1,
  );
}

/** The places of flipped facets. Connected facets are one place, with their number as the size. */
export function turnedPlaces(surface: Surface, isTurned: Uint8Array, progress: Progress): FindingPlace[] {
  const turned = filterFacets(surface, (facet) => isTurned[facet] === 1);
  const bodies = bodiesOf(turned);
  const counts = new Uint32Array(bodies.count);
  for (const body of bodies.bodyOf) counts[body]++;
  const largest = [...counts.keys()].sort((one, other) => counts[other] - counts[one]);
  return bodyPlaces(turned, bodies, largest, progress);
}

/** The places of facets that have the same corners as another one, with their number as the size. */
export function duplicatePlaces(surface: Surface, { halfedges, far, runs }: Edges): FindingPlace[] {
  const cellMm = facetCellMm(surface);
  const finder = newPlaceFinder(cellMm);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const apexes = new Set<number>();
    for (let i = runs[edge]; runs[edge + 1] - runs[edge] > 1 && i < runs[edge + 1]; i++) {
      const apex = surface.triangles[previousHalfedge(halfedges[i])];
      // Each facet is compared only at the edge of its two smallest corners.
      if (apex <= far[i]) continue;
      if (apexes.has(apex)) addFacet(finder, surface, facetOf(halfedges[i]), cellMm);
      apexes.add(apex);
    }
  }
  return finder.parts();
}

/** The places of bodies that are inside out, the largest first, with the number of their facets as the size. */
export function invertedPlaces(surface: Surface, edges: Edges, progress: Progress): FindingPlace[] {
  const bodies = bodiesOf(surface, edges);
  const inverted = invertedBodies(surface, edges, bodies, progress.part(0, 0.5));
  const volumes = bodyVolumes(surface, bodies);
  const largest = inverted.toSorted((one, other) => volumes[one] - volumes[other]);
  return bodyPlaces(surface, bodies, largest, progress.part(0.5, 1));
}

/** A place over all facets for each of the first of these bodies. */
function bodyPlaces(
  surface: Surface,
  { bodyOf }: Bodies,
  chosen: readonly number[],
  progress: Progress,
): FindingPlace[] {
  const cellMm = facetCellMm(surface);
  const finders = new Map(chosen.slice(0, MAX_PARTS).map((body) => [body, newPlaceFinder(cellMm)]));
  for (let facet = 0; facet < bodyOf.length && finders.size > 0; facet++) {
    if (facet % FACETS_PER_REPORT === 0) progress.report(facet / bodyOf.length);
    const finder = finders.get(bodyOf[facet]);
    if (finder) addFacet(finder, surface, facet, cellMm);
  }
  return [...finders.values()].flatMap((finder) => finder.whole() ?? []);
}

/** Adds points all over a facet, which count together as one. */
function addFacet(finder: PlaceFinder, surface: Surface, facet: number, cellMm: number): void {
  const points = facetPoints(surface, facet, cellMm);
  for (const point of points) finder.add(...point, 1 / points.length);
}
