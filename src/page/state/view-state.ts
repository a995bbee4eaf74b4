import { computed, signal } from "@preact/signals";
import type { SurfacePlace } from "../action/surface-place.ts";
import type { Marker, PictureArea, Tool, View } from "../view/view.ts";
import { chosenMarkers } from "./chosen-finding.ts";
import { findingMarkers } from "./findings.ts";
import { overlapMarkers } from "./overlaps.ts";
import { scene } from "./project.ts";

// State of the 3D view, apart from the scene: tool, clicked places, markers.

export const tool = signal<Tool>("select");
/** Path of the action for which the user clicks places. */
export const pickingFor = signal<string | undefined>(undefined);
/** Places clicked for that action. */
export const surfacePlaces = signal<readonly SurfacePlace[]>([]);
/** The place under the pointer, while places are clicked. */
export const hoveredPlace = signal<SurfacePlace | undefined>(undefined);
/** Fraction of the meshes that the view has loaded. */
export const loadedShare = signal(1);
/** Where the selection is in the picture; undefined if nothing, or very much, is selected. */
export const selectionArea = signal<PictureArea | undefined>(undefined);
/** Where the selected support points are in the picture. */
export const selectedPointsArea = signal<PictureArea | undefined>(undefined);
/** The view; undefined until it is open. */
export const view = signal<View | undefined>(undefined);

/** Frames new or changed models of a scene if it is still shown, unless a person has moved the camera. */
export function frameChanged(sceneId: string, modelIds: readonly string[]): void {
  if (scene.value?.id === sceneId) view.value?.frameModels(modelIds);
}

const CAPTIONS_KEY = "printwright.tool-captions";
/** Whether the tool bar shows names and keys beside the icons where the window is wide enough; this browser remembers it. */
export const areCaptionsShown = signal(localStorage.getItem(CAPTIONS_KEY) !== "false");

export function toggleCaptions(): void {
  areCaptionsShown.value = !areCaptionsShown.value;
  localStorage.setItem(CAPTIONS_KEY, String(areCaptionsShown.value));
}

/** Radius with which a clicked place is drawn, mm. */
const PLACE_RADIUS_MM = 0.8;

/** Markers of findings and of clicked places. */
export const markers = computed((): readonly Marker[] => [
  ...(chosenMarkers.value.length > 0 ? chosenMarkers.value : [...findingMarkers.value, ...overlapMarkers.value]),
  ...surfacePlaces.value.map(({ point }, i): Marker => ({
    point,
    radiusMm: PLACE_RADIUS_MM,
    severity: "info",
    label: `Place ${i + 1}`,
  })),
]);

/** Makes clicks on surfaces add places for an action; undefined ends this. */
export function pickFor(path: string | undefined): void {
  if (path !== pickingFor.value) [surfacePlaces.value, hoveredPlace.value] = [[], undefined];
  pickingFor.value = path;
  tool.value = path === undefined ? "select" : "pick";
}

export function chooseTool(next: Tool): void {
  if (next !== "pick") pickingFor.value = undefined;
  tool.value = next;
}

/** Adds a clicked place, or replaces the earlier one. */
export function addPlace(place: SurfacePlace, isOnlyOne: boolean): void {
  surfacePlaces.value = isOnlyOne ? [place] : [...surfacePlaces.value, place];
}
