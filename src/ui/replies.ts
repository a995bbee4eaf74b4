// Routes of the page and the types of their answers. They are internal: the page in the executable is their only client, and both change
// together. Programs use `/v1/`. Errors have the same format as in `/v1/`, and the same hosts and origins may call.
//
// GET  /ui/                          the page; GET / redirects to it if `Accept` lists text/html
// GET  /ui/state/                    PageState
// GET  /ui/makers/, /ui/prints/      PageMakers; PagePrints: the prints that run on printers
// GET  /ui/scene/ID/                 PageScene
// GET  /ui/scene/ID/defaults/        PageDefaults
// GET  /ui/scene/ID/steps/           PageSteps, which also change when requests begin, enter a stage or end
// GET  /ui/mesh/HASH/                a mesh: "PWM1", u32 vertices, u32 triangles, 3 × f32 a vertex, 3 × u32 a triangle, little-endian;
//                                    with ?max_triangles=N a simplified one
// GET  /ui/mesh/HASH/faces/          PageFace[] (`faces.ts`): flat faces of the convex hull on which the part can lie, at least 5 mm², at most 254, the largest first
// GET  /ui/events/                   text/event-stream: a `change` event with a PageChange immediately, then after each change; a `work` event
//                                    with a PageWork immediately, when a request begins, enters a stage or ends, and each 500 ms while one runs;
//                                    a `kept` event with a PageKeeping immediately and after each try to keep scenes
// GET  /ui/scene/ID/layers/          PageLayers; 409 if the scene changes meanwhile; with ?boundaries_only=true immediately, without areas and times
// GET  /ui/scene/ID/layers/K.png     layer K (0-based) as a grey picture, seen from above (x right, y up); ?max_px=N limits its larger side
// GET  /ui/scene/ID/overlaps/        PageOverlaps
// GET  /ui/scene/ID/layer-marks/     PageLayerMarks
// GET  /ui/scene/ID/slicing/         PageSlicing: how much of the layers is measured
// POST /ui/places/                   PlacesRequest → PagePlaces: coordinates of the findings that a check of `/v1/` counts; with ?async=true as an operation of `/v1/`
// POST /ui/upload/?name=FILE         a file of any size as the body → PageUpload; &beside=TOKEN writes it to the folder of an earlier upload
// POST /ui/scene/ID/download/        `downloadBody` → PageDownload; with ?async=true it answers before the file exists
// GET  /ui/download/TOKEN/NAME       that file; it is deleted after one download
// GET  /ui/sample/                   a part for a first try, as a file
// GET  /ui/job/TOKEN/NAME/           PageJob: how to show an uploaded job file
// GET  /ui/job/TOKEN/NAME/layers/K.png  layer K (0-based) as a grey picture, seen from above; ?max_px=N limits its larger side;
//                                    with &x=C&y=R, the N × N pixels around a pixel of the file
// GET  /ui/job/TOKEN/NAME/preview.png   its largest preview
// POST /ui/job/TOKEN/NAME/convert/   a body of `/v1/job/convert/` without files → PageDownload; with ?async=true as above
// POST /ui/preview/                  PreviewRequest → PagePreview: what a request of `/v1/` that changes one scene would do; a newer preview with the same
//                                    path, scene and tab cancels or replaces this one
// POST /ui/preview/TOKEN/apply/      makes that change: PageVersion; STALE_STATE if the scene has changed since, NOT_FOUND if the preview is no longer kept
// POST /ui/scene/ID/undo/, redo/     PageVersion; INPUT_ERROR if there is nothing to undo or redo
// POST /ui/scene/ID/join/?since=V    PageVersion; merges the changes after version V into one undo step
// GET  /ui/recovery/                 PageRecovery: the scenes of an earlier server in the state folder
// POST /ui/recovery/bring-back/      `{ids}` → `{ids}`: opens some of them, with the ids that they had; all of them or none
// DELETE /ui/recovery/               removes them
// POST /ui/undo-delete/              restores the scene that was deleted last; PageVersion of that scene
//
// Types of steps and of running requests are in `work-replies.ts`.
// Earlier states of scenes are kept while a page listens to `/ui/events/`, and five minutes longer.

