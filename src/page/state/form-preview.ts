import { computed, effect, untracked } from "@preact/signals";
import type { Action } from "../../feature/page-row.ts";
import { ACTIONS, actionFields } from "../action/actions.ts";
import { problemOf, valueOf } from "../action/form-values.ts";
import type { SurfacePlace } from "../action/surface-place.ts";
import { ENDPOINT_FORMS } from "../server/endpoints.ts";
import type { CutPlane, ToolBody } from "../view/view.ts";
import { dropTrial, trial, tryOut } from "./preview.ts";
import { scene, selectedIds } from "./project.ts";
import { section, sectionFromView } from "./section.ts";
import { formValues, newRequest, obstacleOf } from "./run-action.ts";
import { hoveredPlace, pickingFor, surfacePlaces } from "./view-state.ts";

// What an open form would do is shown before it is done.

/** Forms that work on more parts show nothing before: it would take long. */
const MOST_PARTS = 5;
/** How long the pointer rests, or nothing is typed, before a form without places asks the server: its work may take seconds. */
const FORM_REST_MS = 300;

/** Tries out what a form would do, whenever its values, its places or the selection change. Returns how to end this. */
export function followForm(action: Action): () => void {
  const { preview } = action;
  if (!preview) return () => {};
  const stop = effect(() => {
    const values = formValues.value[action.path] ?? {};
    const places = placesFor(action);
    const targets = selectedIds.value.length || (scene.value?.models.length ?? 0);
    untracked(() => {
      const isReady = action.places ? places.length > 0 : obstacleOf(action) === undefined && targets <= MOST_PARTS;
      const problem = problemOf(actionFields(action, ENDPOINT_FORMS), values, action.conditions);
      if (!isReady || problem !== undefined || !preview(values)) dropTrial();
      else
        tryOut(
          { title: action.title, path: action.path, body: newRequest(action, places) },
          action.places ? undefined : FORM_REST_MS,
        );
    });
  });
  const closeUp = action.isInside ? showInside(action) : () => {};
  return () => {
    stop();
    closeUp();
    dropTrial();
  };
}

/** Opens a section when the first preview of a form is shown. Returns how to close it, unless the person has changed it. */
function showInside({ path }: Action): () => void {
  let opened: CutPlane | undefined;
  const stop = effect(() => {
    if (trial.value?.wish.path !== path || trial.value.state !== "SHOWN") return;
    untracked(() => {
      if (opened || section.value) return;
      sectionFromView();
      opened = section.value;
    });
  });
  return () => {
    stop();
    if (section.peek() === opened) section.value = undefined;
  };
}

/** The chosen places, and the one under the pointer. */
function placesFor({ path, places }: Action): readonly SurfacePlace[] {
  if (pickingFor.value !== path) return [];
  const hovered = hoveredPlace.value;
  const chosen = surfacePlaces.value;
  // After a click the pointer is still at the place that was chosen.
  if (!hovered || chosen.some(({ point }) => point.join() === hovered.point.join())) return chosen;
  return places === "one" ? [hovered] : [...chosen, hovered];
}

/** Height of capitals as a share of the size of the font, as the server draws them. */
const CAP_SHARE = 0.73;

/** What the tool that chooses places draws at the pointer. */
export const toolBody = computed((): ToolBody | undefined => {
  const action = ACTIONS.find(({ path }) => path === pickingFor.value);
  if (!action) return undefined;
  const values = formValues.value[action.path] ?? {};
  const fields = new Map(actionFields(action, ENDPOINT_FORMS).map((field) => [field.name, valueOf(field, values)]));
  const number = (name: string, absent: number): number => {
    const value = fields.get(name);
    return typeof value === "number" ? value : absent;
  };
  if (action.path === "/v1/scene/model/drill/") {
    const depthMm = number("depth_mm", 0) || "AUTO";
    return { kind: "hole", diameterMm: number("diameter_mm", 0), depthMm };
  }
  if (action.path !== "/v1/scene/model/label/") return undefined;
  const sizeMm = number("font_size_mm", 0);
  return { kind: "text", widthMm: sizeMm * textWidth(String(fields.get("label") ?? "")), heightMm: CAP_SHARE * sizeMm };
});

/** Letters of an empty text, so that its place is seen before it is typed. */
const SAMPLE = "Text";

/** Width of a text as a share of the size of the font; about that of the server's font. */
function textWidth(text: string): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return text.length / 2;
  context.font = "bold 100px sans-serif";
  return context.measureText(text || SAMPLE).width / 100;
}
