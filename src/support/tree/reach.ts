import type { Progress } from "../../core/progress.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { Ball, Vec3 } from "../../geometry/vector.ts";
import { type Bvh, buildBvh } from "../../mesh/bvh/bvh.ts";
import { placedSurface } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { Touchpoint } from "../points/touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { RoutingSpace } from "./clearance.ts";
import { type Route, routeToGround, routeToModel } from "./route.ts";
import { type ShortPost, type Tip, shortPost, tipCandidates } from "./tips.ts";

/** How a touchpoint is held: by a short post, or by a tip and the route of a pillar below it. */
export type Reach =
  | { readonly post: ShortPost }
  | {
      readonly post?: undefined;
      readonly tip: Tip;
      readonly route: Route;
      /** Diameter of the touchpoint. */
      readonly sizeMm: number;
    };

/** The foot of the pillar of a tip on the model itself; undefined if it stands on the raft or the platform. */
export const footOnModel = (how: Reach): Vec3 | undefined =>
  !how.post && how.route.on === "MODEL" ? how.route.balls.at(-1)!.centre : undefined;

/** Maximum number of tips of a touchpoint that are tried for a route to the ground. */
const MAX_TIPS = 12;

/**
 * The space around a model as it is printed. `groundMm`: the top of the raft, or 0 for the platform. `known`: the tree of the model, if it
 * was built before.
 */
export function routingSpace(
  placed: PlacedMesh,
  groundMm: number,
  volume: BuildVolume | undefined,
  progress: Progress,
  known?: Bvh,
): RoutingSpace {
  const surface = placedSurface(placed);
  const checking = progress.silent();
  return {
    surface,
    bvh: known ?? buildBvh(surface, progress),
    groundMm,
    volume,
    checkCancelled: () => checking.report(1),
  };
}

/** The route of a pillar below a ball, with a foot of a given diameter if it may end on the model; undefined where there is none. */
export const routeBelow = (space: RoutingSpace, start: Ball, footSizeMm: number | undefined): Route | undefined =>
  routeToGround(space, start) ?? (footSizeMm === undefined ? undefined : routeToModel(space, start, footSizeMm));

/** What decides how a touchpoint is held. */
type ReachedPoint = Pick<Touchpoint, "position" | "normal" | "sizeMm">;

/** How a tip at a touchpoint reaches the ground; undefined where none does. */
export function reachOf(space: RoutingSpace, settings: SupportSettings, touchpoint: ReachedPoint): Reach | undefined {
  const post = shortPost(space, touchpoint, touchpoint.sizeMm);
  return post ? { post } : routeTip(space, settings, touchpoint);
}

/** The first tip with a route to the ground; else, if allowed, the first with a route to the model. */
function routeTip(
  space: RoutingSpace,
  { internalSupportsEnabled }: SupportSettings,
  touchpoint: ReachedPoint,
): Reach | undefined {
  const { sizeMm } = touchpoint;
  const tips: Tip[] = [];
  for (const tip of tipCandidates(space, touchpoint, sizeMm)) {
    const route = routeBelow(space, tip.end, undefined);
    if (route) return { tip, route, sizeMm };
    if (tips.push(tip) === MAX_TIPS) break;
  }
  if (!internalSupportsEnabled) return undefined;
  for (const tip of tips) {
    const route = routeBelow(space, tip.end, sizeMm);
    if (route) return { tip, route, sizeMm };
  }
  return undefined;
}
