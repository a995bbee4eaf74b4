import type { Criteria } from "../criteria.ts";

/** Degrees over which the need for support sets in, on faces a little too steep to need it: machines and resins differ. */
const ONSET_DEG = 10;
/** A face flatter than the second of these grows by whole islands from one layer to the next; tilted by the first it does not. */
const FLAT_DEG = [25, 10] as const;
/** Faces within the second of these of the level curl or peel as one; those beyond the first do not. */
const LEVEL_DEG = [15, 5] as const;
/** How much more a level face weighs than one that just needs support. */
const FLAT_EXTRA = 1 / 2;

/** Cosines are rounded: engines may differ in their last bits. */
const cosineOf = (deg: number): number => Math.fround(Math.cos((deg * Math.PI) / 180));

/** A share that grows from 0 at one cosine to 1 at a larger one. */
interface Ramp {
  readonly from: number;
  /** What it grows by, per unit. */
  readonly slope: number;
}

/** How much a face counts by how it looks. */
export interface Severity {
  readonly need: Ramp;
  readonly flat: Ramp;
  readonly level: Ramp;
}

export const severityOf = ({ selfSupportingAngleDeg }: Criteria): Severity => ({
  need: rampOf(selfSupportingAngleDeg + ONSET_DEG, selfSupportingAngleDeg),
  flat: rampOf(...FLAT_DEG),
  level: rampOf(...LEVEL_DEG),
});

const rampOf = (fromDeg: number, toDeg: number): Ramp => {
  const from = cosineOf(fromDeg);
  return { from, slope: 1 / (cosineOf(toDeg) - from) };
};

function shareAt(c: number, ramp: Ramp): number {
  const share = (c - ramp.from) * ramp.slope;
  return share <= 0 ? 0 : share >= 1 ? 1 : share;
}

/**
 * From 0 on a face that carries itself to 3/2 on one that is level and looks down. `c` is the cosine between its normal and straight
 * down.
 */
export const overhangAt = (c: number, severity: Severity): number =>
  c <= severity.need.from ? 0 : shareAt(c, severity.need) * (1 + FLAT_EXTRA * shareAt(c, severity.flat));

/** From 0 to 1, up or down. */
export const levelAt = (c: number, severity: Severity): number => shareAt(Math.abs(c), severity.level);
