import type { Progress } from "../../core/progress.ts";
import { triangulatePolygons } from "../../geometry/polygon-operations.ts";
import { type Polygon, cornerCount } from "../../geometry/polygon.ts";
import { isSelfIntersecting } from "../../mesh/bvh/self-intersections.ts";
import type { TrimmedSurface } from "./plane-cut.ts";
import { cumulativeLengths, smoothOutline } from "./smooth-outline.ts";

export interface BaseOptions {
  /** Height of the cut. */
  readonly heightMm: number;
  readonly extrudeMm: number;
  readonly isSmoothed: boolean;
}

/** A trimmed surface on its base; closed wherever it was closed above the cut. */
export interface BaseSurface {
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  /** The first facet of the bottom; all that follow belong to it, too. */
  readonly bottomFrom: number;
  readonly bottomMm: number;
  /** The outlines of the base at the heights from the cut down to the bottom. */
  readonly outlines: readonly (readonly Polygon[])[];
}

/** The outlines of a base at one height: those of the cut, with each vertex moved. */
interface OutlineLevel {
  readonly zMm: number;
  readonly outlines: readonly Polygon[];
}

/**
 * Sigma of the smoothing at the bottom. Teeth and the gums between them repeat every 5 to 9 mm around an arch: at most a fifth of such
 * waves remains, while the arch itself is unchanged.
 */
const SIGMA_MM = 3;
/** Greatest sigma as a share of the perimeter, so that a small outline keeps its shape. */
const MAX_SIGMA_SHARE = 1 / 24;
/** Outlines become smoother level by level, so that they do not cross each other in between. */
const LEVEL_MM = 0.5;
const MAX_LEVELS = 12;
/**
 * If smoothed sides intersect each other, a third of the levels is tried, since the sides of a narrow cleft may meet at
 * a level but not between two; then half the sigma, and so on; finally vertical sides.
 */
const LEVEL_DIVISORS = [1, 3];
const HALVINGS = 4;

/** Adds sides below the contours of a trimmed surface down to the bottom, and the bottom. */
export async function addBase(
  { vertices, triangles }: TrimmedSurface,
  contours: readonly (readonly number[])[],
  { heightMm, extrudeMm, isSmoothed }: BaseOptions,
  progress: Progress,
): Promise<BaseSurface> {
  const rim = contours.map((loop) => Float64Array.from(loop.flatMap((v) => [vertices[3 * v], vertices[3 * v + 1]])));
  const levels = baseLevels(rim, heightMm, extrudeMm, isSmoothed, progress);
  const added = levels.flatMap(verticesOf);
  let next = vertices.length / 3;
  const loops = [contours, ...levels.map(() => contours.map((loop) => loop.map(() => next++)))];
  const facets = sideFacets(loops);
  const outlines = [rim, ...levels.map((level) => level.outlines)];
  const bottomFrom = (triangles.length + facets.length) / 3;
  const corners = loops.at(-1)!.flat();
  // Reversed, so that the facets face down.
  for (const corner of (await triangulatePolygons(outlines.at(-1)!)).toReversed()) facets.push(corners[corner]);
  const allVertices = new Float64Array(vertices.length + added.length);
  allVertices.set(vertices);
  allVertices.set(added, vertices.length);
  const allTriangles = new Uint32Array(triangles.length + facets.length);
  allTriangles.set(triangles);
  allTriangles.set(facets, triangles.length);
  return {
    vertices: allVertices,
    triangles: allTriangles,
    bottomFrom,
    bottomMm: levels.at(-1)?.zMm ?? heightMm,
    outlines,
  };
}

/** The levels below the cut, from the top down; only one for vertical sides. */
function baseLevels(
  rim: readonly Polygon[],
  heightMm: number,
  extrudeMm: number,
  isSmoothed: boolean,
  progress: Progress,
): readonly OutlineLevel[] {
  if (extrudeMm === 0) return [];
  const vertical = [{ zMm: heightMm - extrudeMm, outlines: rim }];
  if (!isSmoothed) return vertical;
  const tries = Array.from({ length: HALVINGS }, (_, halving) =>
    LEVEL_DIVISORS.map((divisor) => ({ sigmaMm: SIGMA_MM / 2 ** halving, divisor })),
  ).flat();
  for (const [index, { sigmaMm, divisor }] of tries.entries()) {
    const levels = smoothLevels(rim, heightMm, extrudeMm, sigmaMm, divisor);
    const part = progress.part(index / tries.length, (index + 1) / tries.length);
    if (!areSidesIntersecting([{ zMm: heightMm, outlines: rim }, ...levels], part)) return levels;
  }
  return vertical;
}

function smoothLevels(
  rim: readonly Polygon[],
  heightMm: number,
  extrudeMm: number,
  sigmaMm: number,
  divisor: number,
): OutlineLevel[] {
  const count = Math.ceil(Math.min(MAX_LEVELS, extrudeMm / LEVEL_MM) / divisor);
  const sigmas = rim.map((outline) => Math.min(sigmaMm, cumulativeLengths(outline).at(-1)! * MAX_SIGMA_SHARE));
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 1) / count;
    // The variance of a blur grows linearly with its time.
    const outlines = rim.map((outline, k) => smoothOutline(outline, sigmas[k] * Math.sqrt(share)));
    return { zMm: heightMm - extrudeMm * share, outlines };
  });
}

/** Whether the sides from level to level intersect each other, at a level or between two. */
function areSidesIntersecting(levels: readonly OutlineLevel[], progress: Progress): boolean {
  let next = 0;
  const loops = levels.map(({ outlines }) =>
    outlines.map((outline) => Array.from({ length: cornerCount(outline) }, () => next++)),
  );
  const vertices = Float64Array.from(levels.flatMap(verticesOf));
  return isSelfIntersecting({ vertices, triangles: Uint32Array.from(sideFacets(loops)) }, progress);
}

/** x, y, z of the vertices of a level. */
const verticesOf = ({ zMm, outlines }: OutlineLevel): number[] =>
  outlines.flatMap((outline) =>
    Array.from({ length: cornerCount(outline) }, (_, i) => [outline[2 * i], outline[2 * i + 1], zMm]).flat(),
  );

/** Three vertices of each facet of the sides: from each loop of a level to the same loop of the level below. */
function sideFacets(levels: readonly (readonly (readonly number[])[])[]): number[] {
  const facets: number[] = [];
  levels.slice(1).forEach((loops, level) => {
    loops.forEach((below, k) => {
      const above = levels[level][k];
      for (let i = 0; i < above.length; i++) {
        const next = (i + 1) % above.length;
        facets.push(above[next], above[i], below[i], above[next], below[i], below[next]);
      }
    });
  });
  return facets;
}
