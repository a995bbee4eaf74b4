import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { type OrientedPart, scoredHeight } from "./candidate.ts";
import type { Chamber } from "./chamber.ts";
import { type EscapeState, canEscape, mustRise } from "./escape.ts";
import { type SinteredSections, levelPenalty, sectionPenalty } from "./sections.ts";
import { type Core, nearnessPenalty, placedCore } from "./thick-cores.ts";
import { type Exits, type CellPosition, type Tray, findPlace, kernelShapeOf } from "./tray.ts";

/** A chamber and what makes some of its places better than others. */
export interface RatedChamber {
  readonly chamber: Chamber;
  readonly kinds: { readonly spacingMm: number };
  /** Undefined where places are rated by height alone. */
  readonly balance: Balance | undefined;
}

/** Weight of what makes parts warp (1 as measured, apart from level faces), and whether parts with large level faces are tilted. */
export interface Balancing {
  readonly weight: number;
  readonly tilts: boolean;
}

/** What makes parts warp. */
export interface Balance extends Balancing {
  sections: SinteredSections;
  /** Cores of the thick parts that were placed. */
  readonly cores: Core[];
  /** Core of an oriented part before its rotation, from the centre of its box; undefined for parts that are not thick. */
  readonly coreOf: (candidate: OrientedPart) => Core | undefined;
}

/** What a search knows of a candidate. */
export interface CandidateState extends EscapeState {
  readonly candidate: OrientedPart;
  /** The least score of a place is its height and this: the height of the shape, and what its level faces cost. */
  readonly above: number;
  /** For each layer the cell, y · columns + x, from which on places may be free: they only become fewer. */
  readonly firsts: Int32Array;
  /** For each layer and each start but the first: the cell from which on the next free place may be; 0 if not yet known. */
  readonly nexts: Int32Array;
  /** The lowest layer with a free place, as far as is known. */
  lowest: number;
  /** Free cells from which no place that keeps the spacing was found. */
  readonly refused: Set<number>;
}

export function newCandidateState(
  { chamber: { tray }, balance }: RatedChamber,
  candidate: OrientedPart,
): CandidateState {
  const { shape } = candidate;
  return {
    candidate,
    looks: kernelShapeOf(tray, shape),
    above: scoredHeight(shape) + (balance ? levelPenalty(shape) : 0),
    firsts: new Int32Array(tray.layers),
    nexts: new Int32Array(STARTS * STARTS * tray.layers),
    lowest: 0,
    refused: new Set<number>(),
    lockedIn: new Set<number>(),
    floods: 0,
  };
}

/** A thick part searches for places away from others from this many starts along each side of a layer. */
const STARTS = 4;

/** A free place of a candidate from which it can be taken out again; the one with the least score is taken. */
export interface RatedPlace {
  readonly state: CandidateState;
  readonly place: CellPosition;
  readonly score: number;
}

/** The place with the least score over the candidates. `known` has their best places in the present chamber as far as they are known. */
export function bestPlace(
  search: RatedChamber,
  states: readonly CandidateState[],
  known: Map<CandidateState, RatedPlace>,
  progress: Progress,
): RatedPlace | undefined {
  let best: RatedPlace | undefined;
  for (const rated of known.values()) if (!best || rated.score < best.score) best = rated;
  for (const state of states) {
    if (known.has(state)) continue;
    const rated = bestPlaceOf(search, state, best?.score ?? Infinity, progress);
    if (!rated) continue;
    known.set(state, rated);
    best = rated;
  }
  return best;
}

