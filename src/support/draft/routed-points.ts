import type { Progress } from "../../core/progress.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { type RoutedSupports, treesOfTouches } from "../plan/routed-supports.ts";
import { reachedTouchLoads } from "../points/touch-loads.ts";
import type { Touchpoint } from "../points/touchpoint.ts";
import { toScene } from "../points/touchpoint-space.ts";
import { isTreeInVolume } from "../tree/clearance.ts";
import { routeTree } from "../tree/route-tree.ts";
import { movedTree } from "../tree/support-tree.ts";
import type { DraftPart } from "./draft-part.ts";
import { unpackLoads } from "./packed-loads.ts";
import { withRouting } from "./routing-of-part.ts";

export interface RoutingRequest {
  readonly part: DraftPart;
  /** In model space. */
  readonly touchpoints: readonly Touchpoint[];
  /** Where the model is, in x and y, mm. The part need not be there. */
  readonly place: readonly [x: number, y: number];
  readonly volume: BuildVolume;
}

/**
 * How supports hold the touchpoints of a model: those that `supportModel` builds, without their solid. Undefined if none is reached, or if a
 * strut would leave the volume at the place of the model.
 */
export function routedPoints(
  { part, touchpoints, place: [x, y], volume }: RoutingRequest,
  progress: Progress,
): RoutedSupports | undefined {
  return withRouting(part, progress, ({ space, settings, reachOf, routeFrom }) => {
    const points = touchpoints.map((point) => toScene(point, part.placed));
    const reaches = points.map(reachOf);
    const touchLoadsN = reachedTouchLoads(unpackLoads(part.loads), points, reaches);
    const tree = movedTree(routeTree({ space, settings, reaches, touchLoadsN, routeFrom }, progress), [
      x - part.position[0],
      y - part.position[1],
    ]);
    if (tree.struts.length === 0 || !isTreeInVolume(tree, volume)) return undefined;
    return { tree, touchLoadsN, trees: treesOfTouches(tree) };
  });
}
