import { must } from "../../core/must.ts";
import { distance } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { Branch, MergedBranches } from "./merge-branches.ts";
import type { Reach } from "./reach.ts";
import { type TreeBuilder, loadOf } from "./support-tree.ts";

/** The branches of the tips of a model and their joints: a tree without braces, of which no strut is built yet. */
export interface Forest extends MergedBranches {
  /** How each touchpoint is held; undefined where no tip reaches the ground. */
  readonly reaches: readonly (Reach | undefined)[];
  /** The branch of each tip; undefined where there is none. */
  readonly tips: readonly (Branch | undefined)[];
}

/** The branch of a tip that is merged with no other; undefined for a short post. */
export function branchOf(reach: Reach | undefined, settings: SupportSettings): Branch | undefined {
  if (!reach || reach.post) return undefined;
  const { tip, route, sizeMm } = reach;
  return { ball: tip.end, load: loadOf(sizeMm, settings), largestTouchMm: sizeMm, route };
}

/** Adds the struts of a forest to a builder; returns the node of each touchpoint, −1 for those that no tip reaches. */
export function buildForest(builder: TreeBuilder, { reaches, tips, merges, roots }: Forest): Int32Array {
  const nodes = new Map<Branch, number>();
  const nodeOf = (branch: Branch): number => must(nodes.get(branch), "The node of a branch");
  const touches = Int32Array.from(reaches, (reach, i) => {
    if (!reach) return -1;
    const { post } = reach;
    if (post) {
      const top = builder.addBall(post.top);
      const foot = post.foot ? builder.addStrut(top, post.foot, "TIP") : top;
      builder.feet.push({ node: foot, on: "GROUND" });
      return top;
    }
    const touch = builder.addBall(reach.tip.touch);
    nodes.set(must(tips[i], "The branch of a tip"), builder.addStrut(touch, reach.tip.end, "TIP"));
    return touch;
  });
  for (const { branches, into } of merges) {
    const [a, b] = branches.map(nodeOf);
    const node = builder.addStrut(a, into.ball, "PILLAR");
    builder.struts.push({ from: b, to: node, kind: "PILLAR" });
    nodes.set(into, node);
  }
  for (const root of roots) addRoute(builder, root, nodeOf(root));
  return touches;
}

/** Adds the route of a branch, down to its foot. */
function addRoute(builder: TreeBuilder, { ball, route }: Branch, node: number): void {
  let last = node;
  let from = ball;
  route.balls.forEach((next, i) => {
    const isFootTip = route.on === "MODEL" && i === route.balls.length - 1;
    if (distance(from.centre, next.centre) === 0) return;
    last = builder.addStrut(last, next, isFootTip ? "TIP" : "PILLAR");
    from = next;
  });
  builder.feet.push({ node: last, on: route.on });
}
