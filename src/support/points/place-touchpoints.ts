import type { Progress } from "../../core/progress.ts";
import { memoize } from "../../core/memoize.ts";
import { add, subtract } from "../../geometry/vector.ts";
import type { Sections } from "../../hold/sections.ts";
import { atCentre } from "../../hold/part-sections.ts";
import { type HoldPoint, type PlacedPoint, findHoldPoints } from "./hold-points.ts";
import { unpackCandidates } from "./part-faces.ts";
import type { FindStanding, Standing, Touchpoint } from "./touchpoint.ts";
import { type WalkRequest, type WalkedPart, walkPart } from "./walk-part.ts";

export interface TouchpointRequest extends WalkRequest {
  /** Parts that begin below this height rest on the platform or the raft, mm. */
  readonly groundMm: number;
  readonly standingOf: FindStanding;
  /** The {@link walkPart} of the model, if another thread has done it. */
  readonly walked?: WalkedPart | undefined;
}

export interface PlacedTouchpoints {
  readonly touchpoints: readonly Touchpoint[];
  readonly sections: Sections;
  /** The region of the sections that each touchpoint touches; −1 where there is none. */
  readonly regions: Int32Array;
}

/** Share of the progress at which the layers are done; points that hold against the pull of the film are the rest. */
const WALKED_SHARE = 0.7;

/**
 * The touchpoints of a model: those of its layers ({@link walkPart}), from the lowest up. Layers that the film would still pull off get
 * more ({@link findHoldPoints}), on all faces that tips reach.
 */
export function placeTouchpoints(request: TouchpointRequest, progress: Progress): PlacedTouchpoints {
  const [x, y] = request.placed.pose.position;
  const placed = atCentre(request.placed);
  const inScene = memoize((point: Touchpoint) => ({ ...point, position: add(point.position, [x, y, 0]) }));
  const standingOf = (point: Touchpoint): Standing | undefined => {
    const standing = request.standingOf(inScene(point));
    return standing?.foot ? { foot: subtract(standing.foot, [x, y, 0]) } : standing;
  };
  const walked = request.walked ?? walkPart({ ...request, placed }, progress.part(0, WALKED_SHARE));
  const held = holdPoints(walked, { ...request, standingOf }, progress.part(WALKED_SHARE, 1));
  return {
    touchpoints: [...walked.touchpoints, ...held.map(({ touchpoint }) => touchpoint)].map(inScene),
    sections: movedSections(walked.sections, [x, y]),
    regions: Int32Array.from([...walked.regions, ...held.map(({ region }) => region)]),
  };
}

/** The points that hold a part against the pull of the film, at the centre of the platform. */
function holdPoints(
  { touchpoints, regions, sections, candidates, candidateRegions }: WalkedPart,
  { settings, groundMm, standingOf }: TouchpointRequest,
  progress: Progress,
): HoldPoint[] {
  if (candidates.length === 0) return [];
  const placed = touchpoints.flatMap((touchpoint, i): PlacedPoint[] => {
    const [region, standing] = [regions[i], standingOf(touchpoint)];
    return region >= 0 && standing ? [{ touchpoint, region, foot: standing.foot }] : [];
  });
  const from = unpackCandidates(candidates);
  return findHoldPoints(
    { sections, placed, candidates: from, regions: candidateRegions, settings, groundMm, standingOf },
    progress,
  );
}

const movedSections = (sections: Sections, [dx, dy]: readonly [x: number, y: number]): Sections => ({
  ...sections,
  x: sections.x.map((x) => x + dx),
  y: sections.y.map((y) => y + dy),
});
