import type { Box } from "../../geometry/box.ts";
import { ORIGIN, type Vec3, dot, matrixRow } from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import type { Instance, Mat4 } from "./instances.ts";
import type { LayerPicture } from "./layer-plane.ts";
import { type Orbit, boxCorners, lookFrom } from "./orbit.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import type { CutPlane, Marker, ShownCut, ShownMeasure, ShownScene, ShownSupportEdit, Tool } from "./view.ts";

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
  section: CutPlane | undefined;
  /** The plane that parts will be cut at. */
  cut: ShownCut | undefined;
  /** The edit of the supports of a part. */
  supportEdit: ShownSupportEdit | undefined;
  /** Which share of the box of that part the view cuts off on the side of the viewer; undefined: none. */
  slice: { readonly share: number; readonly box: Box } | undefined;
  /** What a gesture of the brush is about to mark on that part, in the coordinates of its mesh: under the pointer, and on its way. */
  marking: { readonly lit: readonly AreaShape[]; readonly fresh: readonly AreaShape[] };
  markers: readonly Marker[];
  /** Measured features, drawn with the tool "measure". */
  measure: ShownMeasure | undefined;
  /** Proposed changes: matrices to apply after the models' own, by model id. */
  preview: ReadonlyMap<string, Mat4>;
  /** Instances to draw instead while a change is tried out. */
  trial: ReadonlyMap<string, readonly Instance[]> | undefined;
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
  section: undefined,
  cut: undefined,
  supportEdit: undefined,
  slice: undefined,
  marking: { lit: [], fresh: [] },
  markers: [],
  measure: undefined,
  preview: new Map(),
  trial: undefined,
  orbit: lookFrom({ yawDeg: 0, pitchDeg: 0, target: ORIGIN, heightMm: 200 }, "home"),
});

/** The planes of the layer, of the section and of the slice of the view: at most three. */
export const cutsOf = ({ layer, section, slice, orbit }: ShownState): readonly CutPlane[] => [
  ...(layer ? [{ normal: [0, 0, 1], atMm: layer.heightMm } as const] : []),
  ...(section ? [section] : []),
  ...(slice ? [slicePlane(slice, orbit)] : []),
];

/** The plane across the line of sight that cuts off a share of a box. */
function slicePlane({ share, box }: { readonly share: number; readonly box: Box }, orbit: Orbit): CutPlane {
  const normal = matrixRow(viewMatrix(orbit), 2);
  const depths = boxCorners(box).map((corner) => dot(normal, corner));
  const [near, far] = [Math.max(...depths), Math.min(...depths)];
  return { normal, atMm: near - share * (near - far) };
}

/** Whether a ball around a point reaches into what no plane cuts off. */
export const isKept = (cuts: readonly CutPlane[], point: Vec3, radiusMm = 0): boolean =>
  cuts.every(({ normal, atMm }) => dot(normal, point) - radiusMm <= atMm);

/** Whether models must stay on the platform, as in resin printers. */
export const areModelsGrounded = ({ scene }: ShownState): boolean => scene?.volume.family !== "powder";
