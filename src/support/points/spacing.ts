import { type Surface, triangleCount } from "../../mesh/mesh.ts";
import type { SupportSettings } from "../settings.ts";
import { areaNormalOf, directionOf } from "./surface-point.ts";

/**
 * How far apart points are, as a share of the bridging distance: so many points as PrusaSlicer 2.9 sets come out on the
 * models that were compared.
 */
const SHARE_OF_BRIDGE = 0.44;

/** Faces up to 10° from level count as flat. */
const FLAT_COSINE = 0.9848;

/** Points per area on slopes, as a share of those on flat faces: what leans carries a part of itself. */
const SHARE_ON_SLOPES = 0.42;

/** How far what overhangs may lie from what carries it before it gets a point, mm; infinite where it gets none. */
export interface Spacing {
  readonly flatMm: number;
  readonly ofFacet: (facet: number) => number;
}

/**
 * The spacing over a surface. Points per area grow with `density`, and on faces that are not flat with `density` ·
 * `slopeMultiplier`; so spacings go by one over the root of them. None is smaller than a touchpoint.
 */
export function spacingOver(surface: Surface, settings: SupportSettings): Spacing {
  const { bridgingDistanceMm, density, slopeMultiplier, touchpointSizeMm } = settings;
  const spacingMm = (points: number): number =>
    Math.max(touchpointSizeMm, (SHARE_OF_BRIDGE * bridgingDistanceMm) / Math.sqrt(points));
  const flatMm = spacingMm(density);
  const slopeMm = spacingMm(density * slopeMultiplier * SHARE_ON_SLOPES);
  /** Of each facet, once it was asked for; 0 until then. */
  const known = new Float64Array(triangleCount(surface));
  const isFlat = (facet: number): boolean => -directionOf(areaNormalOf(surface, facet))[2] >= FLAT_COSINE;
  return { flatMm, ofFacet: (facet) => (known[facet] ||= isFlat(facet) ? flatMm : slopeMm) };
}
