import type { Setting } from "../catalog/setting.ts";
import type { Model } from "./model.ts";

/** One machine/material/print-setting/layer-thickness combination and the models in that printer's build volume. */
export interface Scene {
  readonly id: string;
  /** Name inside the project file it was opened from; absent for a scene never opened from one. */
  readonly name?: string;
  readonly setting: Setting;
  /** In the order of arrival. */
  readonly models: readonly Model[];
}

/** Everything the server holds: the scenes in project order, the default scene first. */
export interface Project {
  readonly scenes: readonly Scene[];
}
