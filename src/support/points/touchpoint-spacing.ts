import type { Vec3 } from "../../geometry/vector.ts";
import { type Surface, facetNormal, triangleCount } from "../../mesh/mesh.ts";
import type { SupportSettings } from "../support-settings.ts";
import { unitNormal } from "./underside.ts";

/**
 * Spacing as a share of the bridging distance: gives about as many points as PrusaSlicer 2.9 on the models compared.
 */
const SHARE_OF_BRIDGE = 0.44;

/** Faces up to 10° from horizontal count as flat. */
const FLAT_COSINE = 0.9848;

/** Whether a face that has this unit normal faces down and counts as flat. */
export const isFlat = (normal: Vec3): boolean => -normal[2] >= FLAT_COSINE;

/** Points per area on slopes, as a share of those on flat faces: a slope supports part of itself. */
const SHARE_ON_SLOPES = 0.42;

/** The largest overhang distance that needs no touchpoint, mm; infinite where none is ever needed. */
export interface Spacing {
  readonly flatMm: number;
  readonly ofFacet: (facet: number) => number;
}

/**
 * The spacing over a surface. Points per area grow with `density`, and on faces that are not flat with `density` ·
 * `slopeMultiplier`, so spacings are divided by the square root of these. None is smaller than a touchpoint.
 */
export function touchpointSpacing(surface: Surface, settings: SupportSettings): Spacing {
  const { bridgingDistanceMm, density, slopeMultiplier, touchpointSizeMm } = settings;
  const spacingMm = (points: number): number =>
    Math.max(touchpointSizeMm, (SHARE_OF_BRIDGE * bridgingDistanceMm) / Math.sqrt(points));
  const flatMm = spacingMm(density);
  const slopeMm = spacingMm(density * slopeMultiplier * SHARE_ON_SLOPES);
  /** Cache by facet; 0: not computed yet. */
  const known = new Float64Array(triangleCount(surface));
  const ofFacet = (facet: number): number => (isFlat(unitNormal(facetNormal(surface, facet))) ? flatMm : slopeMm);
  return { flatMm, ofFacet: (facet) => (known[facet] ||= ofFacet(facet)) };
}
