import { GREEN_MODULUS } from "./strengths.ts";

/** ∫ zⁿ / (E I) dz of a branch of a part, from its origin up to a height, for n = 0, 1, 2. */
export interface Flexibility {
  readonly zMm: number;
  readonly a0: number;
  readonly a1: number;
  readonly a2: number;
}

/**
 * Share of a layer's pull that acts sideways. Working value: the film peels from one side to the other, and vats tilt or
 * slide.
 */
export const SIDEWAYS_SHARE = 0.1;
/** Largest distance by which a layer may bend aside, mm. Working value: about four pixels of a fine printer. */
const MOST_BEND_MM = 0.2;
/** A part bears this many times the press of a layer onto the film before it buckles, as pillars do. */
const BUCKLING_MARGIN = 2;
/** Shorter lengths are ignored, mm: differences of their flexibilities are mere rounding errors, and necks have a check of their own. */
const LEAST_FREE_MM = 5;
/** Flexibility below which nothing bends. */
const LEAST_FLEXIBILITY = 1e-15;

/** The flexibility of a branch at the height where it begins. */
export const noFlexibility = (zMm: number): Flexibility => ({ zMm, a0: 0, a1: 0, a2: 0 });

/** The flexibility of a branch with one more layer, up to `zMm`, given its area and its second moment per area about its weak axis. */
export function bentBy(
  { a0, a1, a2 }: Flexibility,
  zMm: number,
  thicknessMm: number,
  areaMm2: number,
  momentMm2: number,
): Flexibility {
  const more = thicknessMm / (GREEN_MODULUS * areaMm2 * momentMm2);
  return { zMm, a0: a0 + more, a1: a1 + more * zMm, a2: a2 + more * zMm * zMm };
}

/**
 * Stiffness of a branch between a base and its end, as a share of what a layer there needs: it bends aside by
 * {@link MOST_BEND_MM} at most under a sideways force, and does not buckle under a press. A cantilever bends, under 1 N at
 * its end, by ∫ (end − z)² / (E I) dz = L³ / (3 E I), and buckles under π² E I / (4 L²) = π² L / 12 divided by that. Source:
 * S. P. Timoshenko, J. M. Gere, "Theory of Elastic Stability" (1961), section 2.1.
 */
export function stiffShare(end: Flexibility, base: Flexibility, sidewaysN: number, pressN: number): number {
  const { zMm: z } = end;
  if (z - base.zMm < LEAST_FREE_MM) return Infinity;
  const bendMmPerN = z * z * (end.a0 - base.a0) - 2 * z * (end.a1 - base.a1) + (end.a2 - base.a2);
  if (!(bendMmPerN > 0)) return Infinity;
  const criticalN = ((Math.PI * Math.PI) / 12) * ((z - base.zMm) / bendMmPerN);
  return Math.min(MOST_BEND_MM / (sidewaysN * bendMmPerN), criticalN / (BUCKLING_MARGIN * pressN));
}

/** Branches that join at a height: the stiffest branch, less flexible because the others help. */
export interface Joint {
  readonly flexibility: Flexibility;
  /** The flexibility from which the branch is measured. */
  readonly base: Flexibility;
  /** Flexibility of the joint divided by that of the stiffest branch. */
  readonly share: number;
}

/** Joins branches, each from its base to its end. */
export function jointOf(
  branches: readonly { readonly end: Flexibility; readonly base: Flexibility }[],
  zMm: number,
): Joint {
  const free = branches.map(({ end, base }) => {
    const { a0, a1, a2 } = difference(end, base);
    return { fromMm: base.zMm, flexibility: { zMm, a0: Math.max(LEAST_FLEXIBILITY, a0), a1, a2 } };
  });
  const stiffest = free.reduce((a, b) => (b.flexibility.a0 < a.flexibility.a0 ? b : a));
  const share = 1 / free.reduce((sum, { flexibility }) => sum + stiffest.flexibility.a0 / flexibility.a0, 0);
  return { flexibility: scaled(stiffest.flexibility, share), base: noFlexibility(stiffest.fromMm), share };
}

/** Converts a place on a branch that ends at a joint to a place on the chain that continues above. */
export function beyondJoint(at: Flexibility, end: Flexibility, { flexibility, share }: Joint): Flexibility {
  return { ...difference(flexibility, scaled(difference(end, at), share)), zMm: at.zMm };
}

const difference = (a: Flexibility, b: Flexibility): Flexibility => ({
  zMm: a.zMm,
  a0: a.a0 - b.a0,
  a1: a.a1 - b.a1,
  a2: a.a2 - b.a2,
});

const scaled = ({ zMm, a0, a1, a2 }: Flexibility, share: number): Flexibility => ({
  zMm,
  a0: share * a0,
  a1: share * a1,
  a2: share * a2,
});
