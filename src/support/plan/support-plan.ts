import type { Touchpoint } from "../points/touchpoint.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { SupportArea } from "./support-area.ts";

/** What a person decided about the supports of a model. It outlives their solid, which a turn or another scale removes. */
export interface SupportPlan {
  readonly settings: SupportSettings;
  /**
   * In the coordinates of the raw mesh: the automatic ones first, in the order in which they were chosen, then those of persons. Points that face
   * up rest: they are no touchpoints of the supports until the model is turned back.
   */
  readonly points: readonly Touchpoint[];
  readonly areas: readonly SupportArea[];
}
