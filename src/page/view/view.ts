import type { Vec3 } from "../../geometry/vector.ts";
import type { PageBody } from "../../ui/replies.ts";
import type { Feature } from "../measure/features.ts";

/** A mesh, identified by its hash, and its transform to the scene (column-major, mm). */
export interface ShownBody {
  readonly mesh: string;
  /** Number of triangles of the mesh. */
  readonly triangles: number;
  readonly matrix: PageBody["matrix"];
}

export interface ShownModel extends ShownBody {
  readonly id: string;
  readonly name: string;
  readonly kind: "part" | "lattice";
  readonly visible: boolean;
  readonly inBounds: boolean;
  readonly supports: ShownBody | undefined;
  readonly letters: ShownLetters | undefined;
}

/** Face from which the letters of a lattice rise, in mesh coordinates: axis (0 or 1), direction along it (1 or -1), coordinate (mm). */
export type ShownLetters = readonly [axis: number, side: number, atMm: number];

export interface ShownVolume {
  readonly dimensionsMm: Vec3;
  readonly cornerRadiusMm: number;
  readonly family: "resin" | "powder";
}

export interface ShownScene {
  readonly id: string;
  readonly volume: ShownVolume;
  readonly models: readonly ShownModel[];
}

/** A plane of the scene: what is beyond it along its unit normal is cut off. */
export interface CutPlane {
  readonly normal: Vec3;
  /** Distance of the plane from the origin along the normal. */
  readonly atMm: number;
}

/** Determines what a drag or a click in the view does. */
export type Tool = "select" | "move" | "rotate" | "scale" | "face-down" | "measure" | "pick";

/** A point on a model's surface that was clicked with the tool "pick". */
export interface SurfacePick {
  readonly modelId: string;
  readonly point: Vec3;
  /** Outward unit normal. */
  readonly normal: Vec3;
}

/** A feature of a part that was clicked with the tool "measure", in the coordinates of its mesh. */
export interface MeasurePick {
  readonly modelId: string;
  readonly mesh: string;
  readonly feature: Feature;
}

/** What the tool "measure" shows, in scene coordinates. */
export interface ShownMeasure {
  readonly features: readonly Feature[];
  /** The shortest line between two of them. */
  readonly line: readonly [from: Vec3, to: Vec3] | undefined;
  /** The most important value, beside what it measures. */
  readonly label: string | undefined;
}

/** A place of a finding, shown on the parts. */
export interface Marker {
  readonly point: Vec3;
  readonly radiusMm: number;
  readonly severity: "info" | "warning" | "error";
  readonly label: string;
  /** Whether it is on the lower side of the part and thus visible from below. */
  readonly isBelow?: boolean;
  /** Sample points (x, y, z) of the marked region. */
  readonly dots?: readonly number[];
  /** Size of the region that each sample represents, mm. */
  readonly dotMm?: number;
  /** Chosen by the user. If any marker is chosen, only chosen markers show their captions and dots. */
  readonly isChosen?: boolean;
}

/** Actions of the user in the view. Changes are proposals: the view shows them until the server sends the next scene. */
export interface ViewEvents {
  select(modelIds: readonly string[]): void;
  move(modelIds: readonly string[], by: Vec3): void;
  /** `matrix` is a rotation about the scene axes, row by row, to apply after the models' own rotation. */
  rotate(modelIds: readonly string[], matrix: readonly [Vec3, Vec3, Vec3]): void;
  scale(modelIds: readonly string[], factor: number): void;
  pick(pick: SurfacePick): void;
  /** A feature was clicked with the tool "measure"; undefined: nothing is there. */
  measure(pick: MeasurePick | undefined): void;
  /** Opens the menu of the selection at a point of the window. */
  menu(at: { readonly x: number; readonly y: number }): void;
  /** Fraction of the scene's meshes that are loaded. */
  loading(share: number): void;
  /** Where the selection is in the last frame; undefined: nothing is selected, or too much to say. */
  selectionAt(area: PictureArea | undefined): void;
}

/** A rectangle in the picture, CSS pixels from its upper left corner, and the size of the picture. */
export interface PictureArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly picture: { readonly width: number; readonly height: number };
}

export type Viewpoint = "home" | "front" | "back" | "left" | "right" | "top" | "bottom";

/**
 * Interactive picture of a scene. Attributes of its canvas report the state: `data-state` is "drawing" or, when the whole scene is shown,
 * "drawn"; `data-hatched` counts the models that are hatched; `data-triangles` and `data-meshes` count those of the last frame; `data-frames-per-second` is the rate of the last motion;
 * `data-section` is the normal and the place of the section.
 */
export interface View {
  setScene(scene: ShownScene): void;
  setSelection(modelIds: readonly string[]): void;
  /** Hatches models that overlap others. */
  setOverlaps(modelIds: readonly string[]): void;
  setTool(tool: Tool): void;
  setMarkers(markers: readonly Marker[]): void;
  setMeasure(measure: ShownMeasure | undefined): void;
  /** Cuts the scene at a height and shows the picture of the layer there; undefined shows the whole scene. */
  setLayer(layer: { readonly heightMm: number; readonly picture: string | undefined } | undefined): void;
  /** Cuts off what is beyond a plane, also of a scene that is cut at a layer; undefined cuts off nothing. */
  setSection(plane: CutPlane | undefined): void;
  /** Returns the unit vector toward the viewer. */
  toward(): Vec3;
  look(from: Viewpoint): void;
  /** Frames the given markers; else the selection; else the whole scene. */
  frame(places?: readonly Marker[]): void;
  close(): void;
}