import type { PageStep } from "./work-replies.ts";

/** Identifies a state of a scene. */
export interface PageVersion {
  readonly id: string;
  /** Increases with each change of the scene. */
  readonly version: number;
  /** Number of changes that can be undone; `redo_count` is the number of undone changes that can be redone. */
  readonly undo_count: number;
  readonly redo_count: number;
}

/** A scene in the list of scenes. */
export interface PageSceneSummary extends PageVersion {
  readonly name: string;
  readonly setting: PageSetting;
  readonly model_count: number;
  /** Whether a finding of its present state must be solved. */
  readonly has_errors: boolean;
}

/** The `scene_settings` of `/v1/`, with display names. */
export interface PageSetting {
  readonly machine_type: string;
  readonly material_code: string;
  readonly print_setting: string;
  readonly layer_thickness_mm: string;
  readonly custom_print_setting_id?: string;
  readonly family: "resin" | "powder";
  readonly printer_label: string;
  readonly material_label: string;
  /** Whether physical printers of this type accept jobs only from their manufacturer's program. */
  readonly needs_makers_program?: boolean;
}

/** Makers and families of the printer types of `print-setting/list`, by their labels. */
export type PageMakers = Readonly<Record<string, { readonly maker: string; readonly family: "resin" | "powder" }>>;

export interface PageState {
  /** Version of the server. */
  readonly version: string;
  /** Id of the server process: a new one each time that the server starts. */
  readonly process: string;
  readonly scenes: readonly PageSceneSummary[];
  /** Number of deleted scenes that can be restored. */
  readonly deleted_count: number;
  /** Extensions of the files that the page shows as jobs, with the dot. */
  readonly job_extensions: readonly string[];
  /** Name of the logged-in user, or null. (`/v1/user/` answers with an error if no user is logged in.) */
  readonly user: string | null;
}

type MatrixColumn = readonly [number, number, number, number];

/** A mesh and its pose in the scene. */
export interface PageBody {
  /** Hash of the mesh, for `/ui/mesh/HASH/`. */
  readonly mesh: string;
  readonly triangles: number;
  /** Transform from mesh to scene coordinates (mm): 16 numbers, column-major; the last row is 0, 0, 0, 1. */
  readonly matrix: readonly [...MatrixColumn, ...MatrixColumn, ...MatrixColumn, ...MatrixColumn];
}

export interface PageModel extends PageBody {
  readonly id: string;
  readonly name: string;
  readonly kind: "part" | "lattice";
  readonly visible: boolean;
  readonly in_bounds: boolean;
  readonly lock: string;
  /** Id of the cage that contains the model; `/v1/` lists the cage among the models. */
  readonly cage_id: string | null;
  readonly supports: PageBody | null;
  /** Why the model lost its supports; null if it has some, had none, or a person removed them. */
  readonly lost_supports: "TURNED" | "SCALED" | "MESH" | "SETTING" | null;
  /** How much a person decided about its supports: points, of these by hand or locked, and areas; null if nothing. */
  readonly support_plan: { readonly points: number; readonly hand: number; readonly areas: number } | null;
  /** Volume of the part without its supports; enclosed voids do not count. */
  readonly volume_ml: number;
  /** Height of its lowest point above the platform, without its supports, mm. */
  readonly above_plate_mm: number;
  /** Number of touchpoints of its supports; 0 without supports. */
  readonly support_points: number;
  /** Face from which the letters of a lattice's label rise, in mesh coordinates: axis (0 or 1), direction along it (1 or -1), coordinate (mm). */
  readonly letters: readonly [axis: number, side: number, atMm: number] | null;
}

