import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import type { Pose } from "../geometry/pose.ts";
import { add } from "../geometry/vector.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import {
  type Balance,
  type Balancing,
  type CandidateState,
  type RatedChamber,
  type RatedPlace,
  bestPlace,
  centreAt,
  newCandidateState,
  refuse,
} from "./best-place.ts";
import type { OrientedPart, PartKind } from "./candidate.ts";
import { type Chamber, newChamber, stampPart } from "./chamber.ts";
import { boxPlaces } from "./box-places.ts";
import {
  type PackedPart,
  type Room,
  type SettleOptions,
  isInRoom,
  movedTo,
  neighboursOf,
  settle,
} from "./clearance.ts";
import {
  type Kinds,
  type ChamberPart,
  areApartBySolids,
  candidatesOf,
  clearanceMm,
  kindOf,
  packedPart,
} from "./kinds.ts";
import { pushApart } from "./push-apart.ts";
import { addShape, noSections } from "./sections.ts";
import { coreOf, placedCore } from "./thick-cores.ts";
import { type Stamp, type TightChamber, newTightChamber, nextTightPlace, stampTight } from "./tight-places.ts";

export type { Balancing };

/** A chamber that is being filled. */
export interface Search extends RatedChamber {
  readonly kinds: Kinds;
  readonly room: Room;
  /** In the order in which they were placed, obstacles first. */
  readonly placed: PackedPart[];
  readonly stamps: Stamp[];
  readonly hits: SettleOptions["hits"];
  readonly states: Map<OrientedPart, CandidateState>;
  /** Kinds of which no further part fits. */
  readonly exhausted: Set<PartKind>;
  /** Created when a part finds no place by cells. */
  tight: TightChamber | undefined;
  /** Number of pushes that may still be tried. */
  pushesLeft: number;
}

export interface SearchOptions {
  readonly parts: readonly ChamberPart[];
  readonly obstacles: readonly PlacedMesh[];
  /** Undefined: places are rated by height alone. */
  readonly balancing?: Balancing | undefined;
  /** Whether parts are pushed to places that cells do not show. Default: true. */
  readonly pushes?: boolean;
}

/** An empty chamber with its obstacles. */
export function newSearch(room: Room, kinds: Kinds, options: SearchOptions, progress: Progress): Search {
  const chamber = newChamber(room, kinds.cellMm);
  const standing = options.obstacles.map((obstacle) => ({ ...obstacle, turns: "none" as const }));
  const balance = options.balancing && newBalance(chamber, kinds, options, options.balancing, progress);
  const search: Search = {
    kinds,
    room,
    chamber,
    placed: [],
    stamps: [],
    hits: new Map(),
    states: new Map(),
    balance,
    exhausted: new Set(),
    tight: undefined,
    pushesLeft: options.pushes === false ? 0 : MAX_PUSHES,
  };
  for (const obstacle of standing) {
    const [candidate] = kindOf(kinds, obstacle, progress).candidates;
    addPart(search, candidate, packedPart(kinds, candidate, obstacle, undefined, progress), progress);
  }
  return search;
}

/** A search by height alone that continues in another room, with all placed parts. */
export function searchInRoom(search: Search, room: Room, progress: Progress): Search {
  const { kinds, placed, stamps } = search;
  const next = newSearch(room, kinds, { parts: [], obstacles: [] }, progress);
  placed.forEach((part, i) => addPart(next, stamps[i].candidate, part, progress));
  return next;
}

function newBalance(
  { tray: { columns, rows, layers }, cellMm }: Chamber,
  kinds: Kinds,
  { parts, obstacles }: SearchOptions,
  balancing: Balancing,
  progress: Progress,
): Balance {
  const standing = obstacles.map((obstacle) => ({ ...obstacle, turns: "none" as const }));
  const bulks = [...parts, ...standing].map((part) => kindOf(kinds, part, progress).bulk);
  return {
    ...balancing,
    sections: noSections(layers, columns * rows, bulks),
    cores: [],
    coreOf: ({ field }) =>
      getOrInsert(kinds.cores, field, () => coreOf(field, cellMm, progress.silent()) ?? null) ?? undefined,
  };
}

function addPart(search: Search, candidate: OrientedPart, part: PackedPart, progress: Progress): void {
  const { chamber, kinds, placed, balance } = search;
  const centre = add(part.pose.position, boxCentre(part.extent.box));
  stampPart(chamber, candidate, centre, clearanceMm(kinds.spacingMm, kinds.cellMm), progress);
  placed.push(part);
  search.stamps.push({ candidate, centre });
  if (search.tight) stampTight(search.tight, { candidate, centre }, progress);
  if (!balance) return;
  const core = balance.coreOf(candidate);
  if (core) balance.cores.push(placedCore(core, candidate.turn, centre));
  const z = Math.round((centre[2] - chamber.origin[2]) / chamber.cellMm - candidate.shape.toCentre[2]);
  balance.sections = addShape(balance.sections, candidate.shape, z);
}

