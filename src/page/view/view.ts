/** A point or direction in scene space, mm. */
export type Point = readonly [x: number, y: number, z: number];

/** A mesh that the server names by its hash, and how it stands in the scene (column-major, file coordinates to mm). */
export interface ShownBody {
  readonly mesh: string;
  /** How many the mesh has. */
  readonly triangles: number;
  readonly matrix: readonly number[];
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

/** The face from which letters stand out of a lattice, in the coordinates of its mesh: axis 0 or 1, side 1 or -1 along it, coordinate. */
export type ShownLetters = readonly [axis: number, side: number, atMm: number];

export interface ShownVolume {
  readonly dimensionsMm: Point;
  readonly cornerRadiusMm: number;
  readonly family: "resin" | "powder";
}

export interface ShownScene {
  readonly id: string;
  readonly volume: ShownVolume;
  readonly models: readonly ShownModel[];
}

/** What a drag or a click in the view does. */
export type Tool = "select" | "move" | "turn" | "scale" | "pick";

/** A point of a model's surface that was clicked with the tool "pick". */
export interface SurfacePick {
  readonly modelId: string;
  readonly point: Point;
  /** Unit length, out of the solid. */
  readonly normal: Point;
}

/** A place that a check found, shown on the parts. */
export interface Marker {
  readonly point: Point;
  readonly radiusMm: number;
  readonly severity: "info" | "warning" | "error";
  readonly label: string;
  /** Whether it is under the part, and seen from below. */
  readonly isBelow?: boolean;
  /** Points of the surface or space that it is, x, y, z of each, and the width of what each stands for. */
  readonly dots?: readonly number[];
  readonly dotMm?: number;
  /** It is looked at: where there are such, theirs alone are the words and the dots that are shown. */
  readonly isChosen?: boolean;
}

/** What the user did in the view. Changes are proposals: the view shows them until the next scene comes, the server decides. */
export interface ViewEvents {
  select(modelIds: readonly string[]): void;
  move(modelIds: readonly string[], by: Point): void;
  /** `matrix` is the rotation about the scene's axes, row by row, to put before the models' own. */
  turn(modelIds: readonly string[], matrix: readonly [Point, Point, Point]): void;
  scale(modelIds: readonly string[], factor: number): void;
  pick(pick: SurfacePick): void;
  /** Share of the meshes of the scene that are loaded. */
  loading(share: number): void;
}

export type Viewpoint = "home" | "front" | "back" | "left" | "right" | "top" | "bottom";

/**
 * The picture of a scene, which the user turns, zooms and clicks. Its canvas tells how it does: `data-state` is "drawn" where the whole
 * scene is shown and "drawing" before, `data-triangles` and `data-meshes` count those of the last picture, `data-frames-per-second` is of the last motion.
 */
export interface View {
  setScene(scene: ShownScene): void;
  setSelection(modelIds: readonly string[]): void;
  setTool(tool: Tool): void;
  setMarkers(markers: readonly Marker[]): void;
  /** Cuts everything above this height off, and shows the layer's picture there; undefined shows the whole scene. */
  setLayer(layer: { readonly heightMm: number; readonly picture: string | undefined } | undefined): void;
  look(from: Viewpoint): void;
  /** Moves the camera so that these places with what is around them, or without them the selection, or without one all, fill the view. */
  frame(places?: readonly Marker[]): void;
  close(): void;
}
