import type { Progress } from "../core/progress.ts";
import type { Stack } from "../slice/stack.ts";
import type { BodyGroup } from "./body-group.ts";
import { type ChunkedCheck, type Examined, type Prepared, checkWhole, concludeCheck } from "./chunked-check.ts";
import { cupsCheck } from "./cups.ts";
import { minimaCheck } from "./minima.ts";
import type { FindingPlace } from "./finding-place.ts";
import { supportednessCheck } from "./supportedness.ts";

/** Findings of a check of layers at a model. Each check gives different values; the values of several groups add up. */
export interface LayerFindings {
  readonly cups?: number;
  readonly minima?: number;
  /** Pixels of overhangs seen from above, and the number of unsupported pixels among them. */
  readonly overhangs?: number;
  readonly unsupported?: number;
  /** Places of the findings, as many as users read, in the coordinates of the group. */
  readonly places: readonly FindingPlace[];
}

/** A check of the layers of a group of bodies. */
export type GroupCheck =
  | { readonly check: "CUPS" | "MINIMA"; readonly group: BodyGroup }
  | {
      readonly check: "SUPPORTEDNESS";
      readonly group: BodyGroup;
      /** Largest angle between a downward face and the horizontal at which the face overhangs. */
      readonly selfSupportingAngleDeg: number;
      /** Overhangs with a larger overhang distance are unsupported. */
      readonly bridgingDistanceMm: number;
    };

/** Each check takes the requests of its kind alone; the type of its parts is its own. */
const CHECKS = { CUPS: cupsCheck, MINIMA: minimaCheck, SUPPORTEDNESS: supportednessCheck };

type AnyCheck = ChunkedCheck<GroupCheck, unknown, LayerFindings[]>;

const checkOf = ({ check }: GroupCheck): AnyCheck => CHECKS[check] as unknown as AnyCheck;

/** The findings of a check at each model of a group. */
export const checkGroup = (request: GroupCheck, progress: Progress): LayerFindings[] =>
  checkWhole(checkOf(request), request, progress);

// The steps of the same check on several threads:

export const prepareGroup = (request: GroupCheck, progress: Progress): readonly Stack[] =>
  checkOf(request).prepare(request, progress);

export interface ChunkOfGroup extends Prepared<GroupCheck> {
  readonly chunk: number;
}

/** The packed part of a chunk. */
export function examineChunk({ chunk, ...prepared }: ChunkOfGroup, progress: Progress): Uint32Array {
  const check = checkOf(prepared.request);
  return check.pack(check.examine(prepared, chunk, () => progress.report(0)));
}

export const concludeGroup = (examined: Examined<GroupCheck>, progress: Progress): LayerFindings[] =>
  concludeCheck(checkOf(examined.request), examined, progress);