/** The place of an oriented part with the least score, if that is less than `limit`. */
function bestPlaceOf(
  search: RatedChamber,
  state: CandidateState,
  limit: number,
  progress: Progress,
): RatedPlace | undefined {
  const { chamber, kinds, balance } = search;
  const { tray, cellMm } = chamber;
  const { looks, candidate, firsts, nexts, refused } = state;
  const cells = tray.columns * tray.rows;
  const exits: Exits = {
    mustRise: () => mustRise(state),
    mayTake: (free) => !refused.has(cellOf(tray, free)) && canEscape(tray, state, free, kinds.spacingMm / cellMm),
  };
  /** The first free place of a layer from a cell of it on. */
  const findIn = (z: number, cell: number): CellPosition | undefined => {
    const from = { x: cell % tray.columns, y: Math.floor(cell / tray.columns), z };
    return findPlace(tray, looks, from, z + 1, exits, progress);
  };
  const core = balance?.coreOf(candidate);
  const nearness = (place: CellPosition): number =>
    balance && core
      ? (balance.weight *
          nearnessPenalty(balance.cores, placedCore(core, candidate.turn, centreAt(chamber, candidate, place)))) /
        cellMm
      : 0;
  /** {@link findIn}, from the cell that `known` has at an index, and notes there what it finds. */
  const findNext = (z: number, known: Int32Array, index: number): CellPosition | undefined => {
    const place = known[index] < cells ? findIn(z, known[index]) : undefined;
    known[index] = place ? place.y * tray.columns + place.x : cells;
    return place;
  };
  let best: RatedPlace | undefined;
  const rate = (place: CellPosition, score: number): void => {
    if (score < (best?.score ?? limit)) best = { state, place, score };
  };
  for (const { z, score } of layersByScore(search, state, limit)) {
    if (score >= (best?.score ?? limit)) break;
    const first = findNext(z, firsts, z);
    if (!first) continue;
    const near = nearness(first);
    rate(first, score + near);
    if (near === 0) continue;
    for (let i = 1; i < STARTS * STARTS; i++) {
      const x = Math.floor(((i % STARTS) * tray.columns) / STARTS);
      const y = Math.floor((Math.floor(i / STARTS) * tray.rows) / STARTS);
      const start = y * tray.columns + x;
      if (start <= firsts[z]) continue;
      const index = STARTS * STARTS * z + i;
      nexts[index] = Math.max(start, nexts[index]);
      const place = findNext(z, nexts, index);
      if (place) rate(place, score + nearness(place));
    }
  }
  return best;
}

/** The layers in which a candidate may have a place, by the score that it has there far from thick parts, as far as it is less than `limit`. */
function layersByScore(
  { chamber: { tray }, balance }: RatedChamber,
  state: CandidateState,
  limit: number,
): { readonly z: number; readonly score: number }[] {
  const {
    candidate: { shape },
    above,
    firsts,
  } = state;
  const cells = tray.columns * tray.rows;
  while (firsts[state.lowest] === cells) state.lowest++;
  const end = Math.min(tray.layers - shape.layers + 1, limit - above);
  const layers = [];
  for (let z = state.lowest; z < end; z++) {
    if (firsts[z] === cells) continue;
    const score = z + above + (balance ? balance.weight * sectionPenalty(balance.sections, shape, z) : 0);
    if (score < limit) layers.push({ z, score });
  }
  return balance ? layers.sort((a, b) => a.score - b.score || a.z - b.z) : layers;
}

const cellOf = ({ columns, rows }: Tray, { x, y, z }: CellPosition): number => (z * rows + y) * columns + x;

/** The centre of the box of a part whose covered cells begin at a place. */
export const centreAt = (
  { origin, cellMm }: Chamber,
  { shape: { toCentre } }: OrientedPart,
  place: CellPosition,
): Vec3 => [
  origin[0] + (place.x + toCentre[0]) * cellMm,
  origin[1] + (place.y + toCentre[1]) * cellMm,
  origin[2] + (place.z + toCentre[2]) * cellMm,
];

/**
 * After this many refusals a part that is placed in balance also skips the cells next to a refused one: for a part that cells cover
 * badly, thousands were tried one by one.
 */
const MANY_REFUSALS = 64;

/** Skips a place from now on. `refusals`: earlier refusals of the part that is being placed. */
export function refuse(
  { chamber: { tray }, balance }: RatedChamber,
  { state: { refused }, place: { x, y, z } }: RatedPlace,
  refusals: number,
): void {
  const beside = balance && refusals >= MANY_REFUSALS ? 1 : 0;
  for (let v = Math.max(0, y - beside); v <= Math.min(tray.rows - 1, y + beside); v++) {
    for (let u = Math.max(0, x - beside); u <= Math.min(tray.columns - 1, x + beside); u++) {
      refused.add(cellOf(tray, { x: u, y: v, z }));
    }
  }
}
