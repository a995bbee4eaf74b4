import { type DisjointSets, newDisjointSets } from "../geometry/disjoint-sets.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { Chains, type Cut, sectionBears } from "./chains.ts";
import {
  type Holds,
  type VirtualRotation,
  addHold,
  addHolds,
  bearableN,
  discMoments,
  newHolds,
  noRotation,
  riseAt,
  surelyBear,
} from "./equilibrium.ts";
import type { HeldTip } from "./held-tip.ts";
import { type Sections, regionBelow } from "./sections.ts";
import { BEARING_SHARE, BOND_STRENGTH, PEEL_STRESS } from "./strengths.ts";

/**
 * Why a part is not held: the film pulls harder than all tips bear (`PULL`), or too far from them (`LEAN`); a section of the part
 * itself tears or breaks (`NECK`); the part is so tall and thin that it bends aside or buckles (`WOBBLE`).
 */
export type WeaknessKind = "PULL" | "LEAN" | "NECK" | "WOBBLE";

export interface Weakness {
  readonly kind: WeaknessKind;
  /** A point in the layer that is not held. */
  readonly point: Vec3;
  /** Fraction of the layer's load that is borne, from 0 to below 1; for `WOBBLE` the fraction of the required stiffness. */
  readonly heldShare: number;
  /** Height of the section that breaks, mm; only for a `NECK`. */
  readonly neckMm?: number;
}

/** The need for one more tip. */
export interface HoldNeed {
  /** Largest height at which a tip helps, mm. */
  readonly topMm: number;
  /** Whether a tip on a region at a height helps. */
  readonly helps: (region: number, zMm: number) => boolean;
  /** Whether a tip helps whose pillar ends on the part itself, at a foot. */
  readonly helpsFrom: (foot: Vec3) => boolean;
  /** Benefit of a tip at a place, at least 0. */
  readonly gain: (position: Vec3) => number;
}

export interface HoldRequest {
  readonly sections: Sections;
  readonly tips: readonly HeldTip[];
  /** Parts that begin below this height rest on the platform or the raft, mm. */
  readonly groundMm: number;
  /** Factor of all loads. */
  readonly margin: number;
  /** Returns one more tip for a need; undefined if there is none. If absent, no tips are added. */
  readonly reinforce?: (need: HoldNeed) => HeldTip | undefined;
  /** Throws if the job was cancelled. */
  readonly checkCancelled: () => void;
}

/** A connected part of the layers so far. */
interface WalkedPart {
  /** The contact with the platform or the raft, and the tips from there. */
  readonly ground: Holds;
  /** Tips whose feet are on regions that are not connected with the part yet, with these regions. */
  carried: { readonly tip: HeldTip; readonly carrier: number }[];
  /** All holds of the part: `ground` and `carried`. */
  holds: Holds;
  /** The virtual rotation that the holds resisted least in the last layer. */
  readonly rotation: VirtualRotation;
}

/** Force on regions of a layer, N, times its margin, and its place. */
interface Load {
  n: number;
  x: number;
  y: number;
}

/**
 * Walks over the layers of a part, from the platform up, and tests whether each is held: by the tips so far and the contact with the
 * platform ({@link bearableN}), by each neck below it, and stiffly enough. Regions that are not connected yet are each held by their
 * own tips. Returns all places where a test fails.
 */
export function findWeaknesses(request: HoldRequest): Weakness[] {
  return new HoldWalk(request).run();
}

class HoldWalk {
  readonly #request: HoldRequest;
  readonly #sections: Sections;
  readonly #sets: DisjointSets;
  readonly #parts = new Map<number, WalkedPart>();
  readonly #chains: Chains;
  readonly #weaknesses: Weakness[] = [];

  constructor(request: HoldRequest) {
    this.#request = request;
    this.#sections = request.sections;
    this.#sets = newDisjointSets(request.sections.areasMm2.length);
    this.#chains = new Chains(request.sections, request.groundMm);
  }

