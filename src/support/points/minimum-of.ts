import type { Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { SpanGrid } from "../../slice/span-layers.ts";
import type { Anchorage } from "../anchorage/anchorage.ts";
import { insetOf } from "./inset.ts";
import type { LowPoint } from "./low-points.ts";
import { areaNormalOf, directionOf, DOWN, type SurfacePoint } from "./surface-point.ts";
import type { Underside } from "./underside.ts";

/** What an island is looked at with. */
export interface IslandRequest {
  readonly island: ReadonlySet<number>;
  readonly surface: Surface;
  readonly underside: Underside;
  readonly anchorage: Anchorage;
  /** Those of the island's layer. */
  readonly lowPoints: readonly LowPoint[];
  /** The middle of the island's layer. */
  readonly heightMm: number;
  readonly insetMm: number;
  readonly tree: () => FacetTree;
}

/** Smaller islands are tips, and held at their lowest point: pixels. */
const TIP_PIXELS = 16;

/**
 * Where an island is held, and a pixel of it there. A tip at its lowest vertex; a wider one at the middle, or, where its middle
 * is air, inside of the rim that is nearest to it; one that has neither at the surface nearest to its middle.
 */
export function minimumOf(request: IslandRequest): SurfacePoint & { readonly pixel: number } {
  const { island, underside, surface, anchorage, lowPoints, heightMm, insetMm } = request;
  const faced = [...island].filter((pixel) => underside.hasFace(pixel));
  if (faced.length > 0 && island.size > TIP_PIXELS) {
    const middle = nearestToMiddle(faced, island, underside.grid);
    const { pixel } = insetOf(middle, insetMm, underside, anchorage, (candidate) => island.has(candidate));
    return { ...underside.pointOver(pixel), pixel };
  }
  const own = lowPoints.filter(({ pixel }) => island.has(pixel));
  if (own.length > 0) {
    const lowest = own.reduce((a, b) => (b.position[2] < a.position[2] ? b : a));
    return { ...lowest, normal: downward(lowest.normal) };
  }
  const pixel = nearestToMiddle(faced.length > 0 ? faced : [...island], island, underside.grid);
  if (underside.hasFace(pixel)) return { ...underside.pointOver(pixel), pixel };
  const { point, facet } = nearestPoint(request.tree(), [...underside.middleOf(pixel), heightMm], Infinity)!;
  return { position: point, normal: downward(directionOf(areaNormalOf(surface, facet))), pixel };
}

/** What is lowest can be held from below, also where its facets on the whole look up. */
const downward = (normal: Vec3): Vec3 => (normal[2] > 0 ? DOWN : normal);

/** The pixel nearest to the middle of an island; the first of equal ones. Whole numbers, so that rounding decides nothing. */
function nearestToMiddle(pixels: readonly number[], island: ReadonlySet<number>, { columns }: SpanGrid): number {
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
