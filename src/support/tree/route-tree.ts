import type { Progress } from "../../core/progress.ts";
import type { SupportSettings } from "../support-settings.ts";
import { bracePillars } from "./brace-pillars.ts";
import type { RoutingSpace } from "./clearance.ts";
import { type Forest, branchOf, buildForest } from "./forest.ts";
import { type RouteFrom, mergeBranches } from "./merge-branches.ts";
import { type Reach, routeBelow } from "./reach.ts";
import { stiffenPillars } from "./stiffen-pillars.ts";
import { type SupportTree, TreeBuilder } from "./support-tree.ts";

export interface TreeRequest {
  readonly space: RoutingSpace;
  readonly settings: SupportSettings;
  /** How each touchpoint is held; undefined where no tip reaches the ground. */
  readonly reaches: readonly (Reach | undefined)[];
  /** The largest force on each touchpoint, N. */
  readonly touchLoadsN: Float64Array;
  /** If absent, each route is searched for anew. */
  readonly routeFrom?: RouteFrom;
}

/** Share of the progress at which branches are merged. */
const MERGED_SHARE = 0.9;

/**
 * The supports of a model: a tip at each touchpoint, pillars from the tips to the ground that merge like branches of a
 * tree, and braces between tall pillars. All struts but the ends of tips keep `CLEARANCE_MM` away from the model, none
 * is flatter than 45°, none leaves the volume. With `internalSupportsEnabled`, pillars that cannot reach the ground may
 * end on the model.
 */
export function routeTree(
  {
    space,
    settings,
    reaches,
    touchLoadsN,
    routeFrom = (start, footSizeMm) => routeBelow(space, start, footSizeMm),
  }: TreeRequest,
  progress: Progress,
): SupportTree {
  const tips = reaches.map((reach) => branchOf(reach, settings));
  const branches = tips.filter((branch) => branch !== undefined);
  const merged = mergeBranches(space, branches, routeFrom, progress.part(0, MERGED_SHARE));
  const tree = stiffTree(space, { reaches, tips, ...merged }, touchLoadsN);
  progress.report(1);
  return tree;
}

/** The struts of a forest, with braces, thick enough for the loads of its touches, N. */
export function stiffTree(space: RoutingSpace, forest: Forest, touchLoadsN: Float64Array): SupportTree {
  const builder = new TreeBuilder();
  const touches = buildForest(builder, forest);
  bracePillars(space, builder);
  stiffenPillars(space, builder, touches, touchLoadsN);
  return builder.build(touches);
}
