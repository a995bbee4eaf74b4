import type { Progress } from "../../core/progress.ts";
import { type Vec3, add, dot, exactLength, subtract, times, triangleNormal, unit } from "../../geometry/vector.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import type { ClosestPoint } from "../../mesh/bvh/closest-point.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import { type Surface, cornersOf, filterFacets } from "../../mesh/mesh.ts";
import { medialBall } from "./medial-ball.ts";

/** The surface of a solid, all of it that has a point between two heights, and its hierarchy. In grid coordinates. */
export interface BoundedSolid {
  readonly surface: Surface;
  readonly tree: Bvh;
  /** The heights; infinite if all of the surface is known. */
  readonly lowMm: number;
  readonly highMm: number;
}

const FACETS_PER_REPORT = 65_536;

/** Share of the progress at which the facets are chosen. */
const CHOSEN_SHARE = 0.2;

/** A solid between two heights; undefined if no facet is between them. */
export function solidBetween(
  whole: Surface,
  lowMm: number,
  highMm: number,
  progress: Progress,
): BoundedSolid | undefined {
  const { vertices, triangles } = whole;
  const count = triangles.length / 3;
  const choosing = progress.part(0, CHOSEN_SHARE);
  const surface = filterFacets(whole, (facet) => {
    if (facet % FACETS_PER_REPORT === 0) choosing.report(facet / count);
    const a = vertices[3 * triangles[3 * facet] + 2];
    const b = vertices[3 * triangles[3 * facet + 1] + 2];
    const c = vertices[3 * triangles[3 * facet + 2] + 2];
    return (a >= lowMm || b >= lowMm || c >= lowMm) && (a <= highMm || b <= highMm || c <= highMm);
  });
  if (surface.triangles.length === 0) return undefined;
  return { surface, tree: buildBvh(surface, progress.part(CHOSEN_SHARE, 1)), lowMm, highMm };
}

/** The point of a solid's surface that belongs to a cell. */
interface SurfaceFoot {
  readonly foot: Vec3;
  /** Unit vector from the foot into the solid. */
  readonly inward: Vec3;
  /** Distance from the foot to the centre of the cell, if the centre is inside: its distance to the surface. */
  readonly depthMm?: number;
}

/**
 * A foot is moved away from the edges of its facet by this share of a cell, but at most by this share of the way to the centroid of
 * the facet.
 */
const OFF_EDGE = 0.1;
const MAX_CENTROID_SHARE = 0.3;

/** Rays along the rows need only the facets at their height: also those of a part of a solid. */
const ALONG_ROWS = 0;

/** Cosine of 3°: a point in the direction of the normal of a facet is in front of the facet or behind it, not beyond its edge. */
const ALONG_NORMAL = 0.9985;

/**
 * The point of the surface nearest to the centre of a cell if the centre is inside the solid, otherwise a point close to it on the
 * same facet. `isFull`: the whole cell is solid. Undefined if the nearest facet has no area.
 */
export function surfaceFoot(
  { surface, tree }: BoundedSolid,
  centre: Vec3,
  { point, facet, distanceMm }: ClosestPoint,
  isFull: boolean,
  cellMm: number,
): SurfaceFoot | undefined {
  const [a, b, c] = cornersOf(surface, facet);
  const normal = triangleNormal(a, b, c);
  const size = exactLength(normal);
  const away = subtract(centre, point);
  const height = size === 0 ? 0 : dot(normal, away) / size;
  const isBeside = Math.abs(height) < ALONG_NORMAL * distanceMm;
  const isInside = isFull || (isBeside || height === 0 ? windingNumber(tree, centre, ALONG_ROWS) > 0 : height < 0);
  if (isInside && distanceMm > 0) return { foot: point, inward: unit(away), depthMm: distanceMm };
  if (size === 0) return undefined;
  const toCentroid = subtract(times(add(add(a, b), c), 1 / 3), point);
  const centroidMm = exactLength(toCentroid);
  const share = centroidMm === 0 ? 0 : Math.min(MAX_CENTROID_SHARE, (OFF_EDGE * cellMm) / centroidMm);
  return { foot: add(point, times(toCentroid, share)), inward: times(normal, -1 / size) };
}

/** Largest depth of the sample point of a cell whose centre is not solid, in cells. */
const MAX_DEPTH_CELLS = 0.5;

/** The point of a solid that represents a cell: the centre of the cell, or a point behind its foot whose nearest surface is the foot. */
export const samplePoint = (tree: Bvh, { foot, inward, depthMm }: SurfaceFoot, cellMm: number): Vec3 =>
  add(foot, times(inward, depthMm ?? medialBall(tree, foot, inward, MAX_DEPTH_CELLS * cellMm).radiusMm));
