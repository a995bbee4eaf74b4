import type { Mat3, Vec3 } from "../geometry/vector.ts";
import { type AirVoxels, airAround } from "./air-voxels.ts";
import type { CostWeights, Criteria } from "./criteria.ts";
import type { PartShape } from "./part-shape.ts";
import type { DirectionCost } from "./refine-direction.ts";
import { type SealedSpace, sealedSpace } from "./sealed-air.ts";
import { outermostPoints } from "./vertex-cells.ts";

/** Number of voxels with which the area of a cup has an error of about 20 %. */
const ROUGH_VOXELS = 20_000;

/** The air for approximate cups; undefined where cups cost nothing. */
export const roughAir = ({ surface, extremes, axes }: PartShape, { weights }: Criteria): AirVoxels | undefined =>
  weights.cups === 0 ? undefined : airAround(surface, extremes, axes, ROUGH_VOXELS);

/** The approximate cups of a part, given its {@link roughAir}. */
export const roughCups = (shape: PartShape, criteria: Criteria, air: AirVoxels | undefined): Cups =>
  air
    ? newCups(
        shape,
        criteria,
        () => air,
        () => shape.extremes.points,
      )
    : NO_CUPS;

/** The space that a part seals in each direction that points up. */
export interface Cups {
  readonly cost: DirectionCost;
  /** Volume of resin that stays in the part above its supports, where the platform closes no opening, mm³. */
  trappedMm3(up: Vec3): number;
}

const NO_CUPS: Cups = { cost: () => 0, trappedMm3: () => 0 };

/** The cups of a part, in voxels along the rows of `frame`. */
export const cupsOf = (shape: PartShape, criteria: Criteria, frame: Mat3): Cups =>
  newCups(
    shape,
    criteria,
    () => airAround(shape.surface, shape.extremes, frame),
    (up) => outermostPoints(shape.surface.cells, up),
  );

/** Cost of trapped resin relative to cups: a face of a cube of its volume counts as this fraction of a cup. */
const POOL_SHARE = 1 / 4;

/** The cost of the sealed space of a part, given its surface area. */
export const sealedCost = (
  { areaMm2, volumeMm3 }: SealedSpace,
  surfaceMm2: number,
  { cups }: Pick<CostWeights, "cups">,
): number => (cups * (areaMm2 + POOL_SHARE * Math.fround(Math.cbrt(volumeMm3)) ** 2)) / surfaceMm2;

/** Height of a part above the platform at which the platform closes no opening, voxels. */
const SUPPORTED_VOXELS = 2;

/** Computes each direction once, and the air on first use. The lowest vertex of the part is among `pointsAlong` the direction. */
function newCups(
  { surface }: PartShape,
  { weights }: Criteria,
  makeAir: () => AirVoxels,
  pointsAlong: (up: Vec3) => Float64Array,
): Cups {
  if (weights.cups === 0) return NO_CUPS;
  const spaces = new Map<Vec3, SealedSpace>();
  let air: AirVoxels | undefined;
  const spaceOf = (up: Vec3): SealedSpace => {
    air ??= makeAir();
    const space = spaces.get(up) ?? sealedSpace(air, up, pointsAlong(up));
    spaces.set(up, space);
    return space;
  };
  return {
    cost: (up) => sealedCost(spaceOf(up), surface.areaMm2, weights),
    trappedMm3(up) {
      air ??= makeAir();
      if (spaceOf(up).volumeMm3 === 0) return 0;
      return sealedSpace(air, up, pointsAlong(up), SUPPORTED_VOXELS * air.voxelMm).volumeMm3;
    },
  };
}
