import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { OrientedPart } from "./candidate.ts";
import { type Chamber, newChamber, stampPart } from "./chamber.ts";
import type { Room } from "./clearance.ts";
import { type KernelShape, type CellPosition, findPlace, kernelShapeOf } from "./tray.ts";

/**
 * A chamber in which only the cells within less than the spacing from parts are blocked. Cells are coarser than the gaps around parts which
 * fit exactly, so only this chamber shows all places from which a part can be pushed to a position with the spacing.
 */
export interface TightChamber {
  readonly chamber: Chamber;
  readonly clearanceMm: number;
  readonly states: Map<OrientedPart, TightState>;
}

interface TightState {
  readonly looks: KernelShape;
  /** Cells from which a part was pushed, and their neighbours. */
  readonly tried: Set<number>;
  /** Start of the next search: places only become fewer. */
  from: CellPosition;
}

/** A candidate that was placed, with the centre of its box. */
export interface Stamp {
  readonly candidate: OrientedPart;
  readonly centre: Vec3;
}

/**
 * Difference between the spacing and the distance within which cells are blocked, in cells: a place is up to √3/2 of a cell from the
 * nearest tested one, and the centres of covered cells are up to a quarter outside of the part.
 */
const RELAXED_BY = 1.1;
/** Least clearance of blocked cells, in cells: half a cell's diagonal, so that ways straight up touch nothing. */
const LEAST_CLEARANCE = 0.9;

/** The empty chamber; undefined for a spacing that is too small relative to the cells. */
export function newTightChamber(room: Room, spacingMm: number, cellMm: number): TightChamber | undefined {
  const clearanceMm = Math.max(spacingMm - RELAXED_BY * cellMm, LEAST_CLEARANCE * cellMm);
  return clearanceMm < spacingMm ? { chamber: newChamber(room, cellMm), clearanceMm, states: new Map() } : undefined;
}

export function stampTight(
  { chamber, clearanceMm }: TightChamber,
  { candidate, centre }: Stamp,
  progress: Progress,
): void {
  stampPart(chamber, candidate, centre, clearanceMm, progress);
}

/** The next place of an oriented part from which the way straight up is free, and that is not next to one that was tried. */
export function nextTightPlace(
  { chamber: { tray }, states }: TightChamber,
  candidate: OrientedPart,
  progress: Progress,
): CellPosition | undefined {
  const state = getOrInsert(states, candidate, () => ({
    looks: kernelShapeOf(tray, candidate.shape),
    tried: new Set<number>(),
    from: { x: 0, y: 0, z: 0 },
  }));
  const { looks, tried, from } = state;
  const numberOf = (x: number, y: number, z: number): number => (z * tray.rows + y) * tray.columns + x;
  const exits = { mustRise: () => true, mayTake: ({ x, y, z }: CellPosition) => !tried.has(numberOf(x, y, z)) };
  const place = findPlace(tray, looks, from, Infinity, exits, progress);
  state.from = place ?? { x: 0, y: 0, z: tray.layers };
  if (!place) return undefined;
  for (let z = place.z - 1; z <= place.z + 1; z++) {
    for (let y = place.y - 1; y <= place.y + 1; y++) {
      for (let x = place.x - 1; x <= place.x + 1; x++) tried.add(numberOf(x, y, z));
    }
  }
  return place;
}
