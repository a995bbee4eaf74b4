import type { Mat3, Vec3 } from "../geometry/vector.ts";
import { type AirVoxels, airAround } from "./air-voxels.ts";
import type { Criteria } from "./criteria.ts";
import type { DirectionCost } from "./measure.ts";
import type { PartShape } from "./part-shape.ts";
import { type SealedSpace, sealedSpace } from "./sealed-air.ts";

/** Number of voxels that give the area of a cup to 20 %. */
const ROUGH_VOXELS = 20_000;

/** The approximate cost of the cups of a direction. */
export const roughCupCost = (shape: PartShape, criteria: Criteria): DirectionCost =>
  newCups(
    shape,
    criteria,
    () => airAround(shape.surface, shape.extremes, shape.axes, ROUGH_VOXELS),
    shape.extremes.points,
  ).cost;

/** What a part seals in each direction that points up. */
export interface Cups {
  readonly cost: DirectionCost;
  /** Volume of resin that stays in the part, mm³. */
  trappedMm3(up: Vec3): number;
}

/** The cups of a part, in voxels along the rows of `frame`. */
export const cupsOf = (shape: PartShape, criteria: Criteria, frame: Mat3): Cups =>
  newCups(shape, criteria, () => airAround(shape.surface, shape.extremes, frame), shape.surface.vertices);

/** Computes each direction once, and the air when first needed. */
function newCups({ surface }: PartShape, { weights }: Criteria, makeAir: () => AirVoxels, points: Float64Array): Cups {
  if (weights.cups === 0) return { cost: () => 0, trappedMm3: () => 0 };
  const spaces = new Map<Vec3, SealedSpace>();
  let air: AirVoxels | undefined;
  const spaceOf = (up: Vec3): SealedSpace => {
    air ??= makeAir();
    const space = spaces.get(up) ?? sealedSpace(air, up, points);
    spaces.set(up, space);
    return space;
  };
  return {
    cost: (up) => (weights.cups * spaceOf(up).areaMm2) / surface.areaMm2,
    trappedMm3: (up) => spaceOf(up).volumeMm3,
  };
}
