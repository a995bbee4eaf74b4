import type { Progress } from "../core/progress.ts";
import type { HeldTip } from "../hold/held-tip.ts";
import { type Weakness, findWeaknesses } from "../hold/hold-walk.ts";
import { partSections } from "../hold/part-sections.ts";
import { touchStrengthN } from "../hold/strengths.ts";
import { worstWeaknesses } from "../hold/worst-weaknesses.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { layerBoundariesMm } from "../slice/layer-heights.ts";
import { type PlacedSupports, standingTips } from "./standing-tips.ts";

/** A model and how it is printed. */
export interface HoldCheck {
  readonly placed: PlacedMesh;
  /** Height of the lowest point of the model. */
  readonly bottomMm: number;
  /** Layers above this height are not checked. */
  readonly topMm: number;
  readonly layerThicknessMm: number;
  readonly supports?: PlacedSupports & {
    /** Whether the bottom of the model is on the raft itself. */
    readonly isOnRaft: boolean;
  };
}

/** Maximum number of weaknesses in a reply; users do not read more. */
const MAX_WEAKNESSES = 30;
/** Shares of the progress at which the tips and the sections are found; the rest is the walk over the layers. */
const SHARES = { tips: 0.1, sections: 0.9 };

/**
 * The places where a model is not held against the pull of the film, in scene coordinates, the worst first. It is held by the existing tips
 * of its supports ({@link standingTips}) and by its contact with the platform or the raft. A model that touches neither supports nor the
 * platform is not held.
 */
export function checkHold(request: HoldCheck, progress: Progress): Weakness[] {
  const { placed, bottomMm, topMm, layerThicknessMm, supports } = request;
  const { tips: tipsShare, sections: sectionsShare } = SHARES;
  const standing = supports && standingTips(supports, placed, layerThicknessMm, progress.part(0, tipsShare));
  const found = standing ?? [];
  const positions = found.map(({ position }) => position);
  const boundariesMm = layerBoundariesMm(layerThicknessMm, topMm, []);
  const { sections, regions } = partSections(placed, boundariesMm, positions, progress.part(tipsShare, sectionsShare));
  const tips = found.flatMap(({ position, sizeMm, foot }, i): HeldTip[] => {
    const region = regions[i];
    return region < 0 ? [] : [{ position, region, foot, strengthN: touchStrengthN(sizeMm), sizeMm }];
  });
  const isOnRaft = standing !== undefined && supports!.isOnRaft;
  const groundMm = layerThicknessMm + (isOnRaft ? Math.max(0, bottomMm) : 0);
  const checkCancelled = (): void => progress.report(sectionsShare);
  const weaknesses = findWeaknesses({ sections, tips, groundMm, margin: 1, checkCancelled });
  return worstWeaknesses(weaknesses).slice(0, MAX_WEAKNESSES);
}
