import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { type OrientedPart, scoredHeight } from "./candidate.ts";
import type { Chamber } from "./chamber.ts";
import { type EscapeState, canEscape, mustRise } from "./escape.ts";
import { type SinteredSections, levelPenalty, sectionPenalty } from "./sections.ts";
import { type Core, nearnessPenalty, placedCore } from "./thick-cores.ts";
import { type Exits, type CellPosition, type Tray, findPlace, kernelShapeOf } from "./tray.ts";

/** A chamber, and the measures by which its places are rated. */
export interface RatedChamber {
  readonly chamber: Chamber;
  readonly kinds: { readonly spacingMm: number };
  /** Undefined if places are rated by height alone. */
  readonly balance: Balance | undefined;
}

/** Weight of the penalties for warping, except that of level faces (1 as measured), and whether parts with large level faces are tilted. */
export interface Balancing {
  readonly weight: number;
  readonly tilts: boolean;
}

/** The measures of the placed parts by which warping is penalised. */
export interface Balance extends Balancing {
  sections: SinteredSections;
  /** Cores of the thick parts that were placed. */
  readonly cores: Core[];
  /** Core of an oriented part before its rotation, from the centre of its box; undefined for parts that are not thick. */
  readonly coreOf: (candidate: OrientedPart) => Core | undefined;
}

/** State of the search for places of one candidate. */
export interface CandidateState extends EscapeState {
  readonly candidate: OrientedPart;
  /** Height of the shape plus the penalty of its level faces, in cells: a lower bound of the score of a place, less its layer. */
  readonly above: number;
  /** For each layer: the first cell, y · columns + x, that may be free. It only grows. */
  readonly firsts: Int32Array;
  /** For each layer and each start but the first: the first cell from there that may be free; 0 if not yet known. */
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

/** The best free place of a candidate that has a way out. */
export interface RatedPlace {
  readonly state: CandidateState;
  readonly place: CellPosition;
  readonly score: number;
}

/**
 * The place with the least score over the candidates. `known` caches their best places in the present chamber, as far as they are known.
 */
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
  const nearness = nearnessOf(search, state.candidate);
  const places = new LayerPlaces(search, state, progress);
  let best: RatedPlace | undefined;
  const rate = (place: CellPosition, score: number): void => {
    if (score < (best?.score ?? limit)) best = { state, place, score };
  };
  for (const { z, score } of layersByScore(search, state, limit)) {
    if (score >= (best?.score ?? limit)) break;
    const first = places.first(z);
    if (!first) continue;
    const near = nearness(first);
    rate(first, score + near);
    if (near === 0) continue;
    for (const place of places.fromOtherStarts(z)) rate(place, score + nearness(place));
  }
  return best;
}

/** The penalty of a place for thick parts near it, in cells of height. */
function nearnessOf({ chamber, balance }: RatedChamber, candidate: OrientedPart): (place: CellPosition) => number {
  const core = balance?.coreOf(candidate);
  if (!balance || !core) return () => 0;
  return (place) => {
    const placed = placedCore(core, candidate.turn, centreAt(chamber, candidate, place));
    return (balance.weight * nearnessPenalty(balance.cores, placed)) / chamber.cellMm;
  };
}

/** The free places of a candidate with a way out, layer by layer. Found places are kept in the state of the candidate. */
class LayerPlaces {
  readonly #tray: Tray;
  readonly #state: CandidateState;
  readonly #exits: Exits;
  readonly #progress: Progress;

  constructor({ chamber: { tray, cellMm }, kinds }: RatedChamber, state: CandidateState, progress: Progress) {
    this.#tray = tray;
    this.#state = state;
    this.#progress = progress;
    const spacing = kinds.spacingMm / cellMm;
    this.#exits = {
      mustRise: () => mustRise(state),
      mayTake: (free) => !state.refused.has(cellOf(tray, free)) && canEscape(tray, state, free, spacing),
    };
  }

  first(z: number): CellPosition | undefined {
    return this.#find(z, this.#state.firsts, z);
  }

  /** The first places of a layer from each of its starts but the first. Starts before the first free place of the layer are left out. */
  *fromOtherStarts(z: number): Generator<CellPosition> {
    const { columns, rows } = this.#tray;
    const { firsts, nexts } = this.#state;
    for (let i = 1; i < STARTS * STARTS; i++) {
      const x = Math.floor(((i % STARTS) * columns) / STARTS);
      const y = Math.floor((Math.floor(i / STARTS) * rows) / STARTS);
      const start = y * columns + x;
      if (start <= firsts[z]) continue;
      const index = STARTS * STARTS * z + i;
      nexts[index] = Math.max(start, nexts[index]);
      const place = this.#find(z, nexts, index);
      if (place) yield place;
    }
  }

  /** The first place of a layer from the cell `known[index]` on, which is set to the cell of that place. */
  #find(z: number, known: Int32Array, index: number): CellPosition | undefined {
    const { columns, rows } = this.#tray;
    const from = { x: known[index] % columns, y: Math.floor(known[index] / columns), z };
    const place =
      known[index] < columns * rows
        ? findPlace(this.#tray, this.#state.looks, from, z + 1, this.#exits, this.#progress)
        : undefined;
    known[index] = place ? place.y * columns + place.x : columns * rows;
    return place;
  }
}

/** The layers in which a candidate may have a place, by the score of a place far from thick parts, if that is less than `limit`. */
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
 * After this many refusals a part that is packed with `balance` also skips the cells next to a refused one: for a part that does not fill
 * its cells well, thousands of places would be tried one by one.
 */
const MANY_REFUSALS = 64;

/** Excludes a place from further searches. `refusals`: number of earlier refusals of the same part. */
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
