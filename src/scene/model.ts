import type { Lock } from "../core/lock.ts";
import type { Units } from "../core/units.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import type { Pose } from "../mesh/pose.ts";
import type { Hollowed } from "../solid/hollowed.ts";
import type { SupportSettings } from "../support/settings.ts";
import type { Touchpoint } from "../support/touchpoint.ts";

/** A mesh standing in a scene. Immutable; meshes and outlines are shared between copies. */
export interface Body {
  readonly mesh: Mesh;
  /** Of `mesh` turned by `pose.orientation`. */
  readonly outline: Outline;
  readonly pose: Pose;
}

/** The structure that holds a model while it is printed. It turns about z alone, and with the model. */
export interface Supports extends Body {
  /** Where the model is held, in the coordinates of its raw mesh. */
  readonly touchpoints: readonly Touchpoint[];
  readonly settings: SupportSettings;
}

/** What a client imports, places and prints. */
export interface Model extends Body {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the file it was imported from. */
  readonly originalFile: string;
  readonly units: Units;
  readonly visible: boolean;
  readonly lock: Lock;
  readonly supports?: Supports;
  /** Of one that was hollowed here. */
  readonly hollowed?: Hollowed;
}

/** A model and its supports: all that there is of it to print. */
export const bodiesOf = (model: Model): readonly Body[] => (model.supports ? [model, model.supports] : [model]);
