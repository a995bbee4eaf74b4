import type { Progress } from "../../core/progress.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { Ball } from "../../geometry/vector.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { placedSurface } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type LayerAreas, touchLoads } from "../points/layer-areas.ts";
import type { Touchpoint } from "../points/touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import { bracePillars } from "./brace-pillars.ts";
import type { RoutingSpace } from "./clearance.ts";
import { type Branch, addRoute, mergeBranches } from "./merge-branches.ts";
import { type Route, routeToGround, routeToModel } from "./route.ts";
import { stiffenPillars } from "./stiffen-pillars.ts";
import { type SupportTree, TreeBuilder, touchHeights } from "./support-tree.ts";
import { type Tip, shortPost, tipCandidates } from "./tips.ts";

export interface TreeRequest {
  /** The model at the height at which it is printed. */
  readonly placed: PlacedMesh;
  readonly touchpoints: readonly Touchpoint[];
  /** The layers of the model: pillars bear the pull of the film at them. */
  readonly layers: LayerAreas;
  readonly settings: SupportSettings;
  /** Height at which pillars end: the top of the raft, or 0 for the platform. */
  readonly groundMm: number;
  /** The tree stays inside, where it is given. */
  readonly volume?: BuildVolume | undefined;
}

/** Shares of the progress at which each stage ends. */
const PROGRESS_SHARES = { bvh: 0.2, tips: 0.6, merging: 0.95 };
/** Tips of a touchpoint that are tried for a route to the ground. */
const MAX_TIPS = 12;
const POINTS_PER_REPORT = 4;

/**
 * The supports of a model: a tip at each touchpoint, pillars from the tips to the ground that merge like branches of a
 * tree, and braces between tall pillars. All struts but the ends of tips keep `CLEARANCE_MM` away from the model, none
 * is flatter than 45°, none leaves the volume. With `internalSupportsEnabled`, pillars that cannot reach the ground may
 * end on the model.
 */
export function routeTree(request: TreeRequest, progress: Progress): SupportTree {
  const { placed, touchpoints, layers, settings, groundMm, volume } = request;
  const { bvh: bvhShare, tips: tipsShare, merging: mergingShare } = PROGRESS_SHARES;
  const surface = placedSurface(placed);
  const bvh = buildBvh(surface, progress.part(0, bvhShare));
  const space: RoutingSpace = { surface, bvh, groundMm, volume, checkCancelled: () => progress.report(0) };
  const sizeMm = settings.touchpointSizeMm;
  const routeFrom = (start: Ball, mayEndOnModel: boolean): Route | undefined =>
    routeToGround(space, start) ?? (mayEndOnModel ? routeToModel(space, start, sizeMm) : undefined);

  const builder = new TreeBuilder();
  const branches: Branch[] = [];
  const placingTips = progress.part(bvhShare, tipsShare);
  const touches = Int32Array.from(touchpoints, (touchpoint, i) => {
    if (i % POINTS_PER_REPORT === 0) placingTips.report(i / touchpoints.length);
    const post = shortPost(space, touchpoint, sizeMm);
    if (post) {
      const top = builder.addBall(post.top);
      const foot = post.foot ? builder.addStrut(top, post.foot, "TIP") : top;
      builder.feet.push({ node: foot, on: "GROUND" });
      return top;
    }
    const routed = routeTip(space, touchpoint, settings, routeFrom);
    if (!routed) return -1;
    const { tip, route } = routed;
    const touch = builder.addBall(tip.touch);
    const node = builder.addStrut(touch, tip.end, "TIP");
    branches.push({ node, ball: tip.end, load: 1, route });
    return touch;
  });
  const merged = mergeBranches(space, builder, branches, routeFrom, progress.part(tipsShare, mergingShare));
  for (const branch of merged) addRoute(builder, branch);
  bracePillars(space, builder);
  const heightsMm = touchHeights(builder.build(touches));
  stiffenPillars(space, builder, touches, touchLoads(layers, heightsMm, sizeMm));
  progress.report(1);
  return builder.build(touches);
}

/** The first tip with a route to the ground; else, where that is allowed, the first with a route to the model. */
function routeTip(
  space: RoutingSpace,
  touchpoint: Touchpoint,
  { touchpointSizeMm, internalSupportsEnabled }: SupportSettings,
  routeFrom: (start: Ball, mayEndOnModel: boolean) => Route | undefined,
): { readonly tip: Tip; readonly route: Route } | undefined {
  const tips: Tip[] = [];
  for (const tip of tipCandidates(space, touchpoint, touchpointSizeMm)) {
    const route = routeFrom(tip.end, false);
    if (route) return { tip, route };
    if (tips.push(tip) === MAX_TIPS) break;
  }
  if (!internalSupportsEnabled) return undefined;
  for (const tip of tips) {
    const route = routeFrom(tip.end, true);
    if (route) return { tip, route };
  }
  return undefined;
}
