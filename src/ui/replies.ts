// What the routes of the page answer. They are internal: the page in the executable is their only client, and both change together.
// Programs use `/v1/`. Errors have the envelope of `/v1/`, and the same hosts and origins may call.
//
// GET  /ui/                          the page; GET / leads there where `Accept` names text/html
// GET  /ui/state/                    PageState
// GET  /ui/scene/ID/                 PageScene
// GET  /ui/mesh/HASH/                a mesh: "PWM1", u32 vertices, u32 triangles, 3 × f32 a vertex, 3 × u32 a triangle, little-endian
// GET  /ui/events/                   text/event-stream: `change` with a PageChange, first at once, then after changes

/** A scene in the list of scenes. */
export interface PageSceneSummary {
  readonly id: string;
  readonly name: string;
  readonly setting: PageSetting;
  /** Rises with each change of the scene. */
  readonly version: number;
  /** Changes that can be undone, and those undone that can be made again. */
  readonly undo_count: number;
  readonly redo_count: number;
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
}

export interface PageState {
  /** Of the server. */
  readonly version: string;
  readonly scenes: readonly PageSceneSummary[];
  /** Scenes that were deleted and can come back. */
  readonly deleted_count: number;
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
}

export interface PageScene {
  readonly id: string;
  readonly version: number;
  readonly undo_count: number;
  readonly redo_count: number;
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
