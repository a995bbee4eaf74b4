import type { Progress } from "../../core/progress.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { reachedTouchLoads } from "../points/touch-loads.ts";
import { freeLengths, leastLoadRatio } from "../tree/buckling.ts";
import { stiffTree } from "../tree/route-tree.ts";
import type { DraftPart } from "./draft-part.ts";
import { type PointList, draftPoints } from "./draft-points.ts";
import { type DraftTrees, draftTrees } from "./draft-trees.ts";
import { type PointForest, localForest } from "./local-forest.ts";
import { packForest, unpackForest } from "./packed-forest.ts";
import { unpackLoads } from "./packed-loads.ts";
import { withRouting } from "./routing-of-part.ts";

export interface DraftRequest {
  readonly part: DraftPart;
  readonly list: PointList;
  /** The forest of an earlier draft of the part. */
  readonly base: Float64Array | undefined;
}

/** Supports without their solid. */
export interface Draft extends DraftTrees {
  /** The position of the model on its supports, in the coordinates of the struts. */
  readonly position: Vec3;
  /** {@link packForest} of the points. */
  readonly forest: Float64Array;
  /** Least ratio of the load at which a strut buckles to its load; infinite where no strut bears a load. */
  readonly loadRatioMin: number;
}

/** Share of the progress at which branches are merged. */
const MERGED_SHARE = 0.8;

const EMPTY: PointForest = { points: [], forest: { reaches: [], tips: [], merges: [], roots: [] } };

/**
 * The tree of some touchpoints of a part. Without `base` it is that of a full routing. Else only the trees near points that differ are merged
 * anew ({@link localForest}); braces and the thickness of all struts follow from the whole.
 */
export function draftSupports({ part, list, base }: DraftRequest, progress: Progress): Draft {
  const known = base ? unpackForest(base, part.settings) : EMPTY;
  const touchpoints = draftPoints(part, list);
  return withRouting(part, progress, (routing) => {
    const forest = localForest(routing, touchpoints, known, progress.part(0, MERGED_SHARE));
    const touchLoadsN = reachedTouchLoads(unpackLoads(part.loads), touchpoints, forest.reaches);
    const tree = stiffTree(routing.space, forest, touchLoadsN);
    progress.report(1);
    return {
      ...draftTrees(tree),
      position: part.position,
      forest: packForest({ points: touchpoints, forest }),
      loadRatioMin: tree.struts.length > 0 ? leastLoadRatio(freeLengths(tree, touchLoadsN)) : Infinity,
    };
  });
}
