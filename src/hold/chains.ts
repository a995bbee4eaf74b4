import {
  type Holds,
  type SecondMoments,
  type VirtualRotation,
  addHold,
  addHolds,
  bearableByOne,
  discMoments,
  newHolds,
  noRotation,
} from "./equilibrium.ts";
import {
  type Flexibility,
  type Joint,
  SIDEWAYS_SHARE,
  bentBy,
  beyondJoint,
  jointOf,
  noFlexibility,
  stiffShare,
} from "./flexibility.ts";
import type { HeldTip } from "./held-tip.ts";
import type { Sections } from "./sections.ts";
import { BEARING_SHARE, PEEL_STRESS, TEARING_STRESS } from "./strengths.ts";

/** A cut through the part at its weakest sections so far. These sections and the tips above them hold everything above. */
export interface Cut {
  /** The highest layer of its sections. */
  readonly layer: number;
  /** Least resistance to bending of the sections of the cut, as area times width, mm³. */
  readonly resistance: number;
  readonly sections: readonly Section[];
  /** The sections, and the tips above them. */
  readonly holds: Holds;
  /** The virtual rotation that the holds resisted least in the last layer. */
  readonly rotation: VirtualRotation;
}

interface Section {
  readonly strengthN: number;
  readonly x: number;
  readonly y: number;
  readonly moments: SecondMoments;
}

/** A branch of the part: regions on top of each other, where each region is the only one that touches the next. */
export interface Chain {
  /** The cuts that carry the part above: those of this chain and those below it. */
  cuts: Cut[];
  /** The cuts that tips on this chain may hold, each with the height from which a tip is above it. */
  listeners: { readonly cut: Cut; readonly fromMm: number }[];
  /** The cut at the weakest region of this chain. */
  own: Cut | undefined;
  /** The latest tips in the order in which they were added, and the flexibility of the chain up to each. */
  tips: { readonly tip: HeldTip; readonly at: Flexibility }[];
  /** The flexibility of everything below this chain: the part above may bend freely from here. */
  base: Flexibility;
}

/**
 * Layers with less pull are ignored, N: one touchpoint of 0.5 mm bears this force, and on fine blades and pins its mark harms more than it
 * helps.
 */
const LEAST_PULL_N = 0.4;
/** A region whose strength is less than this factor times that of the weakest region below it is a new cut. */
const WEAKER = 0.9;
/** Maximum number of cuts per chain; the latest ones are kept, because lattices split and join in each layer. */
const MAX_CUTS = 3;
const MAX_LISTENERS = 12;
const MAX_TIPS = 512;
/** The ball of a tip enters the part: it grips sections up to this height above its touchpoint. Half of the usual touchpoint. */
const TIP_GRIP_MM = 0.25;
/** Added to the second moments of all sections, mm²: sheets thinner than a pixel have none. */
const LEAST_MOMENT_MM2 = 1e-4;

/** The branches of a part, their weakest sections, and how far they bend. */
export class Chains {
  readonly #sections: Sections;
  readonly #groundMm: number;
  /** The chain of each region. */
  readonly #chains: Chain[] = [];
  /** Number of regions that each region touches in the layer above. */
  readonly #aboveCounts: Int32Array;
  /** {@link Flexibility} up to each region. */
  readonly #flexibilities: Flexibility[] = [];

  /** Regions that begin below `groundMm` rest on the platform or the raft. */
  constructor(sections: Sections, groundMm: number) {
    this.#sections = sections;
    this.#groundMm = groundMm;
    this.#aboveCounts = new Int32Array(sections.areasMm2.length);
    for (const region of sections.below) this.#aboveCounts[region]++;
  }

  of(region: number): Chain {
    return this.#chains[region];
  }

