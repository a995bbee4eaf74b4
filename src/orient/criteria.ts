import type { Profile } from "../catalog/profile-types.ts";

/** What a way to stand costs, in square and other millimetres. */
export interface Measures {
  /** Faces that look down and need support, each by its severity (`overhangAt`), without what lies on the platform. */
  readonly overhangMm2: number;
  /** Those faces times their height: how much there is of the supports. */
  readonly liftMm3: number;
  /** Faces on the platform. */
  readonly contactMm2: number;
  /** Faces that are level but for 15°, up or down. */
  readonly levelMm2: number;
  /** The largest layer. */
  readonly peakMm2: number;
  /** Of the layer that a random point of the solid lies in: ∫ A² dz / ∫ A dz. */
  readonly meanLayerMm2: number;
  readonly heightMm: number;
}

/**
 * How much of each measure a way to stand may have to be worth avoiding. Areas count as shares of the part's surface,
 * heights as shares of the root of it, so a part stands as its copy of twice the size does.
 */
export interface Weights {
  readonly overhang: number;
  readonly lift: number;
  readonly contact: number;
  readonly level: number;
  readonly peak: number;
  readonly meanLayer: number;
  /** Of the largest layer beyond all that holds the part, on the platform or on supports. */
  readonly unheld: number;
  readonly height: number;
  /** Of the area that is sealed (`sealedMm2`). */
  readonly cups: number;
}

export interface Criteria {
  /** Between a face that looks down and the level; flatter faces need support. Powder has none. */
  readonly selfSupportingAngleDeg: number;
  readonly weights: Weights;
}

/**
 * Resin. Overhangs are what supports hold, what they mark and what must be sanded, so they are the measure of all: a weight of
 * 1. What they stand on grows with their height, so 1/4 for that. Each layer is pulled off its film with a force that grows with
 * its area: the largest decides whether the part comes off its supports (1/2), the usual one how long each layer takes and how
 * strongly supports must be (1/4; the plain sum of all layers is the volume, whichever way a part stands). Height is print time, of
 * which users complain less than of marks (1/20). A sealed cup holds a vacuum of up to an atmosphere over its area, which tears
 * layers, where an overhang only leaves marks (4). A face on the platform costs no support, but it needs one once the part is lifted
 * onto a raft, and it is squashed by the first layers (1/8). A part that touches the platform with less than its largest layer, and
 * needs supports nowhere, is torn off by that layer: what is missing must be held on faces that need no support (1/2).
 */
const RESIN: Weights = {
  overhang: 1,
  lift: 1 / 4,
  contact: 1 / 8,
  level: 0,
  peak: 1 / 2,
  meanLayer: 1 / 4,
  unheld: 1 / 2,
  height: 1 / 20,
  cups: 4,
};

/**
 * Powder. Nothing needs support and no cup seals; each layer costs the time of a recoat, so height leads. Large layers that change
 * at once curl as they cool (Diegel and others, "A Practical Guide to Design for Additive Manufacturing", on sintering: tilt large
 * flat faces), hence level faces and the areas of layers.
 */
const POWDER: Weights = {
  overhang: 0,
  lift: 0,
  contact: 0,
  level: 1 / 2,
  peak: 1 / 2,
  meanLayer: 1 / 4,
  unheld: 0,
  height: 1 / 3,
  cups: 0,
};

export const criteriaOf = (profile: Profile): Criteria =>
  profile.family === "resin"
    ? { selfSupportingAngleDeg: profile.selfSupportingAngleDeg, weights: RESIN }
    : { selfSupportingAngleDeg: 0, weights: POWDER };

/** What a way to stand costs without its cups. Without unit. */
export function costOf(measures: Measures, areaMm2: number, { weights }: Criteria): number {
  const sizeMm = Math.sqrt(areaMm2);
  const areas =
    weights.overhang * measures.overhangMm2 +
    weights.contact * measures.contactMm2 +
    weights.level * measures.levelMm2 +
    weights.peak * measures.peakMm2 +
    weights.meanLayer * measures.meanLayerMm2 +
    weights.unheld * Math.max(0, measures.peakMm2 - measures.contactMm2 - measures.overhangMm2);
  return (areas + (weights.lift * measures.liftMm3) / sizeMm) / areaMm2 + (weights.height * measures.heightMm) / sizeMm;
}
