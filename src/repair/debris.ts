import type { Progress } from "../core/progress.ts";
import { exactLength, triangleCentroid, type Vec3 } from "../geometry/vector.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { windingField } from "../mesh/bvh/fast-winding-number.ts";
import { cornersOf, facetNormal, type Surface, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { seamGapsMm } from "./stitch-seams.ts";
import { parameterOnSegment } from "./split-t-junctions.ts";

/** Least share of the area that is in single facets: those without a common vertex with another facet. */
const MIN_SINGLE_SHARE = 0.9;
/** Number of single facets that are compared with all others: a few tenths of a second for a million facets. */
const SAMPLES = 32;
/** Most of the samples that may touch another facet. Three quarters of nine tenths of the area are more than half of it. */
const MAX_TOUCHING_SHARE = 0.25;
const FACETS_PER_REPORT = 65_536;

/**
 * Whether most of the area is in single facets at which no seam can be stitched and no T-junction split. A repair removes these: the
 * boundary of each is a hole that only its own reverse would fill. Estimated from a sample of facets.
 */
export function isDebris(surface: Surface, progress: Progress): boolean {
  const single = singleFacets(surface);
  const isMost = areaOf(surface, single) > MIN_SINGLE_SHARE * areaOf(surface, facetsOf(surface));
  return isMost && touchingShare(surface, single, progress) <= MAX_TOUCHING_SHARE;
}

const facetsOf = (surface: Surface): Uint32Array => new Uint32Array(triangleCount(surface)).map((_, facet) => facet);

/** The facets that share no vertex with another facet. */
function singleFacets(surface: Surface): Uint32Array {
  const { triangles } = surface;
  const uses = new Uint32Array(vertexCount(surface));
  for (const v of triangles) uses[v]++;
  return facetsOf(surface).filter(
    (facet) =>
      uses[triangles[3 * facet]] === 1 && uses[triangles[3 * facet + 1]] === 1 && uses[triangles[3 * facet + 2]] === 1,
  );
}

const areaOf = (surface: Surface, facets: Uint32Array): number =>
  facets.reduce((sum, facet) => sum + exactLength(facetNormal(surface, facet)) / 2, 0);

/** A facet that is compared with others, and its box, grown by the reach. */
interface Sample {
  readonly facet: number;
  readonly corners: readonly [Vec3, Vec3, Vec3];
  readonly min: Vec3;
  readonly max: Vec3;
}

/** The share of sampled facets that have a corner or an edge within reach of an edge or a corner of another facet. */
function touchingShare(surface: Surface, facets: Uint32Array, progress: Progress): number {
  const { vertices, triangles } = surface;
  const { roundingMm, widestMm } = seamGapsMm(surface);
  const reachMm = Math.max(roundingMm, widestMm);
  const stride = Math.ceil(facets.length / SAMPLES);
  const samples = Array.from(
    facets.filter((_, i) => i % stride === 0),
    (facet) => sampleOf(surface, facet, reachMm),
  );
  const touching = new Set<Sample>();
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (facet % FACETS_PER_REPORT === 0) progress.report(facet / triangleCount(surface));
    const [a, b, c] = [3 * triangles[3 * facet], 3 * triangles[3 * facet + 1], 3 * triangles[3 * facet + 2]];
    for (const sample of samples) {
      const { min, max } = sample;
      let isApart = false;
      for (let axis = 0; axis < 3 && !isApart; axis++) {
        const [p, q, r] = [vertices[a + axis], vertices[b + axis], vertices[c + axis]];
        isApart =
          (p < min[axis] && q < min[axis] && r < min[axis]) || (p > max[axis] && q > max[axis] && r > max[axis]);
      }
      if (isApart || sample.facet === facet || touching.has(sample)) continue;
      const corners = cornersOf(surface, facet);
      if (touchesEdge(sample.corners, corners, reachMm) || touchesEdge(corners, sample.corners, reachMm))
        touching.add(sample);
    }
  }
  return touching.size / samples.length;
}

function sampleOf(surface: Surface, facet: number, reachMm: number): Sample {
  const corners = cornersOf(surface, facet);
  const bound = (pick: (...values: number[]) => number, grown: number): Vec3 => [
    pick(corners[0][0], corners[1][0], corners[2][0]) + grown,
    pick(corners[0][1], corners[1][1], corners[2][1]) + grown,
    pick(corners[0][2], corners[1][2], corners[2][2]) + grown,
  ];
  return { facet, corners, min: bound(Math.min, -reachMm), max: bound(Math.max, reachMm) };
}

/** Whether a corner is within reach of an edge, or of its line near its ends. */
function touchesEdge(corners: readonly Vec3[], [a, b, c]: readonly [Vec3, Vec3, Vec3], reachMm: number): boolean {
  const edges = [
    parameterOnSegment(a, b, reachMm),
    parameterOnSegment(b, c, reachMm),
    parameterOnSegment(c, a, reachMm),
  ];
  return corners.some(([x, y, z]) =>
    edges.some((parameterAt) => {
      const parameter = parameterAt(x, y, z);
      return parameter > -1 / 2 && parameter < 3 / 2;
    }),
  );
}

/** Share of the progress of {@link enclosesNothing} at which the hierarchy is built. Estimated. */
const INDEXED_SHARE = 0.9;
/** Number of facets at which the winding number is evaluated. */
const WINDING_SAMPLES = 256;
/**
 * Least winding number at a point of a bounding facet, without this facet: half of the least number that counts as inside, because it is the
 * mean of both sides. The other facets may leave gaps.
 */
const MIN_MEAN_WINDING = 0.25;
/** With a smaller share of bounding facets, a surface bounds no solid. */
const MIN_BOUNDING_SHARE = 0.25;

/**
 * Whether few facets have a side inside the surface. If many have one, single facets may be the boundary of a solid with gaps;
 * otherwise there is nothing to remesh. Estimated from a sample of facets.
 */
export function enclosesNothing(surface: Surface, progress: Progress): boolean {
  const windingNumberAt = windingField(buildBvh(surface, progress.part(0, INDEXED_SHARE)));
  const evaluating = progress.part(INDEXED_SHARE, 1);
  const stride = Math.ceil(triangleCount(surface) / WINDING_SAMPLES);
  const sampled = facetsOf(surface).filter((facet) => facet % stride === 0);
  const bounding = sampled.filter((facet, i) => {
    evaluating.report(i / sampled.length);
    const centroid = triangleCentroid(...cornersOf(surface, facet));
    return windingNumberAt(centroid, (other) => other === facet) > MIN_MEAN_WINDING;
  });
  return bounding.length < MIN_BOUNDING_SHARE * sampled.length;
}
