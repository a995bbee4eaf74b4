import type { Progress } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type Region, boxWithin, roomOf } from "./chamber.ts";
import { type Kinds, type ChamberPart, type TooLarge, kindOf, kindsAgain, tooLargeOf } from "./kinds.ts";
import { type Balancing, type Search, newSearch, placePart } from "./search.ts";

export type { Balancing, ChamberPart as MovablePart };

/** The room for parts, and the obstacles in it. */
export interface ChamberRequest {
  /** Placed meshes that stay; they need not be in the region. */
  readonly obstacles: readonly PlacedMesh[];
  /** The space that parts may occupy, in scene coordinates. */
  readonly region: Region;
  /** Least distance between parts, and from parts to obstacles. */
  readonly spacingMm: number;
  /** Least distance from the sides of the region, not from its bottom and top. */
  readonly wallDistanceMm: number;
}

export interface PackRequest extends ChamberRequest {
  readonly parts: readonly ChamberPart[];
  /** 0-based index of the attempt. Each uses another order of the parts, the first one by the sizes of their boxes. Default: 0. */
  readonly start?: number;
  /** Whether the parts stay in the box within a rounded region. Default: false. */
  readonly isInBox?: boolean;
  /** Undefined: places are rated by height alone. */
  readonly balance?: BalancedWithin;
  /** The first so many parts are placed before all others; the packing ends at the first of them without a place. Default: 0. */
  readonly required?: number;
}

/** How a packing is balanced. It ends at the first part without a place. */
export interface BalancedWithin extends Balancing {
  /** Largest allowed height, mm. */
  readonly heightMm: number;
}

export interface Packing {
  /** The poses of the parts in their order; undefined for parts without a place. */
  readonly poses: readonly (Pose | undefined)[];
  /** The number of parts that found a place. */
  readonly placed: number;
  /** From the bottom of the region to the top of the highest part. */
  readonly heightMm: number;
  /** Height of the highest part or obstacle. */
  readonly jobMm: number;
  /** A part that is too large for the region; then nothing was placed. */
  readonly tooLarge?: TooLarge;
}

/** Share of the progress after which the shapes of all parts are prepared. */
const PREPARED = 0.2;

/**
 * Places parts in the chamber, large ones first, each so that it can be taken out by moves without rotations while the later ones are out.
 * Distances are those of the meshes. `feature/pack/best-packing.ts` chooses among several such packings.
 */
export function packChamber(whole: PackRequest, progress: Progress): Packing {
  const request = whole.isInBox ? { ...whole, region: boxWithin(whole.region) } : whole;
  const { parts, spacingMm, start = 0, balance, required = 0 } = request;
  const region = balance ? lowered(request.region, balance.heightMm) : request.region;
  const kinds = kindsAgain(parts, spacingMm, roomOf(request.region, request.wallDistanceMm));
  const preparing = progress.part(0, PREPARED);
  const sizes = parts.map((part, i) => {
    preparing.report(i / parts.length);
    return kindOf(kinds, part, preparing.silent()).boxMm3;
  });
  const tooLarge = tooLargeOf(kinds, parts, preparing.silent());
  if (tooLarge) return { poses: parts.map(() => undefined), placed: 0, heightMm: 0, jobMm: 0, tooLarge };
  const bySize = placingOrder(sizes, start);
  const order = [...bySize.filter((i) => i < required), ...bySize.filter((i) => i >= required)];
  const packing = place({ ...request, region }, kinds, order, progress.part(PREPARED, 1));
  progress.report(1);
  return packing;
}

const lowered = ({ min, max, filletRadiusMm }: Region, heightMm: number): Region => ({
  min,
  max: [max[0], max[1], Math.min(max[2], min[2] + heightMm)],
  filletRadiusMm,
});

function place(
  { parts, obstacles, region, wallDistanceMm, balance, required = 0 }: PackRequest,
  kinds: Kinds,
  order: readonly number[],
  progress: Progress,
): Packing {
  const room = roomOf(region, wallDistanceMm);
  const search = newSearch(room, kinds, { parts, obstacles, balancing: balance }, progress.silent());
  const poses: (Pose | undefined)[] = parts.map(() => undefined);
  for (const [step, i] of order.entries()) {
    progress.report(step / parts.length);
    // Pushes find few more places for what is only tried, and take longer than all else.
    if (required > 0 && i >= required) search.pushesLeft = 0;
    poses[i] = placePart(search, parts[i], progress.silent());
    if ((balance || i < required) && !poses[i]) break;
  }
  return {
    poses,
    placed: poses.filter((pose) => pose !== undefined).length,
    heightMm: packingHeight(search, obstacles.length),
    jobMm: packingHeight(search, 0),
  };
}

/** Largest random factor by which sizes are multiplied in the attempts after the first one. */
const SIZE_NOISE = 2;

/** Indices of the parts by size, the largest first; in attempts after the first one by sizes that are changed at random. */
function placingOrder(sizes: readonly number[], start: number): number[] {
  const random = seededRandom(start);
  const keys = sizes.map((size) => (start === 0 ? size : size * SIZE_NOISE ** random()));
  return sizes.map((_, i) => i).sort((a, b) => keys[b] - keys[a] || a - b);
}

/** Height from the bottom of the room to the top of the highest part that was placed after the first `obstacles` ones, the obstacles. */
export const packingHeight = ({ placed, room }: Search, obstacles: number): number =>
  placed
    .slice(obstacles)
    .reduce((most, { pose, extent }) => Math.max(most, pose.position[2] + extent.box.max[2] - room.min[2]), 0);
