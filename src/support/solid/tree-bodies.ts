import type { Surface } from "../../mesh/mesh.ts";
import type { StandingFoot } from "../raft/foot.ts";
import { groundMm } from "../raft/ground.ts";
import { raftForm } from "../raft/raft-form.ts";
import { raftLevels } from "../raft/raft-levels.ts";
import type { SupportSettings } from "../settings.ts";
import type { SupportTree } from "../tree/tree.ts";
import { chainBody, type Footing } from "./chain-body.ts";
import { flareBody } from "./flare-body.ts";
import { strutChains } from "./strut-chains.ts";
import type { Ball } from "./tube.ts";

/** A flare stands so far inside of the base that it shares with others: walls in one place cross each other by chance. */
const INSIDE_BASE_MM = 0.02;

/** Radians: no two of many multiples come near each other, so that hardly any two chains have corners in one line. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The closed, overlapping bodies of all struts, and of the flares of pillars that stand on the bare platform. */
export function treeBodies(
  tree: SupportTree,
  feet: readonly StandingFoot[],
  settings: SupportSettings,
  turn: number,
): readonly Surface[] {
  const { thicknessMm, marginMm } = raftForm(settings);
  const baseMm = raftLevels(settings).at(-1)?.zMm ?? 0;
  const isBare = thicknessMm === 0;
  const footing: Footing = {
    cutMm: Math.min(baseMm / 2, groundMm(settings)),
    isBreakaway: settings.breakawayStructureEnabled && !isBare,
  };
  const grounded = new Set(tree.feet.filter(({ on }) => on === "GROUND").map(({ node }) => node));
  const ballOf = (node: number): Ball => {
    const [x, y, z, radiusMm] = tree.nodes.subarray(4 * node, 4 * node + 4);
    return { centre: [x, y, z], radiusMm };
  };
  const bodies = strutChains(tree).map((chain, i) => {
    const fromGround = grounded.has(chain.at(-1)!) ? chain.toReversed() : chain;
    return chainBody(
      fromGround.map(ballOf),
      grounded.has(fromGround[0]) ? footing : undefined,
      turn + GOLDEN_ANGLE * i,
    );
  });
  if (!isBare) return bodies;
  const flareMm = baseMm > 0 ? marginMm - INSIDE_BASE_MM : marginMm;
  return [...bodies, ...feet.map((foot) => flareBody(foot, flareMm, baseMm, turn))];
}
