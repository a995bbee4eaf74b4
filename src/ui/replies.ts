// What the routes of the page answer. They are internal: the page in the executable is their only client, and both change together.
// Programs use `/v1/`. Errors have the envelope of `/v1/`, and the same hosts and origins may call.
//
// GET  /ui/                          the page; GET / leads there where `Accept` names text/html
// GET  /ui/state/                    PageState
// GET  /ui/scene/ID/                 PageScene
// GET  /ui/mesh/HASH/                a mesh: "PWM1", u32 vertices, u32 triangles, 3 × f32 a vertex, 3 × u32 a triangle, little-endian;
//                                    with ?max_triangles=N one that looks alike from afar
// GET  /ui/events/                   text/event-stream: `change` with a PageChange, first at once, then after changes
// GET  /ui/scene/ID/layers/          PageLayers; 409 where the scene changes meanwhile; with ?boundaries_only=true at once, without areas and times
// GET  /ui/scene/ID/layers/K.png     layer K, counted from 0, in grey, seen from above (x right, y up); ?max_px=N for its larger side
// POST /ui/places/                   `placesBody` → PagePlaces: where a check finds what its answer in `/v1/` counts; with ?async=true as an operation of `/v1/`
// POST /ui/upload/?name=FILE         a file of any size as the body → PageUpload; &beside=TOKEN puts it beside an earlier one
// POST /ui/scene/ID/download/        `downloadBody` → PageDownload; with ?async=true before the file is there
// GET  /ui/download/TOKEN/NAME       that file, once
// POST /ui/scene/ID/undo/, redo/     PageVersion; INPUT_ERROR where there is nothing to undo or redo
// POST /ui/scene/ID/join/?since=V    PageVersion; the changes after version V are undone in one step from now on
// POST /ui/undo-delete/              PageVersion of the scene that was deleted last and comes back
//
// Earlier states are kept while a page listens to `/ui/events/`, and some minutes longer.

/** What tells two states of a scene apart. */
export interface PageVersion {
  readonly id: string;
  /** Rises with each change of the scene. */
  readonly version: number;
  /** Changes that can be undone, and those undone that can be made again. */
  readonly undo_count: number;
  readonly redo_count: number;
}

/** A scene in the list of scenes. */
export interface PageSceneSummary extends PageVersion {
  readonly name: string;
  readonly setting: PageSetting;
  readonly model_count: number;
}

/** The `scene_settings` of `/v1/`, and the names of what they are. */
export interface PageSetting {
  readonly machine_type: string;
  readonly material_code: string;
  readonly print_setting: string;
  readonly layer_thickness_mm: string;
  readonly custom_print_setting_id?: string;
  readonly family: "resin" | "powder";
  readonly printer_label: string;
  readonly material_label: string;
  /** Whether its printers, but for virtual ones, take jobs from their maker's program alone. */
  readonly needs_makers_program?: boolean;
}

export interface PageState {
  /** Of the server. */
  readonly version: string;
  /** Another one each time that the server is started. */
  readonly process: string;
  readonly scenes: readonly PageSceneSummary[];
  /** Scenes that were deleted and can come back. */
  readonly deleted_count: number;
  /** Name of who is logged in, which `/v1/user/` answers with an error where nobody is. */
  readonly user: string | null;
}

/** A mesh, and how it stands in the scene. */
export interface PageBody {
  /** The hash of the mesh, for `/ui/mesh/HASH/`. */
  readonly mesh: string;
  readonly triangles: number;
  /** From the coordinates of the mesh to those of the scene, mm: 16 numbers, column by column. */
  readonly matrix: readonly number[];
}

export interface PageModel extends PageBody {
  readonly id: string;
  readonly name: string;
  readonly kind: "part" | "lattice";
  readonly visible: boolean;
  readonly in_bounds: boolean;
  readonly lock: string;
  /** The container among the models of `/v1/` that holds it. */
  readonly cage_id: string | null;
  readonly supports: PageBody | null;
  /** The face from which the letters of a lattice's label stand out, in the coordinates of its mesh: axis 0 or 1, side 1 or -1 along it, coordinate. */
  readonly letters: readonly [axis: number, side: number, atMm: number] | null;
}

export interface PageScene extends PageVersion {
  readonly models: readonly PageModel[];
  readonly cages: readonly { readonly id: string; readonly name: string }[];
  readonly volume: {
    readonly dimensions_mm: readonly [x: number, y: number, z: number];
    readonly corner_radius_mm: number;
    readonly family: "resin" | "powder";
  };
}

/** The versions of all scenes. */
export interface PageChange {
  readonly scenes: readonly { readonly id: string; readonly version: number }[];
}

/** The layers of a scene, from the platform up. */
export interface PageLayers {
  /** Of the scene that they are of. */
  readonly version: number;
  readonly count: number;
  /** One more than there are layers. */
  readonly boundaries_mm: readonly number[];
  readonly areas_mm2: readonly number[];
  readonly times_s: readonly number[];
}

/** Defects of a mesh, as `DefectKind` says, and sides of the build volume, as `VolumeSide`. */
export type PlaceKind =
  | "EDGES"
  | "CROSSING"
  | "TURNED"
  | "DUPLICATE"
  | "INVERTED"
  | "LEFT"
  | "RIGHT"
  | "FRONT"
  | "BACK"
  | "PLATFORM"
  | "TOP"
  | "CORNER";

/** Where a check finds something. Coordinates are of the scene, mm. */
export interface PagePlace {
  /** The models that it concerns: one, or two that interfere. */
  readonly model_ids: readonly string[];
  /** What was found, by "manifoldness"; what is passed, by "in_bounds". */
  readonly kind?: PlaceKind;
  /** A point of what was found, about in its middle: in a cup, the lowest vertex of a minimum, in both models of an interference. */
  readonly point: readonly [x: number, y: number, z: number];
  /** Of a ball about the point that holds what was found. */
  readonly radius_mm: number;
  /** Points over what was found, x, y, z of each; squares of the width `dot_mm` at them cover it. */
  readonly dots: readonly number[];
  readonly dot_mm: number;
  /** mm³ of a cup, mm² of an unsupported area, mm beyond a side of the build volume, number of faulty edges or facets; 0 for interferences. */
  readonly size: number;
}

export interface PagePlaces {
  /** Of the scene in which they are. */
  readonly version: number;
  /** Those of a model the largest first, of a minimum the lowest; of very many not all. */
  readonly places: readonly PagePlace[];
}

export interface PageUpload {
  /** The absolute path, for `/v1/`. */
  readonly file: string;
  readonly token: string;
}

export interface PageDownload {
  readonly url: string;
  readonly name: string;
  /** Of an asynchronous download, for `/v1/operation/get/`. */
  readonly operation_id?: string;
}