export interface PageScene extends PageVersion {
  /** Absent for a scene without a name; `PageSceneSummary` then has its place in the project. */
  readonly name?: string;
  readonly models: readonly PageModel[];
  readonly cages: readonly { readonly id: string; readonly name: string }[];
  /** From parts to a print, in this order; the same for all pages. */
  readonly steps: readonly PageStep[];
  readonly volume: {
    readonly dimensions_mm: readonly [x: number, y: number, z: number];
    readonly corner_radius_mm: number;
    readonly family: "resin" | "powder";
  };
  /** Null for a scene that was never checked. */
  readonly findings: PageFindings | null;
}

/** What earlier checks by `scene/check` say about the present state of a scene. */
export interface PageFindings {
  /** When the scene was last checked: date and time of ISO 8601. */
  readonly checked_at: string;
  /** The worst severity among the findings that nobody accepted, old ones included. */
  readonly status: "OK" | "WARNING" | "ERROR";
  /** The kinds that were checked, and for each the models that have changed since. */
  readonly checks: readonly { readonly kind: string; readonly old_model_ids: readonly string[] }[];
  /** In the order of `scene/check`. */
  readonly findings: readonly PageFinding[];
}

/** A finding as `scene/check` describes it. */
export interface PageFinding {
  readonly id: string;
  readonly kind: string;
  readonly severity: "WARNING" | "ERROR";
  readonly model_ids: readonly string[];
  readonly count: number;
  readonly size: number;
  readonly size_unit: string;
  readonly text: string;
  readonly accepted: boolean;
  readonly fixes: readonly {
    readonly title: string;
    readonly requests: readonly { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];
  }[];
  /** Whether one of its models has changed since. */
  readonly is_old: boolean;
}

/** The models of a scene that overlap, supports included. */
export interface PageOverlaps {
  /** Version of the scene in which they overlap. */
  readonly version: number;
  readonly overlaps: readonly {
    readonly model_ids: readonly [string, string];
    /** A point in both, in scene coordinates, mm. */
    readonly point: readonly [x: number, y: number, z: number];
  }[];
}

