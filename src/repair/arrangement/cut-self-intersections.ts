import type { Progress } from "../../core/progress.ts";
import { appendNumbers } from "../../core/typed-arrays.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { visitNearPairs } from "../../geometry/near-pairs.ts";
import { distance, exactLength } from "../../geometry/vector.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../../mesh/bodies.ts";
import type { WindingField } from "../../mesh/bvh/fast-winding-number.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { cornersOf, facetNormal, filterFacets, type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { collapseCapTriangles } from "../collapse-cap-triangles.ts";
import { removeCollapsedFacets, removeDuplicateFacets } from "../remove-facets.ts";
import { arrangeFacets } from "./arrange.ts";
import { extractOuterHull } from "./outer-hull.ts";

/**
 * Shares of the progress at which the surface is arranged, its hull extracted and its new vertices welded. `pass`: the shares of a
 * pass at which vertices are welded and caps collapsed. Estimates.
 */
const SHARES = { arranged: 0.7, extracted: 0.9, welded: 0.99, pass: { welded: 0.4, collapsed: 0.8 } };

/**
 * Cuts a surface along its self-intersections, given as pairs of facets, and removes what is inside. New vertices are welded within
 * `toleranceMm`. New bodies thinner than `maxToleranceMm` are removed. Undefined if too many facets overlap, or if rounding
 * would merge pieces that are too narrow; a greater tolerance does not help then.
 */
export function cutSelfIntersections(
  surface: Surface,
  pairs: Uint32Array,
  windingNumberAt: WindingField,
  toleranceMm: number,
  maxToleranceMm: number,
  progress: Progress,
): Surface | undefined {
  const arrangement = arrangeFacets(surface, pairs, progress.part(0, SHARES.arranged));
  if (!arrangement) return undefined;
  const hull = extractOuterHull(
    surface,
    arrangement,
    windingNumberAt,
    progress.part(SHARES.arranged, SHARES.extracted),
  );
  const firstNew = vertexCount(surface);
  if (consistsOfSlivers(hull, firstNew, toleranceMm)) return undefined;
  const welded = collapseFineDetails(hull, firstNew, toleranceMm, progress.part(SHARES.extracted, SHARES.welded));
  progress.report(SHARES.welded, STEPS_PER_FACET * triangleCount(hull));
  return removeThinBodies(welded, firstNew, maxToleranceMm);
}

/** 4 µs for each facet of the hull, measured on a body of half a million facets that crosses itself. */
const STEPS_PER_FACET = 256;

/**
 * With a greater share of slivers among new facets, a cut leaves more intersections than it removes. Faces of a metre that coincide
 * within rounding have 95 %, bodies that cross each other at most 0.3 %.
 */
const MAX_SLIVER_SHARE = 0.5;
/** A cut with fewer new facets is always accepted. */
const MIN_NEW_FACETS = 1000;

/** Whether most facets with a vertex of index `firstNew` or more are no higher than the tolerance. */
function consistsOfSlivers(surface: Surface, firstNew: number, toleranceMm: number): boolean {
  const { triangles } = surface;
  let [added, slivers] = [0, 0];
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (Math.max(triangles[3 * facet], triangles[3 * facet + 1], triangles[3 * facet + 2]) < firstNew) continue;
    added++;
    const [a, b, c] = cornersOf(surface, facet);
    const longestMm = Math.max(distance(a, b), distance(b, c), distance(c, a));
    if (exactLength(facetNormal(surface, facet)) <= toleranceMm * longestMm) slivers++;
  }
  return added >= MIN_NEW_FACETS && slivers > MAX_SLIVER_SHARE * added;
}

const MAX_PASSES = 4;

/**
 * Welds vertices of index `firstNew` or more to other vertices or edges within the tolerance. A closed surface stays closed, and older
 * vertices are not moved.
 */
function collapseFineDetails(surface: Surface, firstNew: number, toleranceMm: number, progress: Progress): Surface {
  const isNear = verticesNearCut(surface, firstNew);
  const { triangles } = surface;
  const isUnchanged = (facet: number): boolean =>
    isNear[triangles[3 * facet]] + isNear[triangles[3 * facet + 1]] + isNear[triangles[3 * facet + 2]] === 0;
  const unchanged = filterFacets(surface, isUnchanged);
  let collapsed = filterFacets(surface, (facet) => !isUnchanged(facet));
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const part = progress.part(pass / MAX_PASSES, (pass + 1) / MAX_PASSES);
    const welded = weldNewVertices(collapsed, firstNew, toleranceMm, part.part(0, SHARES.pass.welded));
    const isNew = (facet: number): boolean =>
      welded.triangles[3 * facet] >= firstNew ||
      welded.triangles[3 * facet + 1] >= firstNew ||
      welded.triangles[3 * facet + 2] >= firstNew;
    const withoutCaps = removeCollapsedFacets(collapseCapTriangles(welded, toleranceMm, isNew));
    part.report(SHARES.pass.collapsed);
    const next = removeDuplicateFacets(withoutCaps, part.part(SHARES.pass.collapsed, 1));
    if (next === collapsed) break;
    collapsed = next;
  }
  return { vertices: surface.vertices, triangles: appendNumbers(unchanged.triangles, collapsed.triangles) };
}

/** For each vertex 1 if it is new or in a facet with a new vertex. */
function verticesNearCut(surface: Surface, firstNew: number): Uint8Array {
  const { triangles } = surface;
  const isNear = new Uint8Array(vertexCount(surface));
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    if (a >= firstNew || b >= firstNew || c >= firstNew) isNear[a] = isNear[b] = isNear[c] = 1;
  }
  return isNear;
}

/** Welds pairs of vertices within the tolerance, at least one of which is new. */
function weldNewVertices(surface: Surface, firstNew: number, toleranceMm: number, progress: Progress): Surface {
  const { vertices, triangles } = surface;
  const isNear = verticesNearCut(surface, firstNew);
  const near = Uint32Array.from(isNear.keys().filter((v) => isNear[v] === 1));
  const sets = newDisjointSets(vertexCount(surface));
  visitNearPairs(vertices, near, toleranceMm, progress, (a, b) => {
    if (Math.max(a, b) >= firstNew) sets.join(a, b);
  });
  const welded = triangles.map((v) => sets.find(v));
  return welded.every((v, at) => v === triangles[at]) ? surface : { vertices, triangles: welded };
}

/**
 * Removes closed bodies that are thinner than `thicknessMm` and have a vertex of index `firstNew` or more. Cuts leave such bodies,
 * with an orientation that is random from rounding.
 */
export function removeThinBodies(surface: Surface, firstNew: number, thicknessMm: number): Surface {
  const { triangles } = surface;
  const edges = edgesOf(triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  const isClosed = closedBodies(surface, edges, bodies);
  const volumes = bodyVolumes(surface, bodies);
  const isNew = new Uint8Array(bodies.count);
  const areas = new Float64Array(bodies.count);
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    for (let at = 3 * facet; at < 3 * facet + 3; at++) if (triangles[at] >= firstNew) isNew[body] = 1;
    areas[body] += exactLength(facetNormal(surface, facet)) / 2;
  }
  // The volume of a plate is the area of one side × its thickness.
  const isThin = (body: number): boolean =>
    isNew[body] === 1 && isClosed[body] === 1 && Math.abs(volumes[body]) < (areas[body] / 2) * thicknessMm;
  return filterFacets(surface, (facet) => !isThin(bodies.bodyOf[facet]));
}
