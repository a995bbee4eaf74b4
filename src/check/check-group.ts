import type { Progress } from "../core/progress.ts";
import type { BodyGroup } from "./body-group.ts";
import { findCups } from "./cups.ts";
import { findModelMinima } from "./minima.ts";
import type { FindingPlace } from "./finding-place.ts";
import { findUnsupported } from "./supportedness.ts";

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

/** The findings of a check at each model of a group. */
export function checkGroup(request: GroupCheck, progress: Progress): LayerFindings[] {
  switch (request.check) {
    case "CUPS":
      return findCups(request.group, progress);
    case "MINIMA":
      return findModelMinima(request.group, progress);
    case "SUPPORTEDNESS":
      return findUnsupported(request, progress);
  }
}
