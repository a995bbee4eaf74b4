import type { EndpointForm } from "./endpoint-forms.ts";
import { type Field, fieldsOf } from "./field.ts";
import type { Conditions } from "./form-values.ts";

export type Family = "resin" | "powder";

/** Groups of the panel of actions, in the order of a usual job. */
export const GROUPS = ["repair", "shape", "orient", "support", "arrange", "check", "more"] as const;
export type Group = (typeof GROUPS)[number];

/** How many places on surfaces the user clicks before the action runs. */
export type PlaceNeed = "many" | "one";

/** An action on the models of a scene. The fields of its form come from the schema of the request. */
export interface Action {
  readonly path: string;
  readonly group: Group;
  /** Text of its button. */
  readonly title: string;
  /** Kind of printer for which it is useful; absent: both. */
  readonly family?: Family;
  /** Initial values of required fields, and defaults that differ from the server's. */
  readonly presets?: Readonly<Record<string, unknown>>;
  /** Fields that are always shown; the others are under "Options". */
  readonly basic?: readonly string[];
  readonly conditions?: Conditions;
  readonly places?: PlaceNeed;
  /** Whether it always works on the whole scene, independent of the selection. */
  readonly wholeScene?: boolean;
}

const isHollow: Conditions[string] = ({ hollow }) => hollow === true;
const isDental: Conditions[string] = ({ mode }) => mode === "DENTAL";

/** Actions with a designed form. Other endpoints on models appear in the group "more" automatically. */
export const ACTIONS: readonly Action[] = [
  { path: "/v1/scene/model/repair/", group: "repair", title: "Repair meshes" },
  { path: "/v1/scene/model/split-bodies/", group: "repair", title: "Split into bodies" },
  { path: "/v1/scene/model/body-count/", group: "repair", title: "Count bodies" },
  { path: "/v1/scene/model/measure/", group: "check", title: "Size and volume" },
  {
    path: "/v1/scene/model/hollow/",
    group: "shape",
    title: "Hollow",
    presets: { wall_thickness_mm: 2 },
    basic: ["wall_thickness_mm"],
  },
  {
    path: "/v1/scene/model/drill/",
    group: "shape",
    title: "Drill",
    presets: { diameter_mm: 3.5, depth_mm: "AUTO" },
    basic: ["diameter_mm", "depth_mm"],
    conditions: { max_search_distance_mm: ({ depth_mm }) => depth_mm === undefined || depth_mm === "AUTO" },
    places: "many",
  },
  {
    path: "/v1/scene/model/label/",
    group: "shape",
    title: "Label",
    presets: { font_size_mm: 6, depth_mm: 0.5 },
    basic: ["label", "font_size_mm", "depth_mm", "application_mode"],
    places: "one",
  },
  {
    path: "/v1/scene/model/dental-hollow/",
    group: "shape",
    title: "Make dental base",
    presets: { extrude_distance_mm: 3 },
    basic: ["extrude_distance_mm", "hollow"],
    conditions: {
      cutoff_below_gumline_mm: ({ cutoff_height_mm }) => cutoff_height_mm === undefined,
      shell_thickness_mm: isHollow,
      wall_thickness_mm: isHollow,
      drain_hole_radius_mm: isHollow,
      drain_hole_height_ratio: isHollow,
      drain_hole_suppression_distance_mm: isHollow,
      drain_hole_max_count: isHollow,
      enable_honeycomb_infill: isHollow,
    },
  },
  {
    path: "/v1/scene/model/auto-orient/",
    group: "orient",
    title: "Auto-orient",
    conditions: { tilt: isDental },
  },
  {
    path: "/v1/scene/model/auto-support/",
    group: "support",
    title: "Generate supports",
    family: "resin",
    basic: ["density", "touchpoint_size_mm", "raft_type"],
  },
  {
    path: "/v1/scene/model/regenerate-supports/",
    group: "support",
    title: "Rebuild supports",
    family: "resin",
  },
  {
    path: "/v1/scene/model/auto-layout/",
    group: "arrange",
    title: "Lay out",
    family: "resin",
    basic: ["model_spacing_mm"],
  },
  { path: "/v1/scene/model/fill-build-platform/", group: "arrange", title: "Fill platform", family: "resin" },
  {
    path: "/v1/scene/model/auto-pack/",
    group: "arrange",
    title: "Pack",
    family: "powder",
    basic: ["model_spacing_mm"],
  },
  { path: "/v1/scene/model/fill-build-chamber/", group: "arrange", title: "Fill chamber", family: "powder" },
  {
    path: "/v1/scene/model/cage/",
    group: "arrange",
    title: "Make cage",
    family: "powder",
    basic: ["packing_type", "bar_spacing_mm"],
  },
  { path: "/v1/scene/model/validate/manifoldness/", group: "check", title: "Closed meshes" },
  { path: "/v1/scene/model/validate/in-bounds/", group: "check", title: "Inside the build volume" },
  { path: "/v1/scene/model/validate/interferences/", group: "check", title: "Overlaps" },
  { path: "/v1/scene/model/validate/cups/", group: "check", title: "Cups", wholeScene: true },
  { path: "/v1/scene/model/validate/minima/", group: "check", title: "Unsupported minima", wholeScene: true },
  { path: "/v1/scene/model/validate/supportedness/", group: "check", title: "Supportedness", wholeScene: true },
  { path: "/v1/scene/model/validate/hold/", group: "check", title: "Hold" },
  {
    path: "/v1/scene/model/validate/thin-features/",
    group: "check",
    title: "Thin features",
    presets: { threshold_mm: 0.4 },
    basic: ["threshold_mm"],
  },
];

/** Endpoints on models that other parts of the page call, so that they need no form. */
export const CALLED_ELSEWHERE: readonly string[] = [
  "/v1/scene/model/import/",
  "/v1/scene/model/list/",
  "/v1/scene/model/scale/",
  "/v1/scene/model/orient/",
  "/v1/scene/model/translate/",
  "/v1/scene/model/update/",
  "/v1/scene/model/delete/",
  "/v1/scene/model/replace/",
  "/v1/scene/model/duplicate/",
];

/** The actions of the table, and one for each endpoint on models that the table lacks. */
export function actionsOf(forms: Readonly<Record<string, EndpointForm>>): readonly Action[] {
  const known = new Set([...ACTIONS.map(({ path }) => path), ...CALLED_ELSEWHERE]);
  const others = Object.keys(forms).filter((path) => path.startsWith("/v1/scene/model/") && !known.has(path));
  return [...ACTIONS, ...others.map((path): Action => ({ path, group: "more", title: titleOf(path) }))];
}

function titleOf(path: string): string {
  const words = path.split("/").at(-2)!.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields that the page fills in from the scene, the selection and the clicked places. */
const FILLED_IN = ["scene_id", "model_ids", "model_id", "position", "orientation"];

/** Fields of an action's form. To drill, the form has the fields of one hole, which apply to all holes drilled at once. */
export function actionFields(action: Action, forms: Readonly<Record<string, EndpointForm>>): readonly Field[] {
  const body = forms[action.path]?.body;
  const items = body?.properties?.drain_holes?.items;
  return fieldsOf(typeof items === "object" ? items : body, FILLED_IN, action.presets);
}
