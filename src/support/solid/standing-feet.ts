import type { StandingFoot } from "../raft/foot.ts";
import type { SupportTree } from "../tree/tree.ts";

/** Where the pillars of a tree stand on the ground, seen from above. */
export const standingFeet = ({ nodes, feet }: SupportTree): readonly StandingFoot[] =>
  feet
    .filter(({ on }) => on === "GROUND")
    .map(({ node }) => ({ x: nodes[4 * node], y: nodes[4 * node + 1], radius: nodes[4 * node + 3] }));