/** Puts a part at the best place that is found in any of its orientations. Undefined if there is none. */
export function placePart(search: Search, part: ChamberPart, progress: Progress): Pose | undefined {
  const { kinds, balance, exhausted } = search;
  const kind = kindOf(kinds, part, progress);
  if (exhausted.has(kind)) return undefined;
  const candidates = candidatesOf(kinds, part, balance?.tilts === true, progress);
  const pose = placeByCells(search, part, candidates, progress) ?? placeTightly(search, part, candidates, progress);
  if (!pose) exhausted.add(kind);
  return pose;
}

function placeByCells(
  search: Search,
  part: ChamberPart,
  candidates: readonly OrientedPart[],
  progress: Progress,
): Pose | undefined {
  const { chamber, kinds } = search;
  const states = candidates.map((candidate) =>
    getOrInsert(search.states, candidate, () => newCandidateState(search, candidate)),
  );
  const known = new Map<CandidateState, RatedPlace>();
  for (let refusals = 0; ; refusals++) {
    const best = bestPlace(search, states, known, progress);
    if (!best) return undefined;
    const { state, place } = best;
    const { candidate } = state;
    const there = packedPart(kinds, candidate, part, centreAt(chamber, candidate, place), progress);
    const pose = settleAndAdd(search, candidate, there, progress);
    if (pose) return pose;
    refuse(search, best, refusals);
    known.delete(state);
  }
}

/** Maximum number of pushes in a chamber. Measured: 100 to 300 in a chamber that was filled, each within milliseconds. */
const MAX_PUSHES = 1000;
/** Longest push of a part, in cells: places are about one cell apart. */
const PUSHED_BY = 2;

/** Puts a part where it keeps the spacing by exact distances, although the cells show no place. */
function placeTightly(
  search: Search,
  part: ChamberPart,
  candidates: readonly OrientedPart[],
  progress: Progress,
): Pose | undefined {
  const { room, kinds, placed, balance } = search;
  const { spacingMm, cellMm } = kinds;
  // A balanced packing is given up instead.
  if (balance) return undefined;
  const boxed = placeBoxed(search, part, candidates, progress);
  if (boxed) return boxed;
  if (search.pushesLeft === 0) return undefined;
  const tight = (search.tight ??= tightChamberOf(search, progress));
  if (!tight) return undefined;
  const limits = { spacingMm, reachMm: PUSHED_BY * cellMm };
  for (const candidate of candidates) {
    while (search.pushesLeft > 0) {
      const place = nextTightPlace(tight, candidate, progress);
      if (!place) break;
      search.pushesLeft--;
      const there = packedPart(kinds, candidate, part, centreAt(tight.chamber, candidate, place), progress);
      const near = neighboursOf(there, placed, spacingMm + 2 * limits.reachMm);
      const pushed = pushApart(there, near, room, limits, progress);
      const pose = pushed && settleAndAdd(search, candidate, pushed, progress);
      if (pose) return pose;
    }
  }
  return undefined;
}

/** Number of lowest places among boxes that are tried per orientation. */
const MAX_BOX_PLACES = 8;

/** Puts a part at a position of its box among the boxes of the others. */
function placeBoxed(
  search: Search,
  part: ChamberPart,
  candidates: readonly OrientedPart[],
  progress: Progress,
): Pose | undefined {
  const { room, kinds, placed } = search;
  for (const candidate of candidates) {
    const there = packedPart(kinds, candidate, part, undefined, progress);
    const places = boxPlaces(there.extent, placed, room, kinds.spacingMm, progress)
      .map((position) => movedTo(there, position))
      .filter(({ extent, pose }) => isInRoom(room, extent, pose.position));
    for (const at of places.slice(0, MAX_BOX_PLACES)) {
      if (!doesKeepSpacing(search, at, progress)) continue;
      addPart(search, candidate, at, progress);
      return at.pose;
    }
  }
  return undefined;
}

function tightChamberOf({ room, kinds, stamps }: Search, progress: Progress): TightChamber | undefined {
  const tight = newTightChamber(room, kinds.spacingMm, kinds.cellMm);
  if (tight) for (const stamp of stamps) stampTight(tight, stamp, progress);
  return tight;
}

/** The pose of a part after it has settled from a place; undefined if the part does not keep the spacing to all others. */
function settleAndAdd(search: Search, candidate: OrientedPart, part: PackedPart, progress: Progress): Pose | undefined {
  const { chamber, kinds, room, placed } = search;
  const options = { spacingMm: kinds.spacingMm, cellMm: chamber.cellMm, hits: search.hits };
  const settled = settle(part, placed, room, options, progress);
  if (!settled || !doesKeepSpacing(search, settled, progress)) return undefined;
  addPart(search, candidate, settled, progress);
  return settled.pose;
}

/**
 * Whether a part keeps the spacing to all placed parts by the measure of the check of interferences, which also sees a part inside another.
 */
function doesKeepSpacing({ placed, kinds }: Search, part: PackedPart, progress: Progress): boolean {
  return placed.every((other) => areApartBySolids(part, other, kinds, progress));
}
