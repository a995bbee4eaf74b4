import { upperBound } from "../../geometry/binary-search.ts";
import type { SpanGrid, SpanLayer } from "../../geometry/spans.ts";
import { ORIGIN, type Vec3, add } from "../../geometry/vector.ts";
import type { LastIslands } from "../../hold/sections.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { type Surface, facetNormal, vertexAt } from "../../mesh/mesh.ts";
import { DOWN, type SurfacePoint, type Underside, unitNormal } from "./underside.ts";

/** Islands of a layer, each as the set of pixels that it touches on a grid of `columns` columns whose pixels are twice as large. */
export function islandPixels(
  { rowStarts, starts, ends }: SpanLayer,
  { regions, regionOf }: LastIslands,
  columns: number,
): Set<number>[] {
  if (regions.length === 0) return [];
  const pixelsOf = new Map(regions.map((region) => [region, new Set<number>()]));
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const pixels = pixelsOf.get(regionOf[span]);
      if (!pixels) continue;
      for (let column = starts[span] >> 1; 2 * column < ends[span]; column++) {
        pixels.add((row >> 1) * columns + column);
      }
    }
  }
  return [...pixelsOf.values()];
}

export interface IslandRequest {
  readonly island: ReadonlySet<number>;
  readonly surface: Surface;
  readonly underside: Underside;
  /** Local minima of the surface in the island's layer. */
  readonly localMinima: readonly LocalMinimum[];
  /** Height at which the island's layer is sampled. */
  readonly heightMm: number;
  readonly insetMm: number;
  readonly bvh: () => Bvh;
}

/** Smaller islands are tips, held at their lowest vertex; pixels. */
const TIP_PIXELS = 16;

/**
 * The touchpoint of an island and its pixel. A tip is held at its lowest vertex, a larger island near its centroid or, if that is
 * outside of it, at the nearest edge, inset. An island with neither is held where the surface is nearest to its centroid.
 */
export function islandTouchpoint(request: IslandRequest): SurfacePoint & { readonly pixel: number } {
  const { island, underside, surface, localMinima, heightMm, insetMm } = request;
  const withFacet = [...island].filter((pixel) => underside.hasFacet(pixel));
  if (withFacet.length > 0 && island.size > TIP_PIXELS) {
    const central = nearestToCentroid(withFacet, island, underside.grid);
    const { pixel } = underside.insetFromEdges(central, insetMm, (candidate) => island.has(candidate));
    return { ...underside.pointAt(pixel), pixel };
  }
  const own = localMinima.filter(({ pixel }) => island.has(pixel));
  if (own.length > 0) {
    const lowest = own.reduce((a, b) => (b.position[2] < a.position[2] ? b : a));
    return { ...lowest, normal: notUpward(lowest.normal) };
  }
  const pixel = nearestToCentroid(withFacet.length > 0 ? withFacet : [...island], island, underside.grid);
  if (underside.hasFacet(pixel)) return { ...underside.pointAt(pixel), pixel };
  // Without a limit of distance there always is a closest point.
  const { point, facet } = closestPoint(request.bvh(), [...underside.pixelCentre(pixel), heightMm], Infinity)!;
  return { position: point, normal: notUpward(unitNormal(facetNormal(surface, facet))), pixel };
}

/** A lowest point can be held from below even where the mean of its facets' normals points up. */
const notUpward = (normal: Vec3): Vec3 => (normal[2] > 0 ? DOWN : normal);

/**
 * The pixel nearest to the centroid of an island; the first of equal ones. In whole numbers, so that no rounding
 * decides.
 */
function nearestToCentroid(pixels: readonly number[], island: ReadonlySet<number>, { columns }: SpanGrid): number {
  let [sumX, sumY] = [0, 0];
  for (const pixel of island) {
    sumX += pixel % columns;
    sumY += Math.floor(pixel / columns);
  }
  let [nearest, least] = [pixels[0], Infinity];
  for (const pixel of pixels) {
    const x = (pixel % columns) * island.size - sumX;
    const y = Math.floor(pixel / columns) * island.size - sumY;
    if (x * x + y * y < least) [nearest, least] = [pixel, x * x + y * y];
  }
  return nearest;
}

/** A vertex that is no higher than any adjacent vertex. */
interface LocalMinimum extends SurfacePoint {
  /** The pixel that contains it. */
  readonly pixel: number;
}

/** The local minima of a surface in scene coordinates, by the first layer that is sampled above them. */
export function findLocalMinima(
  surface: Surface,
  sampleHeightsMm: Float64Array,
  grid: SpanGrid,
): Map<number, LocalMinimum[]> {
  const { vertices, triangles } = surface;
  const isMinimum = new Uint8Array(vertices.length / 3);
  for (let at = 0; at < triangles.length; at++) isMinimum[triangles[at]] = 1;
  for (let at = 0; at < triangles.length; at++) {
    const from = triangles[at];
    const to = triangles[at % 3 === 2 ? at - 2 : at + 1];
    const rise = vertices[3 * to + 2] - vertices[3 * from + 2];
    if (rise !== 0) isMinimum[rise > 0 ? to : from] = 0;
  }
  const corners: number[] = [];
  for (let at = 0; at < triangles.length; at++) if (isMinimum[triangles[at]] === 1) corners.push(at);
  const minima = [...Map.groupBy(corners, (at) => triangles[at])].map(([vertex, around]): LocalMinimum => {
    const position = vertexAt(surface, vertex);
    const normals = around.map((at) => facetNormal(surface, Math.floor(at / 3)));
    const column = Math.floor((position[0] - grid.leftMm) / grid.pixelMm);
    const row = Math.floor((grid.backMm - position[1]) / grid.pixelMm);
    return { position, normal: unitNormal(normals.reduce(add, ORIGIN)), pixel: row * grid.columns + column };
  });
  return Map.groupBy(minima, ({ position }) => upperBound(sampleHeightsMm, position[2]));
}
