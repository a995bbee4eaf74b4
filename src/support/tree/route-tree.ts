import type { Progress } from "../../core/progress.ts";
import type { Ball } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";
import { bracePillars } from "./brace-pillars.ts";
import type { RoutingSpace } from "./clearance.ts";
import { type Branch, addRoute, mergeBranches } from "./merge-branches.ts";
import { type Reach, routeBelow } from "./reach.ts";
import type { Route } from "./route.ts";
import { stiffenPillars } from "./stiffen-pillars.ts";
import { type SupportTree, TreeBuilder, loadOf } from "./support-tree.ts";

export interface TreeRequest {
  readonly space: RoutingSpace;
  readonly settings: SupportSettings;
  /** How each touchpoint is held; undefined where no tip reaches the ground. */
  readonly reaches: readonly (Reach | undefined)[];
  /** The largest force on each touchpoint, N. */
  readonly touchLoadsN: Float64Array;
}

/** Share of the progress at which branches are merged. */
const MERGED_SHARE = 0.9;

/**
 * The supports of a model: a tip at each touchpoint, pillars from the tips to the ground that merge like branches of a
 * tree, and braces between tall pillars. All struts but the ends of tips keep `CLEARANCE_MM` away from the model, none
 * is flatter than 45°, none leaves the volume. With `internalSupportsEnabled`, pillars that cannot reach the ground may
 * end on the model.
 */
export function routeTree({ space, settings, reaches, touchLoadsN }: TreeRequest, progress: Progress): SupportTree {
  const routeFrom = (start: Ball, footSizeMm: number | undefined): Route | undefined =>
    routeBelow(space, start, footSizeMm);
  const builder = new TreeBuilder();
  const branches: Branch[] = [];
  const touches = Int32Array.from(reaches, (reach) => {
    if (!reach) return -1;
    const { post } = reach;
    if (post) {
      const top = builder.addBall(post.top);
      const foot = post.foot ? builder.addStrut(top, post.foot, "TIP") : top;
      builder.feet.push({ node: foot, on: "GROUND" });
      return top;
    }
    const { tip, route, sizeMm } = reach;
    const touch = builder.addBall(tip.touch);
    const node = builder.addStrut(touch, tip.end, "TIP");
    branches.push({ node, ball: tip.end, load: loadOf(sizeMm, settings), largestTouchMm: sizeMm, route });
    return touch;
  });
  const merged = mergeBranches(space, builder, branches, routeFrom, progress.part(0, MERGED_SHARE));
  for (const branch of merged) addRoute(builder, branch);
  bracePillars(space, builder);
  stiffenPillars(space, builder, touches, touchLoadsN);
  progress.report(1);
  return builder.build(touches);
}
