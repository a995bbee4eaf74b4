import type { PackingMode } from "../core/model-options.ts";
import type { Progress } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type Region, boxWithin, roomOf } from "./chamber.ts";
import { type Kinds, type MovablePart, type TooLarge, kindOf, newKinds, tooLargeOf } from "./kinds.ts";
import { type Balancing, type Search, newSearch, placePart } from "./search.ts";

export type { MovablePart };

/** Where parts may be, and what is there already. */
export interface ChamberRequest {
  /** Placed meshes that stay; they need not lie in the region. */
  readonly obstacles: readonly PlacedMesh[];
  /** Where parts may be, in scene coordinates. */
  readonly region: Region;
  /** Least distance between parts, and between parts and obstacles. */
  readonly spacingMm: number;
  /** Least distance from the sides of the region, not from its bottom and top. */
  readonly wallDistanceMm: number;
}

export interface PackRequest extends ChamberRequest {
  readonly parts: readonly MovablePart[];
  /** Default: BALANCED. */
  readonly mode?: PackingMode;
  /** Each start takes the parts in another order, the first one by the sizes of their boxes. Default: 0. */
  readonly start?: number;
  /** Whether the parts stay in the box within a rounded region. Default: false. */
  readonly isInBox?: boolean;
}

export interface Packing {
  /** Of the parts in their order; undefined for those that found no place. */
  readonly poses: readonly (Pose | undefined)[];
  /** The number of parts that found a place. */
  readonly placed: number;
  /** From the bottom of the region to the top of the highest part. */
  readonly heightMm: number;
  /** The most that the height may be to be as low as the mode wants. */
  readonly highestMm: number;
  /** A part that is too large for the region, for which nothing was placed. */
  readonly tooLarge?: TooLarge;
}

/** Share of the progress at which the shapes of all parts are prepared. */
const PREPARED = 0.2;
/** Share of the progress at which they are packed by height alone, where that is not all. */
const LOWERED = 0.5;

/** Interface supplement, `packing_mode`: the top stays within 10 % of that of a packing by height alone. */
const HIGHER_BY = 1.05;
/** The packings that are tried, the first one that is low enough being taken: what makes parts warp counts less, and tilts cost height. */
const BALANCES: readonly Balancing[] = [
  { weight: 0.5, tilts: true },
  { weight: 0.1, tilts: true },
  { weight: 0.3, tilts: false },
];

/**
 * Places parts in the chamber, large ones first, each where it can be taken out again by moves without turns while the later ones are
 * out. Distances are those of the meshes.
 */
export function packChamber(whole: PackRequest, progress: Progress): Packing {
  const request = whole.isInBox ? { ...whole, region: boxWithin(whole.region) } : whole;
  const { parts, region, spacingMm, mode = "BALANCED", start = 0 } = request;
  const kinds = newKinds(parts, spacingMm, roomOf(region, request.wallDistanceMm));
  const preparing = progress.part(0, PREPARED);
  const sizes = parts.map((part, i) => {
    preparing.report(i / parts.length);
    return kindOf(kinds, part, preparing.silent()).boxMm3;
  });
  const tooLarge = tooLargeOf(kinds, parts, preparing.silent());
  if (tooLarge) return { poses: parts.map(() => undefined), placed: 0, heightMm: 0, highestMm: 0, tooLarge };
  const order = placingOrder(sizes, start);
  const isBalanced = mode === "BALANCED";
  const { jobMm, ...low } = place(request, kinds, { order }, progress.part(PREPARED, isBalanced ? LOWERED : 1));
  if (!isBalanced || low.placed < parts.length) return { ...low, highestMm: low.heightMm };
  const highestMm = Math.max(HIGHER_BY * low.heightMm, Math.min(jobMm, region.max[2] - region.min[2]));
  const top = Math.min(region.max[2], region.min[2] + highestMm);
  const flat: PackRequest = { ...request, region: { ...region, max: [region.max[0], region.max[1], top] } };
  const share = (1 - LOWERED) / BALANCES.length;
  for (const [i, balancing] of BALANCES.entries()) {
    const trying = progress.part(LOWERED + i * share, LOWERED + (i + 1) * share);
    const { poses, placed, heightMm } = place(flat, kinds, { order, balancing }, trying);
    if (placed === parts.length) {
      progress.report(1);
      return { poses, placed, heightMm, highestMm };
    }
  }
  return { ...low, highestMm };
}

interface PlacingOptions {
  /** The indices of the parts. */
  readonly order: readonly number[];
  /** Undefined: by height alone. Else the packing ends with the first part that finds no place. */
  readonly balancing?: Balancing;
}

/** `jobMm`: the height of the packing with the obstacles. */
function place(
  { parts, obstacles, region, wallDistanceMm }: PackRequest,
  kinds: Kinds,
  { order, balancing }: PlacingOptions,
  progress: Progress,
): Omit<Packing, "highestMm"> & { readonly jobMm: number } {
  const room = roomOf(region, wallDistanceMm);
  const search = newSearch(room, kinds, { parts, obstacles, balancing }, progress.silent());
  const poses: (Pose | undefined)[] = parts.map(() => undefined);
  for (const [step, i] of order.entries()) {
    progress.report(step / parts.length);
    poses[i] = placePart(search, parts[i], progress.silent());
    if (balancing && !poses[i]) break;
  }
  progress.report(1);
  return {
    poses,
    placed: poses.filter((pose) => pose !== undefined).length,
    heightMm: heightOf(search, obstacles.length),
    jobMm: heightOf(search, 0),
  };
}

/** Orders of the starts after the first one: sizes are multiplied by random factors up to this. */
const SIZE_NOISE = 2;

/** The parts by size, the largest first; in starts after the first one by sizes that are changed at random. */
function placingOrder(sizes: readonly number[], start: number): number[] {
  const random = seededRandom(start);
  const keys = sizes.map((size) => (start === 0 ? size : size * SIZE_NOISE ** random()));
  return sizes.map((_, i) => i).sort((a, b) => keys[b] - keys[a] || a - b);
}

/** From the bottom of the room to the top of the highest part that was placed after the obstacles, or of all where their number is 0. */
export const heightOf = ({ placed, room }: Search, obstacles: number): number =>
  placed
    .slice(obstacles)
    .reduce((most, { pose, extent }) => Math.max(most, pose.position[2] + extent.box.max[2] - room.min[2]), 0);
