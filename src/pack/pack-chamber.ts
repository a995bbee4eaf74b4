import type { Progress } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import type { Pose } from "../geometry/pose.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type Region, roomOf } from "./chamber.ts";
import { type MovablePart, type Search, kindOf, newKinds, newSearch, placePart } from "./search.ts";

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
  /** Each start takes the parts in another order, the first one by the sizes of their boxes. Default: 0. */
  readonly start?: number;
  /** Whether places are rated by what makes parts warp too, not by height alone. Default: true. */
  readonly evensSections?: boolean;
}

export interface Packing {
  /** Of the parts in their order; undefined for those that found no place. */
  readonly poses: readonly (Pose | undefined)[];
  /** The number of parts that found a place. */
  readonly placed: number;
  /** From the bottom of the region to the top of the highest part. */
  readonly heightMm: number;
}

/** Share of the progress at which the shapes of all parts are prepared. */
const PREPARED = 0.25;

/**
 * Places parts as low as they come, large ones first, each where it can be taken out again by moves without turns while the later ones are
 * out. Distances are those of the meshes.
 */
export function packChamber(request: PackRequest, progress: Progress): Packing {
  const { parts, obstacles, region, spacingMm, wallDistanceMm, start = 0, evensSections = true } = request;
  const kinds = newKinds(parts, spacingMm, evensSections);
  const preparing = progress.part(0, PREPARED);
  const sizes = parts.map((part, i) => {
    preparing.report(i / parts.length);
    return kindOf(kinds, part, preparing.silent()).boxMm3;
  });
  const search = newSearch(roomOf(region, wallDistanceMm), kinds, parts, obstacles, preparing.silent());
  const placing = progress.part(PREPARED, 1);
  const poses: (Pose | undefined)[] = parts.map(() => undefined);
  for (const [step, i] of placingOrder(sizes, start).entries()) {
    placing.report(step / parts.length);
    poses[i] = placePart(search, parts[i], placing.silent());
  }
  placing.report(1);
  return {
    poses,
    placed: poses.filter((pose) => pose !== undefined).length,
    heightMm: heightOf(search, obstacles.length),
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

/** From the bottom of the room to the top of the highest part that was placed. */
export const heightOf = ({ placed, room }: Search, obstacles: number): number =>
  placed
    .slice(obstacles)
    .reduce((most, { pose, extent }) => Math.max(most, pose.position[2] + extent.box.max[2] - room.min[2]), 0);