  /** Adds a region. Regions are added from the lowest up. */
  addRegion(region: number, layer: number): void {
    const { below, belowStarts, heightsMm } = this.#sections;
    const belows = below.subarray(belowStarts[region], belowStarts[region + 1]);
    const zMm = heightsMm[layer];
    const thicknessMm = layer > 0 ? zMm - heightsMm[layer - 1] : 2 * zMm;
    let from = noFlexibility(zMm - thicknessMm / 2);
    let chain: Chain = { cuts: [], listeners: [], own: undefined, tips: [], base: from };
    const isFree = belows.length === 0 && zMm > this.#groundMm;
    if (isFree) startInAir(chain, layer, from.zMm);
    if (belows.length === 1) {
      const parent = this.#chains[belows[0]];
      from = this.#flexibilities[belows[0]];
      chain = this.#aboveCounts[belows[0]] === 1 ? parent : forked(parent);
    } else if (belows.length > 1) {
      const ends = new Map([...belows].map((one) => [this.#chains[one], this.#flexibilities[one]]));
      const joint = jointOf(
        [...ends].map(([{ base }, end]) => ({ end, base })),
        from.zMm,
      );
      from = joint.flexibility;
      chain = this.#merged(ends, joint);
    }
    this.#chains[region] = chain;
    const { areasMm2 } = this.#sections;
    this.#flexibilities[region] = bentBy(from, zMm, thicknessMm, areasMm2[region], this.#leastMomentMm2(region));
    // Nothing is below the first region of a branch that begins in mid-air.
    if (!isFree) this.#cutAt(chain, region, layer);
  }

  attach(tip: HeldTip): void {
    const chain = this.#chains[tip.region];
    for (const { cut, fromMm } of chain.listeners) addIfAbove(cut, tip, fromMm);
    chain.tips.push({ tip, at: this.#flexibilities[tip.region] });
    if (chain.tips.length > MAX_TIPS) chain.tips.shift();
  }

  isAbove(region: number, zMm: number, cut: Cut): boolean {
    return this.#chains[region].listeners.some((one) => one.cut === cut && isAboveMm(zMm, one.fromMm));
  }

  /** The sideways share of the pull on a region, N. */
  sidewaysN(region: number, margin: number): number {
    return SIDEWAYS_SHARE * margin * PEEL_STRESS * this.#sections.areasMm2[region];
  }

  /**
   * {@link stiffShare} of the structure below a region, under the sideways share of the pull on its layer and under its press onto the
   * film, which is as large as the pull. If tips bear that share, the part above them counts as clamped there.
   */
  stiffShareOf(region: number, margin: number): number {
    const chain = this.#chains[region];
    const pullN = margin * PEEL_STRESS * this.#sections.areasMm2[region];
    if (pullN < margin * LEAST_PULL_N) return Infinity;
    const sidewaysN = this.sidewaysN(region, margin);
    const end = this.#flexibilities[region];
    const share = stiffShare(end, chain.base, sidewaysN, pullN);
    if (share >= 1) return share;
    const clamped = highestHold(chain, sidewaysN);
    if (!clamped || clamped.zMm <= chain.base.zMm) return share;
    chain.base = clamped;
    return stiffShare(end, clamped, sidewaysN, pullN);
  }

  /** The least second moment per area of a region about an axis through its centroid. */
  #leastMomentMm2(region: number): number {
    const { xx, xy, yy } = this.#sections;
    const mean = (xx[region] + yy[region]) / 2;
    const half = (xx[region] - yy[region]) / 2;
    return Math.max(0, mean - Math.sqrt(half * half + xy[region] * xy[region])) + LEAST_MOMENT_MM2;
  }

  /** A chain on top of several chains: the part above is held by their weakest cuts and their tips together. */
  #merged(ends: ReadonlyMap<Chain, Flexibility>, joint: Joint): Chain {
    const { heightsMm } = this.#sections;
    const parents = [...ends.keys()];
    const weakest = parents.map(({ cuts }) => cuts.reduce(weaker));
    const holds = newHolds();
    for (const cut of weakest) addHolds(holds, cut.holds);
    const cut: Cut = {
      layer: Math.max(...weakest.map(({ layer }) => layer)),
      resistance: weakest.reduce((sum, { resistance }) => sum + resistance, 0),
      sections: weakest.flatMap(({ sections }) => sections),
      holds,
      rotation: noRotation(),
    };
    parents.forEach((parent, i) => listen(parent, cut, heightsMm[weakest[i].layer]));
    const tips = [...ends].flatMap(([{ tips: own }, end]) =>
      own.map(({ tip, at }) => ({ tip, at: beyondJoint(at, end, joint) })),
    );
    return {
      cuts: [cut],
      listeners: [{ cut, fromMm: joint.flexibility.zMm }],
      own: undefined,
      tips: tips.slice(-MAX_TIPS),
      base: joint.base,
    };
  }

  #cutAt(chain: Chain, region: number, layer: number): void {
    const { areasMm2, x, y, xx, xy, yy, heightsMm } = this.#sections;
    const resistance = areasMm2[region] * Math.sqrt(this.#leastMomentMm2(region));
    if (chain.own && resistance >= WEAKER * chain.own.resistance) return;
    const strengthN = BEARING_SHARE * TEARING_STRESS * areasMm2[region];
    const moments: SecondMoments = [xx[region], xy[region], yy[region]];
    const holds = newHolds();
    addHold(holds, strengthN, x[region], y[region], moments);
    const cut: Cut = {
      layer,
      resistance,
      sections: [{ strengthN, x: x[region], y: y[region], moments }],
      holds,
      rotation: noRotation(),
    };
    chain.cuts = [...chain.cuts.filter((one) => one !== chain.own), cut].slice(-MAX_CUTS);
    chain.own = cut;
    // Tips slightly below the cut grip it.
    for (const { tip } of chain.tips) addIfAbove(cut, tip, heightsMm[layer]);
    listen(chain, cut, heightsMm[layer]);
  }
}

/** Whether one of the sections of a cut bears a load alone. */
export const sectionBears = ({ sections }: Cut, loadN: number, loadX: number, loadY: number): boolean =>
  sections.some(({ strengthN, x, y, moments }) => bearableByOne(strengthN, moments, loadX - x, loadY - y) >= loadN);

/** Whether a tip at a height is above a cut, or grips the part on both sides of the cut. */
const isAboveMm = (zMm: number, cutMm: number): boolean => zMm > cutMm - TIP_GRIP_MM;

/** Adds a tip to the holds of a cut if it is above the cut and the foot of its pillar is not. */
function addIfAbove({ holds }: Cut, { position: [x, y, z], strengthN, sizeMm, foot }: HeldTip, cutMm: number): void {
  const footMm = foot?.[2] ?? -Infinity;
  if (isAboveMm(z, cutMm) && footMm < cutMm) addHold(holds, strengthN, x, y, discMoments(sizeMm));
}

const weaker = (a: Cut, b: Cut): Cut => (b.resistance < a.resistance ? b : a);

const forked = ({ cuts, listeners, tips, base }: Chain): Chain => ({
  cuts: [...cuts],
  listeners: [...listeners],
  own: undefined,
  tips: [...tips],
  base,
});

/** A part that begins in mid-air hangs on its tips alone: its lowest cut has no section. */
function startInAir(chain: Chain, layer: number, fromMm: number): void {
  const cut: Cut = { layer, resistance: 0, sections: [], holds: newHolds(), rotation: noRotation() };
  chain.cuts = [cut];
  listen(chain, cut, fromMm);
}

function listen(chain: Chain, cut: Cut, fromMm: number): void {
  chain.listeners.push({ cut, fromMm });
  if (chain.listeners.length > MAX_LISTENERS) chain.listeners.shift();
}

/**
 * The flexibility up to the highest tip that bears a sideways force together with the tips above it; undefined if all tips together do not
 * bear it.
 */
function highestHold({ tips }: Chain, sidewaysN: number): Flexibility | undefined {
  let strengthN = 0;
  return tips
    .filter(({ tip }) => !tip.foot)
    .toSorted((a, b) => b.tip.position[2] - a.tip.position[2])
    .find(({ tip }) => (strengthN += tip.strengthN) >= sidewaysN)?.at;
}
