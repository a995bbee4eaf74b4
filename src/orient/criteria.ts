import { cosSin } from "../geometry/vector.ts";
import type { HoldEstimate } from "./hold-estimate.ts";
import type { Profile } from "../catalog/profile-types.ts";

/** Measures of a part in one orientation. */
export interface Measures {
  /**
   * Area of overhanging faces without the base, each face times its weight (`overhangWeight`) and the cost of marks on it
   * (`FaceImportance`).
   */
  readonly overhangMm2: number;
  /** Sum of area times weight times height over these faces: the amount of supports. */
  readonly liftMm3: number;
  /** Area of the base: faces at the lowest point, and with less weight faces slightly above it. */
  readonly contactMm2: number;
  /** Area of faces within 15° of the horizontal, up or down. */
  readonly levelMm2: number;
  /** Area of the largest layer. */
  readonly peakMm2: number;
  /** Mean area of the layer over the volume of the part: ∫ A² dz / ∫ A dz. */
  readonly meanLayerMm2: number;
  readonly heightMm: number;
}

/**
 * Weights of the measures in the cost of an orientation. Areas are divided by the surface area of the part and lengths
 * by its square root, so the best orientation does not depend on the size of the part.
 */
export interface CostWeights {
  readonly overhang: number;
  readonly lift: number;
  readonly contact: number;
  readonly level: number;
  readonly peak: number;
  readonly meanLayer: number;
  /** Area whose tips hold the part ({@link HoldEstimate}), minus the area of the tips that overhangs and base have anyway. */
  readonly unheld: number;
  /** Penalty for a part that bends too far, from 0 to 1. */
  readonly wobble: number;
  readonly height: number;
  /** Weight of the area of cups (`sealedSpace`). */
  readonly cups: number;
}

export interface Criteria {
  /** Overhanging faces at a smaller angle to the horizontal need support. Ignored for powder. */
  readonly selfSupportingAngleDeg: number;
  readonly weights: CostWeights;
}

/**
 * Resin. Supports hold and mark overhangs, which must be sanded: overhangs are the reference with weight 1. The amount of supports
 * grows with the height of overhangs (1/4). Short tips mark the base of a part, where the marks are seldom seen (1/4). Each layer is
 * peeled off the film with a force that grows with its area: the mean area decides how long each layer takes and how strong supports
 * must be (1/2; the plain sum of all layers is the volume, in every orientation), the largest area how strong the tips and the raft
 * are (1/4). Layers that the tips under overhangs and base do not hold need tips on faces that otherwise need none (1). A part that
 * bends as it is peeled shows it on all its faces, and needs braces on them (1/10 of the surface). Height is print time, of which
 * users complain less than of marks (1/12).
 */
const RESIN: CostWeights = {
  overhang: 1,
  lift: 1 / 4,
  contact: 1 / 4,
  level: 0,
  peak: 1 / 4,
  meanLayer: 1 / 2,
  unheld: 1,
  wobble: 1 / 10,
  height: 1 / 12,
  cups: 4,
};

/**
 * Powder. Nothing needs support and no cup is sealed; each layer costs the time of a recoat, so height has the most
 * influence. Large flat areas that are fused at once curl as they cool (Diegel, Nordin, Motte 2019, "A Practical Guide
 * to Design for Additive Manufacturing", on sintering: tilt large flat faces), hence the weights of horizontal faces
 * and of the areas of layers.
 */
const POWDER: CostWeights = {
  overhang: 0,
  lift: 0,
  contact: 0,
  level: 1 / 2,
  peak: 1 / 2,
  meanLayer: 1 / 4,
  unheld: 0,
  wobble: 0,
  height: 1 / 3,
  cups: 0,
};

export const criteriaOf = (profile: Profile): Criteria =>
  profile.family === "resin"
    ? { selfSupportingAngleDeg: profile.selfSupportingAngleDeg, weights: RESIN }
    : { selfSupportingAngleDeg: 0, weights: POWDER };

