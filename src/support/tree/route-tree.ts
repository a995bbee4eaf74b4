import type { BuildVolume } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { placedSurface } from "../../mesh/bvh/placed-surface.ts";
import type { Placed } from "../../slice/placed.ts";
import type { SupportSettings } from "../settings.ts";
import type { Touchpoint } from "../touchpoint.ts";
import type { Ball } from "./ball.ts";
import { braceUprights } from "./brace-uprights.ts";
import { type Branch, settle } from "./branch.ts";
import { routeToModel } from "./foot-on-model.ts";
import { mergeBranches } from "./merge-branches.ts";
import { postBelow } from "./post.ts";
import { type Route, routeToGround } from "./route.ts";
import { addBall, addStrut, finished, newSketch } from "./sketch.ts";
import type { Space } from "./space.ts";
import { type Tip, tipsAt } from "./tips.ts";
import type { SupportTree } from "./tree.ts";

export interface TreeRequest {
  /** The model at the height at which it is printed. */
  readonly placed: Placed;
  readonly touchpoints: readonly Touchpoint[];
  readonly settings: SupportSettings;
  /** Height at which pillars end: the top of the raft, or 0 for the platform. */
  readonly groundMm: number;
  /** Nothing stands outside its volume, where it is given. */
  readonly room?: { readonly volume: BuildVolume };
}

/** Shares of the progress at which the facets are in order, the tips set and the branches merged. */
const [INDEXED, SET, MERGED] = [0.2, 0.6, 0.95];
/** So many tips of a touchpoint may turn out to lead nowhere before it is given up. */
const MOST_TIPS = 12;
const POINTS_PER_REPORT = 4;

/**
 * The supports of a model: a tip at each touchpoint, pillars from the tips to the ground that meet like branches of a
 * tree, and braces between tall ones. All but the ends of tips keep {@link GAP_MM} or more away from the model, none is
 * flatter than 45°, none stands outside the room. With `internalSupportsEnabled` what cannot reach the ground may end
 * on the model.
 */
export function routeTree({ placed, touchpoints, settings, groundMm, room }: TreeRequest, watch: Watch): SupportTree {
  const surface = placedSurface(placed);
  const facets = facetTree(surface, watch.part(0, INDEXED));
  const space: Space = { surface, facets, groundMm, volume: room?.volume, checkIn: () => watch.report(0) };
  const sizeMm = settings.touchpointSizeMm;
  const routeFrom = (start: Ball, mayEndOnModel: boolean): Route | undefined =>
    routeToGround(space, start) ?? (mayEndOnModel ? routeToModel(space, start, sizeMm) : undefined);

  const sketch = newSketch();
  const branches: Branch[] = [];
  const setting = watch.part(INDEXED, SET);
  const touches = Int32Array.from(touchpoints, (touchpoint, i) => {
    if (i % POINTS_PER_REPORT === 0) setting.report(i / touchpoints.length);
    const post = postBelow(space, touchpoint, sizeMm);
    if (post) {
      const node = addBall(sketch, post.top);
      const foot = post.foot ? addStrut(sketch, node, post.foot, "TIP") : node;
      sketch.feet.push({ node: foot, on: "GROUND" });
      return node;
    }
    const led = leadTip(space, touchpoint, settings, routeFrom);
    if (!led) return -1;
    const touch = addBall(sketch, led.tip.touch);
    const node = addStrut(sketch, touch, led.tip.end, "TIP");
    branches.push({ node, ball: led.tip.end, load: 1, route: led.route });
    return touch;
  });
  for (const branch of mergeBranches(space, sketch, branches, routeFrom, watch.part(SET, MERGED))) {
    settle(sketch, branch);
  }
  braceUprights(space, sketch);
  watch.report(1);
  return finished(sketch, touches);
}

/**
 * The first tip from which a way leads to the ground; else, where that is allowed, the first with a way to the model.
 */
function leadTip(
  space: Space,
  touchpoint: Touchpoint,
  { touchpointSizeMm, internalSupportsEnabled }: SupportSettings,
  routeFrom: (start: Ball, mayEndOnModel: boolean) => Route | undefined,
): { readonly tip: Tip; readonly route: Route } | undefined {
  const tips: Tip[] = [];
  for (const tip of tipsAt(space, touchpoint, touchpointSizeMm)) {
    const route = routeFrom(tip.end, false);
    if (route) return { tip, route };
    if (tips.push(tip) === MOST_TIPS) break;
  }
  if (!internalSupportsEnabled) return undefined;
  for (const tip of tips) {
    const route = routeFrom(tip.end, true);
    if (route) return { tip, route };
  }
  return undefined;
}