/** Values that the print setting of a scene gives to absent fields of requests, by path and name. */
export interface PageDefaults {
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Body of a request for a preview. */
export interface PreviewRequest {
  /** Path of an endpoint of `/v1/` that changes one scene. */
  readonly path: string;
  /** Body of the request to that endpoint. */
  readonly body: object;
  /** Any name of the tab that asks, at most 100 characters: previews of other tabs are left alone. Requests without one count as one tab. */
  readonly tab?: string;
}

/** A change that is computed and not made. Its meshes can be fetched while it is kept. */
export interface PagePreview {
  readonly token: string;
  /** Version of the scene in which it can be made. */
  readonly version: number;
  /** The scene after the change, with the changed and new models only. */
  readonly scene: PageScene;
  readonly removed_model_ids: readonly string[];
  /** Answer of the endpoint. */
  readonly answer: unknown;
}

/** Versions of all scenes, and when they were last checked (null: never). */
export interface PageChange {
  readonly scenes: readonly { readonly id: string; readonly version: number; readonly checked_at: string | null }[];
}

/** What the server keeps in its state folder. */
export interface PageKeeping {
  /** Null if the server keeps nothing. */
  readonly folder: string | null;
  /** Why the last try to keep scenes failed. */
  readonly problem: string | null;
  /** When this server kept each scene last. */
  readonly scenes: readonly { readonly id: string; readonly kept_at: string }[];
}

/** Scenes that an earlier server kept, the newest first, and files in the state folder that are damaged. */
export interface PageRecovery {
  readonly scenes: readonly {
    readonly id: string;
    readonly name: string;
    readonly kept_at: string;
    /** When it will be removed. */
    readonly removed_at: string;
    readonly model_count: number;
  }[];
  readonly damaged: readonly { readonly id: string; readonly reason: string }[];
}

/** Layers of a scene, from the platform upwards. */
export interface PageLayers {
  /** Version of the scene these layers belong to. */
  readonly version: number;
  readonly count: number;
  /** Heights of the boundaries between layers; `count` + 1 values. */
  readonly boundaries_mm: readonly number[];
  readonly areas_mm2: readonly number[];
  readonly times_s: readonly number[];
}

/** How much of a scene's layers is measured, while a page waits for them. */
export interface PageSlicing {
  /** From 0 to 1; null if the scene is not sliced now. */
  readonly share: number | null;
}

/** A layer that people look at: one at which an island begins, or that of a cup. */
export interface PageLayerMark {
  /** Index of the layer; 0 is at the platform. */
  readonly layer: number;
  readonly kind: "ISLAND" | "CUP";
  readonly model_id: string;
  readonly point: readonly [x: number, y: number, z: number];
  /** Volume of a cup, mm³; 0 for islands. */
  readonly size: number;
  /** Whether a support holds the island; null for cups. */
  readonly held: boolean | null;
}

export interface PageLayerMarks {
  /** Version of the scene these marks belong to. */
  readonly version: number;
  /** From the platform upwards. */
  readonly marks: readonly PageLayerMark[];
}

/** Body of a request for the places of a check's findings. */
export interface PlacesRequest {
  /** Path of the endpoint in `/v1/`. */
  readonly check: string;
  readonly scene_id: string;
  /** Body of the request with which the check was run, without the models that it names. */
  readonly request: object;
  /** Ids of the model or models of each finding. */
  readonly found: readonly (readonly string[])[];
}

/** Place of a finding of a check, in scene coordinates, mm. */
export interface PagePlace {
  /** One model, or the two models that interfere. */
  readonly model_ids: readonly string[];
  /** Kind of the finding, for a check that has several. */
  readonly kind?: string;
  /** A point near the middle of the finding: inside the cup; the lowest vertex of the minimum; a point inside both interfering models. */
  readonly point: readonly [x: number, y: number, z: number];
  /** Radius of a sphere around `point` that contains the finding. */
  readonly radius_mm: number;
  /** Sample points (x, y, z) of the finding. Squares of width `dot_mm` at these points cover it. */
  readonly dots: readonly number[];
  readonly dot_mm: number;
  /** Volume of a cup (mm³), unsupported area (mm²), distance beyond a side of the build volume (mm), number of faulty edges or facets; 0 for interferences. */
  readonly size: number;
}

export interface PagePlaces {
  /** Version of the scene in which the places were found. */
  readonly version: number;
  /** Per model: largest first, minima lowest first. Truncated if there are more than the page can show. */
  readonly places: readonly PagePlace[];
}

export interface PageUpload {
  /** Absolute path, for requests to `/v1/`. */
  readonly file: string;
  readonly token: string;
}

/** An uploaded job file, in addition to what `/v1/job/inspect/` says. */
export interface PageJob {
  /** Heights of the boundaries between layers; one more than there are layers. */
  readonly boundaries_mm: readonly number[];
  /** Exposure of each layer. */
  readonly exposures_s: readonly number[];
  /** Width of the layers seen from above, divided by their depth. */
  readonly aspect: number;
  /** How the pictures in the file become those seen from above: rows become columns, then columns and rows are reversed. */
  readonly turn: { readonly transposed: boolean; readonly flipped_x: boolean; readonly flipped_y: boolean };
  readonly has_preview: boolean;
}

export interface PageDownload {
  readonly url: string;
  readonly name: string;
  /** Id for `/v1/operation/get/`; present if the download is asynchronous. */
  readonly operation_id?: string;
}

/** A flat face of the convex hull of a mesh, on which the part can lie, in mesh coordinates. */
export interface PageFace {
  /** Outward unit normal. */
  readonly normal: readonly [x: number, y: number, z: number];
  readonly area_mm2: number;
  /** x, y, z of the corners of its convex outline, counter-clockwise seen from outside. */
  readonly rim: readonly number[];
}