  run(): Weakness[] {
    const { starts, heightsMm } = this.#sections;
    const tipsOf = Map.groupBy(this.#request.tips, ({ region }) => region);
    for (let layer = 0; layer < heightsMm.length; layer++) {
      this.#request.checkCancelled();
      for (let region = starts[layer]; region < starts[layer + 1]; region++) {
        this.#addRegion(region, layer);
        for (const tip of tipsOf.get(region) ?? []) this.#attach(tip);
      }
      for (const [root, load] of this.#partLoads(layer)) this.#checkPart(root, load, layer);
      for (const [cut, load] of this.#cutLoads(layer)) this.#checkCut(cut, load, layer);
      for (let region = starts[layer]; region < starts[layer + 1]; region++) this.#checkStiffness(region, layer);
    }
    return this.#weaknesses;
  }

  #addRegion(region: number, layer: number): void {
    const { areasMm2, x, y, xx, xy, yy, below, belowStarts, heightsMm } = this.#sections;
    const ground = newHolds();
    const part: WalkedPart = { ground, carried: [], holds: ground, rotation: noRotation() };
    const [from, to] = [belowStarts[region], belowStarts[region + 1]];
    if (from === to && heightsMm[layer] <= this.#request.groundMm) {
      const strengthN = BEARING_SHARE * BOND_STRENGTH * areasMm2[region];
      addHold(ground, strengthN, x[region], y[region], [xx[region], xy[region], yy[region]]);
    }
    this.#parts.set(region, part);
    for (let i = from; i < to; i++) this.#join(region, below[i]);
    this.#chains.addRegion(region, layer);
  }

  #join(a: number, b: number): void {
    const [one, other] = [this.#sets.find(a), this.#sets.find(b)];
    if (one === other) return;
    this.#sets.join(one, other);
    const root = this.#sets.find(one);
    const merged = root === one ? other : one;
    const [kept, gone] = [this.#parts.get(root)!, this.#parts.get(merged)!];
    addHolds(kept.ground, gone.ground);
    const carried = [...kept.carried, ...gone.carried];
    kept.carried = carried.filter(({ carrier }) => this.#sets.find(carrier) !== root);
    if (carried.length > 0) kept.holds = holdsOf(kept);
    this.#parts.delete(merged);
  }

  #attach(tip: HeldTip): void {
    this.#chains.attach(tip);
    const root = this.#sets.find(tip.region);
    const part = this.#parts.get(root)!;
    if (tip.foot) {
      const carrier = this.#carrierAt(tip.foot);
      if (carrier === root) return;
      part.carried.push({ tip, carrier });
      part.holds = holdsOf(part);
    } else {
      addTip(part.ground, tip);
      if (part.holds !== part.ground) addTip(part.holds, tip);
    }
  }

  /** The representative of the region that carries a pillar with its foot at a place. */
  #carrierAt(foot: Vec3): number {
    const region = regionBelow(this.#sections, foot);
    return region < 0 ? region : this.#sets.find(region);
  }

  /** The pull on each connected part in a layer, by its representative. */
  #partLoads(layer: number): Map<number, Load> {
    const loads = new Map<number, Load>();
    const { starts } = this.#sections;
    for (let region = starts[layer]; region < starts[layer + 1]; region++) {
      this.#addLoad(loads, this.#sets.find(region), region);
    }
    // The carrier of the other tips bears the load that tips from the platform do not bear.
    const borne = [...loads].flatMap(([root, load]) => {
      const { ground, carried } = this.#parts.get(root)!;
      const [first] = carried;
      return first && first.carrier >= 0 && strengthOf(ground) < load.n
        ? [{ carrier: this.#sets.find(first.carrier), load: { ...load } }]
        : [];
    });
    for (const { carrier, load } of borne) join(loads, carrier, load);
    return loads;
  }

  #cutLoads(layer: number): Map<Cut, Load> {
    const loads = new Map<Cut, Load>();
    const { starts } = this.#sections;
    for (let region = starts[layer]; region < starts[layer + 1]; region++) {
      for (const cut of this.#chains.of(region).cuts) {
        // A cut without sections holds its part alone; the part is tested as a whole.
        if (cut.layer < layer && cut.sections.length > 0) this.#addLoad(loads, cut, region);
      }
    }
    return loads;
  }

  #addLoad<Key>(loads: Map<Key, Load>, key: Key, region: number): void {
    const { areasMm2, x, y } = this.#sections;
    const n = this.#request.margin * PEEL_STRESS * areasMm2[region];
    join(loads, key, { n, x: x[region], y: y[region] });
  }

  #checkPart(root: number, load: Load, layer: number): void {
    const part = this.#parts.get(root)!;
    const helps = (region: number): boolean => this.#sets.find(region) === root;
    const helpsFrom = (foot: Vec3): boolean => this.#carrierAt(foot) !== root;
    const borneN = this.#hold(part, load, layer, { helps, helpsFrom });
    if (borneN < load.n) this.#report(strengthOf(part.holds) < load.n ? "PULL" : "LEAN", load, layer, borneN);
  }

  #checkCut(cut: Cut, load: Load, layer: number): void {
    if (sectionBears(cut, load.n, load.x, load.y)) return;
    const helps = (region: number, zMm: number): boolean => this.#chains.isAbove(region, zMm, cut);
    const helpsFrom = ([, , zMm]: Vec3): boolean => zMm < this.#sections.heightsMm[cut.layer];
    const borneN = this.#hold(cut, load, layer, { helps, helpsFrom });
    if (borneN < load.n) this.#report("NECK", load, layer, borneN, { neckMm: this.#sections.heightsMm[cut.layer] });
  }

