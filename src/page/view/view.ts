import type { Box } from "../../geometry/box.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
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
  /** Colour of a body that is only tried out. */
  readonly tint?: BodyTint | undefined;
}

/** Colours of bodies as a change would leave them; after a cut, of what is on the side of its normal, and of the rest. */
export type BodyTint = "tried" | "above" | "below";

/** What a change would do that is not made. */
export interface ShownTrial {
  /** Changed and new models. */
  readonly models: readonly ShownModel[];
  /** Ids of the models that it replaces or removes. */
  readonly hidden: readonly string[];
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
export type Tool =
  | "select"
  | "move"
  | "rotate"
  | "scale"
  | "face-down"
  | "measure"
  | "cut"
  | "pick"
  | "points"
  | "areas";

/** A point on a model's surface that was clicked with the tool "pick". */
export interface SurfacePick {
  readonly modelId: string;
  readonly point: Vec3;
  /** Outward unit normal. */
  readonly normal: Vec3;
}

/** A plane that parts will be cut at. */
export interface ShownCut {
  readonly plane: CutPlane;
  /** The parts: what is above the plane and what is below has different colours. Others fade. */
  readonly modelIds: ReadonlySet<string>;
  /** Box of the parts. */
  readonly box: Box;
  readonly keys: readonly ShownKey[];
  /** Whether clicks in the cut face are places of keys. */
  readonly takesKeys: boolean;
  /** How far the upper parts are drawn from their places along the normal. */
  readonly apartMm: number;
}

/** The outline of a key in the plane of a cut. */
export interface ShownKey {
  /** Its middle. */
  readonly point: Vec3;
  readonly shape: "ROUND" | "SQUARE" | "HEXAGON";
  /** Diameter, side of the square, or width across flats of the hexagon. */
  readonly sizeMm: number;
  readonly turnDeg: number;
}

/** Actions of the user on the plane of a cut. */
export interface CutEvents {
  move(plane: CutPlane): void;
  /** A place in the plane was clicked. */
  key(point: Vec3): void;
  apply(): void;
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

/** What a tool would make at the place under the pointer, lengths in mm: it is drawn there before the click. */
export type ToolBody =
  | { readonly kind: "hole"; readonly diameterMm: number; readonly depthMm: number | "AUTO" }
  | { readonly kind: "text"; readonly widthMm: number; readonly heightMm: number };

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

/** A support point of the part whose supports are edited. */
export interface ShownPoint {
  readonly key: number;
  readonly point: Vec3;
  /** Unit vector out of the part. */
  readonly normal: Vec3;
  readonly sizeMm: number;
  readonly size: "LIGHT" | "MEDIUM" | "HEAVY";
  /** Ball: chosen by the program; ring: by hand; square: locked; cross: nothing reaches it. */
  readonly shape: "BALL" | "RING" | "SQUARE" | "CROSS";
  readonly isSelected: boolean;
}

/** x, y, z and radius of one end and of the other, mm. */
export type ShownStrut = readonly [number, number, number, number, number, number, number, number, ...unknown[]];

/** The edit of the supports of one part. Other parts fade, and cannot be hit. */
export interface ShownSupportEdit {
  readonly modelId: string;
  readonly points: readonly ShownPoint[];
  /** The draft; undefined: the present supports are shown. */
  readonly struts: readonly ShownStrut[] | undefined;
  /** The last draft, whether it is shown or not. */
  readonly draftStruts: readonly ShownStrut[];
  readonly areSupportsHidden: boolean;
  /** Share of the depth of the part that is cut off on the side of the viewer, 0 to 1. */
  readonly sliceShare: number;
  /** When the edit was made to which the struts belong, ms of `performance.now`. */
  readonly editedAtMs: number;
  /** Areas that no support may touch, and those with denser supports, in the coordinates of the mesh. */
  readonly areas: Readonly<Record<AreaMode, readonly AreaShape[]>>;
  /** What marks areas with the tool "areas". */
  readonly brush: Brush;
}

export type AreaMode = "never" | "always";

export interface Brush {
  /** Clicks mark whole faces, or drags mark what the brush passes. */
  readonly kind: "FACE" | "BRUSH";
  readonly mode: AreaMode;
  /** In the scene. */
  readonly radiusMm: number;
  /** Faces go on over edges at which the directions of their facets differ by less. */
  readonly angleDeg: number;
}

/** Gestures that mark areas. */
export interface AreaEvents {
  /** Shapes of one gesture, in the coordinates of the mesh. */
  mark(shapes: readonly AreaShape[]): void;
  resizeBrush(factor: number): void;
}

/** What a gesture does to the selection of points. */
export type PointChoice = "ONLY" | "ADD" | "REMOVE";

/** Gestures on support points. */
export interface PointEvents {
  /** A click on the part, where there is no point. */
  place(pick: SurfacePick): void;
  choose(keys: readonly number[], choice: PointChoice): void;
  /** A point slides on the surface; `isLast`: it stays there. */
  slide(key: number, to: Pick<SurfacePick, "point" | "normal">, isLast: boolean): void;
  /** The point that slides returns. */
  slideBack(): void;
}

/** Actions of the user in the view. Changes are proposals: the view shows them until the server sends the next scene. */
export interface ViewEvents {
  select(modelIds: readonly string[]): void;
  move(modelIds: readonly string[], by: Vec3): void;
  /** `matrix` is a rotation about the scene axes, row by row, to apply after the models' own rotation. */
  rotate(modelIds: readonly string[], matrix: readonly [Vec3, Vec3, Vec3]): void;
  scale(modelIds: readonly string[], factor: number): void;
  pick(pick: SurfacePick): void;
  /** The section was dragged. */
  section(plane: CutPlane): void;
  /** A feature was clicked with the tool "measure"; undefined: nothing is there. */
  measure(pick: MeasurePick | undefined): void;
  /** The place under the pointer with the tool "pick", at which a click would be accepted; undefined: there is none. */
  hoverPlace(pick: SurfacePick | undefined): void;
  readonly cut: CutEvents;
  /** The supports of a model were double clicked. */
  editSupports(modelId: string): void;
  readonly points: PointEvents;
  readonly areas: AreaEvents;
  /** Opens the menu of the selection at a point of the window. */
  menu(at: { readonly x: number; readonly y: number }): void;
  /** Fraction of the scene's meshes that are loaded. */
  loading(share: number): void;
  /** Where the selection is in the last frame; undefined: nothing is selected, or too much to say. */
  selectionAt(area: PictureArea | undefined): void;
  /** Where the selected points are in the last frame. */
  selectedPointsAt(area: PictureArea | undefined): void;
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
 * `data-section` is the normal and the place of the section; `data-cut` the same of the plane of a cut; `data-tried` counts the models that are shown as a change would leave them. While supports are edited,
 * `data-points` counts the points, and `data-draft-ms` is the time from the last edit until its struts were drawn.
 */
export interface View {
  setScene(scene: ShownScene): void;
  setSelection(modelIds: readonly string[]): void;
  /** Hatches models that overlap others. */
  setOverlaps(modelIds: readonly string[]): void;
  /** Shows what a change would do, in place of the present bodies, which can still be clicked; undefined shows the scene as it is. */
  setTrial(trial: ShownTrial | undefined): void;
  setTool(tool: Tool): void;
  /** Shows the plane of a cut, and tints both sides; undefined: none. */
  setCut(cut: ShownCut | undefined): void;
  /** What the tool "pick" draws at the pointer. */
  setToolBody(body: ToolBody | undefined): void;
  /** Words at the pointer about the place there, with the tool "pick". */
  sayAtPlace(words: string | undefined): void;
  /** Shows the edit of the supports of a part; undefined: none is edited. */
  setSupportEdit(edit: ShownSupportEdit | undefined): void;
  setMarkers(markers: readonly Marker[]): void;
  setMeasure(measure: ShownMeasure | undefined): void;
  /** Cuts the scene at a height and shows the picture of the layer there; undefined shows the whole scene. */
  setLayer(layer: { readonly heightMm: number; readonly picture: string | undefined } | undefined): void;
  /**
   * Cuts off what is beyond a plane, also of a scene that is cut at a layer; undefined cuts off nothing. The handle of the section is in the
   * plane, as near as possible to `middle`.
   */
  setSection(plane: CutPlane | undefined, middle?: Vec3): void;
  /** Returns the box of a mesh in its own coordinates; undefined if it is not loaded. */
  meshBox(hash: string): Box | undefined;
  /** Returns the unit vector toward the viewer. */
  toward(): Vec3;
  look(from: Viewpoint): void;
  /** The surface that the areas of a kind cover, mm²; undefined before the exact mesh of the part is loaded. */
  coveredMm2(mode: AreaMode): number | undefined;
  /** Frames the given markers; else the selection; else the whole scene. */
  frame(places?: readonly Marker[]): void;
  /** Frames models when their meshes are loaded, unless a person has moved the camera since the scene was opened, or since `frame`. */
  frameModels(modelIds: readonly string[]): void;
  close(): void;
}