/** A part that bends by this distance counts half as much as a part that bends without limit, mm. Working value. */
const HALF_WOBBLE_MM = 0.2;

/** The cost of an orientation without its cups; dimensionless. */
export function costOf(measures: Measures, hold: HoldEstimate, areaMm2: number, { weights }: Criteria): number {
  const sizeMm = Math.sqrt(areaMm2);
  const unheldMm2 = Math.max(0, hold.loadMm2 - measures.contactMm2 - measures.overhangMm2);
  const wobble = hold.bendMm / (hold.bendMm + HALF_WOBBLE_MM);
  const areas =
    weights.overhang * measures.overhangMm2 +
    weights.contact * measures.contactMm2 +
    weights.level * measures.levelMm2 +
    weights.peak * measures.peakMm2 +
    weights.meanLayer * measures.meanLayerMm2 +
    weights.unheld * unheldMm2;
  const mm3 = measures.liftMm3 + (unheldMm2 * measures.heightMm) / 2;
  return (
    (areas + (weights.lift * mm3) / sizeMm) / areaMm2 +
    (weights.height * measures.heightMm) / sizeMm +
    weights.wobble * wobble
  );
}

/** The need for support rises from 0 to 1 over this range of angles: the limit differs between machines and resins. */
const ONSET_DEG = 14;
/**
 * A face at less than 10° to the horizontal grows by large areas from one layer to the next; at more than 25° it does
 * not.
 */
const FLAT_DEG = [25, 10] as const;
/** Faces within 5° of the horizontal curl or peel in one piece; those beyond 15° do not. */
const LEVEL_DEG = [15, 5] as const;
/** Additional weight of a horizontal overhang relative to one that just needs support. */
const FLAT_EXTRA = 1 / 2;

/** Weight, times the cosine, of a face that leans out without needing support for itself: tips below bear the part above it. */
const LEANING_WEIGHT = 0.7;

/** Rounded: the last bits of cosines differ between JavaScript engines. */
const cosineOfDegrees = (deg: number): number => cosSin((deg * Math.PI) / 180)[0];

/** A function that rises linearly from 0 at the cosine `from` to 1, with a slope. */
interface Ramp {
  readonly from: number;
  readonly slope: number;
}

/** The weights of a face by its angle to the horizontal. */
export interface SlopeWeights {
  readonly need: Ramp;
  readonly flat: Ramp;
  readonly level: Ramp;
}

export const slopeWeightsOf = ({ selfSupportingAngleDeg }: Criteria): SlopeWeights => ({
  need: newRamp(selfSupportingAngleDeg + ONSET_DEG, selfSupportingAngleDeg),
  flat: newRamp(...FLAT_DEG),
  level: newRamp(...LEVEL_DEG),
});

const newRamp = (fromDeg: number, toDeg: number): Ramp => {
  const from = cosineOfDegrees(fromDeg);
  return { from, slope: 1 / (cosineOfDegrees(toDeg) - from) };
};

function rampValue(c: number, ramp: Ramp): number {
  const share = (c - ramp.from) * ramp.slope;
  return share <= 0 ? 0 : share >= 1 ? 1 : share;
}

/**
 * Weight of an overhang, from 0 on a vertical face to 3/2 on a horizontal overhang. `c` is the cosine between the normal of the face
 * and straight down.
 */
export function overhangWeight(c: number, { need, flat }: SlopeWeights): number {
  if (c <= 0) return 0;
  const leaning = LEANING_WEIGHT * c * c;
  return c <= need.from ? leaning : Math.max(leaning, rampValue(c, need) * (1 + FLAT_EXTRA * rampValue(c, flat)));
}

/** Weight of a level face, from 0 on a steep face to 1 on a horizontal one, up or down. */
export const levelWeight = (c: number, slopeWeights: SlopeWeights): number =>
  rampValue(Math.abs(c), slopeWeights.level);