  /** The force that holds bear at a load, N, with as many more tips as are needed and available. */
  #hold(
    held: { readonly holds: Holds; readonly rotation: VirtualRotation },
    load: Load,
    layer: number,
    where: Pick<HoldNeed, "helps" | "helpsFrom">,
  ): number {
    const { reinforce } = this.#request;
    const { rotation } = held;
    if (surelyBear(held.holds, load.n, load.x, load.y)) return load.n;
    for (;;) {
      const n = bearableN(held.holds, load.x, load.y, rotation);
      if (n >= load.n) return n;
      const gain = ([x, y]: Vec3): number => Math.abs(riseAt(rotation, load.x, load.y, x, y));
      const tip = reinforce?.({ topMm: this.#sections.heightsMm[layer], ...where, gain });
      if (!tip) return n;
      const before = held.holds.values.length;
      this.#attach(tip);
      // A tip that is not among the holds would be requested again and again.
      if (held.holds.values.length === before) return n;
    }
  }

  #checkStiffness(region: number, layer: number): void {
    const { margin, reinforce } = this.#request;
    const { areasMm2, x, y, heightsMm } = this.#sections;
    const chain = this.#chains.of(region);
    const topMm = heightsMm[layer];
    let share = this.#chains.stiffShareOf(region, margin);
    for (let lackingN = this.#chains.sidewaysN(region, margin); share < 1 && lackingN > 0;) {
      const fromMm = chain.base.zMm;
      const helps = (other: number, zMm: number): boolean => zMm > fromMm && this.#chains.of(other) === chain;
      // A higher tip gains more.
      const tip = reinforce?.({
        topMm,
        helps,
        helpsFrom: () => false,
        gain: ([, , z]) => (z - fromMm) / (topMm - fromMm),
      });
      if (!tip) break;
      this.#attach(tip);
      lackingN -= tip.strengthN;
      share = this.#chains.stiffShareOf(region, margin);
    }
    if (share >= 1) return;
    const n = PEEL_STRESS * areasMm2[region];
    this.#report("WOBBLE", { n, x: x[region], y: y[region] }, layer, share * n);
  }

  #report(kind: WeaknessKind, { n, x, y }: Load, layer: number, borneN: number, neck: { neckMm?: number } = {}): void {
    const point: Vec3 = [x, y, this.#sections.heightsMm[layer]];
    this.#weaknesses.push({ kind, point, heldShare: Math.max(0, borneN / n), ...neck });
  }
}

const strengthOf = ({ sums }: Holds): number => sums[0];

const addTip = (holds: Holds, { position: [x, y], strengthN, sizeMm }: HeldTip): void =>
  addHold(holds, strengthN, x, y, discMoments(sizeMm));

/** The holds of a part: from the platform, and from the part that carries it. */
function holdsOf({ ground, carried }: WalkedPart): Holds {
  if (carried.length === 0) return ground;
  const holds = newHolds();
  addHolds(holds, ground);
  for (const { tip } of carried) addTip(holds, tip);
  return holds;
}

/** Adds a load to the load of a key, at the weighted middle of both. */
function join<Key>(loads: Map<Key, Load>, key: Key, { n, x, y }: Load): void {
  const load = loads.get(key);
  if (!load) return void loads.set(key, { n, x, y });
  const share = n / (load.n + n);
  load.n += n;
  load.x += share * (x - load.x);
  load.y += share * (y - load.y);
}
