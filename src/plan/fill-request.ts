import type { Polygons } from "../geometry/polygon.ts";
import type { Floor } from "../layout/floor.ts";

/** A part that may be placed: its outline, and the turns about z at which it is tried, degrees. */
export interface TurnedOutline {
  readonly outline: Polygons;
  readonly turnsDeg: readonly number[];
}

/** A part on a plate: its index, its turn, and its position in mm. */
export interface PlatePlace {
  readonly part: number;
  readonly turnDeg: number;
  readonly x: number;
  readonly y: number;
}

/** Equal parts that may go on a plate. */
export interface PoolPart extends TurnedOutline {
  /** Index of their group. */
  readonly group: number;
  readonly areaMm2: number;
  readonly copies: number;
}

/** A group of which parts may go on a plate. */
export interface PoolGroup {
  /** Area of its parts that are on no plate yet. */
  readonly areaMm2: number;
  /** Whether earlier plates have parts of it. */
  readonly isBegun: boolean;
  /** Whether no later plate may have parts of it: what the plate has of it must be all that is left. */
  readonly isLast: boolean;
  /** 2 for the groups of the request that are due first, 1 for others that are due before some group, 0 for those that are due last. */
  readonly urgency: number;
}

/** Tries to fill a plate. Each is determined by its number alone. */
export interface FillRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  readonly parts: readonly PoolPart[];
  readonly groups: readonly PoolGroup[];
  /** Area of the parts that a plate is expected to hold. */
  readonly capacityMm2: number;
  readonly seed: number;
  readonly fromTry: number;
  readonly toTry: number;
}

/** A filled plate; a greater score is better. */
export interface FilledPlate {
  readonly places: readonly PlatePlace[];
  readonly areaMm2: number;
  readonly score: number;
  /** Parts that had to be on this plate and are not. */
  readonly missing: number;
}

/** From this number on, tries place parts of groups that end here before all others. */
export const RESCUE_TRY = 1000;
