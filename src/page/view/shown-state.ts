import { ORIGIN } from "../../geometry/vector.ts";
import type { Instance, Mat4 } from "./instances.ts";
import type { LayerPicture } from "./layer-plane.ts";
import { type Orbit, lookFrom } from "./orbit.ts";
import type { Marker, ShownScene, Tool } from "./view.ts";

/** Everything that the view shows. All parts of the view share one such object; after each change, `DrawnScene` is asked to draw it. */
export interface ShownState {
  scene: ShownScene | undefined;
  /** Instances of the visible models of the scene, by mesh hash. */
  instances: ReadonlyMap<string, readonly Instance[]>;
  selected: ReadonlySet<string>;
  hovered: string | undefined;
  /** Models that overlap others. */
  overlapping: ReadonlySet<string>;
  tool: Tool;
  /** Layer at which the scene is cut; undefined for the whole scene. */
  layer: LayerPicture | undefined;
  markers: readonly Marker[];
  /** Proposed changes: matrices to apply after the models' own, by model id. */
  preview: ReadonlyMap<string, Mat4>;
  orbit: Orbit;
}

export const newShownState = (): ShownState => ({
  scene: undefined,
  instances: new Map(),
  selected: new Set(),
  hovered: undefined,
  overlapping: new Set(),
  tool: "select",
  layer: undefined,
  markers: [],
  preview: new Map(),
  orbit: lookFrom({ yawDeg: 0, pitchDeg: 0, target: ORIGIN, heightMm: 200 }, "home"),
});

/** Height of the cut, mm; Infinity without one. */
export const cutHeightMm = ({ layer }: ShownState): number => layer?.heightMm ?? Infinity;

/** Whether models must stay on the platform, as in resin printers. */
export const areModelsGrounded = ({ scene }: ShownState): boolean => scene?.volume.family !== "powder";
