import type { Action } from "../../feature/page-row.ts";
import { PAGES } from "../../feature/pages.ts";
import type { EndpointForm } from "./endpoint-forms.ts";
import { type FormField, fieldsOf } from "./form-field.ts";

/** Actions with a designed form. Other endpoints on models appear among the tiles of the step "parts" automatically. */
export const ACTIONS: readonly Action[] = PAGES.flatMap(({ actions = [] }) => actions);

/** Endpoints on models that have no form, because tools and lists of the page call them. */
export const ENDPOINTS_WITHOUT_FORM: readonly string[] = [
  "/v1/scene/model/import/",
  "/v1/scene/model/list/",
  "/v1/scene/model/scale/",
  "/v1/scene/model/orient/",
  "/v1/scene/model/translate/",
  "/v1/scene/model/update/",
  "/v1/scene/model/delete/",
  "/v1/scene/model/replace/",
  "/v1/scene/model/duplicate/",
  "/v1/scene/model/supports/get/",
  "/v1/scene/model/supports/preview/",
  "/v1/scene/model/supports/set/",
  "/v1/scene/model/supports/delete/",
  "/v1/scene/model/move-to-scene/",
];

/** The actions of the table, and one for each endpoint on models that the table lacks. */
export function actionsOf(forms: Readonly<Record<string, EndpointForm>>): readonly Action[] {
  const known = new Set([...ACTIONS.map(({ path }) => path), ...ENDPOINTS_WITHOUT_FORM]);
  const others = Object.keys(forms).filter((path) => path.startsWith("/v1/scene/model/") && !known.has(path));
  return [...ACTIONS, ...others.map((path): Action => ({ path, group: "parts", title: titleOf(path) }))];
}

function titleOf(path: string): string {
  const words = path.split("/").at(-2)!.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields that the page fills in from the scene, the selection and the clicked places. */
const FILLED_IN = ["scene_id", "model_ids", "model_id", "position", "orientation"];

/** Fields of an action's form. To drill, the form has the fields of one hole, which apply to all holes drilled at once. */
export function actionFields(action: Action, forms: Readonly<Record<string, EndpointForm>>): readonly FormField[] {
  const body = forms[action.path]?.body;
  const items = body?.properties?.drain_holes?.items;
  return fieldsOf(typeof items === "object" ? items : body, FILLED_IN, action.presets);
}
