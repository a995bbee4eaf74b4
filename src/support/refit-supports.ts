import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { supportSolid } from "./solid/support-solid.ts";
import { type BuiltSupports, supportBody } from "./divided-solid.ts";
import type { SupportSkeleton } from "./support-model.ts";
import { isTreeInVolume } from "./tree/clearance.ts";
import { movedTree } from "./tree/support-tree.ts";

export interface RefitRequest {
  readonly skeleton: SupportSkeleton;
  /** Offset in x and y from the place of the skeleton, mm. */
  readonly offset: readonly [x: number, y: number];
  readonly volume: BuildVolume;
}

/**
 * Moves supports that were made without limits to another place in a volume: the tree is unchanged, the raft ends at the rim of the volume.
 * Undefined if the tree itself leaves the volume, so that it must be routed again.
 */
export async function refitSupports(
  { skeleton, offset: [x, y], volume }: RefitRequest,
  progress: Progress,
): Promise<(BuiltSupports & Pick<SupportSkeleton, "tree">) | undefined> {
  const tree = movedTree(skeleton.tree, [x, y]);
  if (!isTreeInVolume(tree, volume)) return undefined;
  const footprint = skeleton.footprint.map((value, i) => value + [x, y][i % 2]);
  const loads = skeleton.loads?.map((load) => ({ ...load, x: load.x + x, y: load.y + y }));
  const request = { ...skeleton, tree, footprint, volume, ...(loads && { loads }) };
  const { mesh, isLoose } = await supportSolid(request, progress);
  return { ...supportBody(mesh), tree, isLoose };
}
