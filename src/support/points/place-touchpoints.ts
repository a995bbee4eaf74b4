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
  const { kept = [] } = request;
  const centred = new Map(
    kept.map((point) => [{ ...point, position: subtract(point.position, [x, y, 0]) }, point] as const),
  );
  const inScene = memoize(
    (point: Touchpoint) => centred.get(point) ?? { ...point, position: add(point.position, [x, y, 0]) },
  );
  const standingOf = (point: Touchpoint): Standing | undefined => {
    const standing = request.standingOf(inScene(point));
    return standing?.foot ? { foot: subtract(standing.foot, [x, y, 0]) } : standing;
  };
  const walk = { ...request, placed, kept: [...centred.keys()] };
  const walked = request.walked ?? walkPart(walk, progress.part(0, WALKED_SHARE));
  const stays = [...centred.keys()].map((touchpoint, i): HoldPoint => ({ touchpoint, region: walked.keptRegions[i] }));
  const found = walked.touchpoints.map((touchpoint, i): HoldPoint => ({ touchpoint, region: walked.regions[i] }));
  const held = holdPoints(walked, [...stays, ...found], { ...walk, standingOf }, progress.part(WALKED_SHARE, 1));
  // The order of `canonicalPoints`.
  const isAutomatic = ({ touchpoint: { origin } }: HoldPoint): boolean => origin === "AUTOMATIC";
  const manual = stays.filter((point) => !isAutomatic(point));
  const points = [...stays.filter(isAutomatic), ...found, ...held, ...manual];
  return {
    touchpoints: points.map(({ touchpoint }) => inScene(touchpoint)),
    sections: movedSections(walked.sections, [x, y]),
    regions: Int32Array.from(points, ({ region }) => region),
  };
}

/** The points that hold a part against the pull of the film, at the centre of the platform. */
function holdPoints(
  { sections, candidates, candidateRegions }: WalkedPart,
  present: readonly HoldPoint[],
  { settings, groundMm, standingOf }: TouchpointRequest,
  progress: Progress,
): HoldPoint[] {
  if (candidates.length === 0) return [];
  const placed = present.flatMap(({ touchpoint, region }): PlacedPoint[] => {
    const standing = standingOf(touchpoint);
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
