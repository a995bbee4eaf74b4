import { computed, signal } from "@preact/signals";
import type { SurfacePlace } from "../action/surface-place.ts";
import type { Marker, Tool, View } from "../view/view.ts";
import { findingMarkers } from "./findings.ts";

// What the view in the middle shows and does, beside the scene.

export const tool = signal<Tool>("select");
/** The action that takes the places that are clicked, by its path. */
export const pickingFor = signal<string | undefined>(undefined);
/** Places that were clicked for it. */
export const places = signal<readonly SurfacePlace[]>([]);
/** Share of the shapes that the view has loaded. */
export const loadedShare = signal(1);
/** The view, once it is there. */
export const view = signal<View | undefined>(undefined);

/** Drawn size of a clicked place, mm. */
const PLACE_RADIUS_MM = 0.8;

/** The places of checks and those that were clicked. */
export const markers = computed((): readonly Marker[] => [
  ...findingMarkers.value,
  ...places.value.map(({ point }, i): Marker => ({
    point,
    radiusMm: PLACE_RADIUS_MM,
    severity: "info",
    label: `Place ${i + 1}`,
  })),
]);

/** Clicks on surfaces are places for an action from now on; undefined ends that. */
export function pickFor(path: string | undefined): void {
  if (path !== pickingFor.value) places.value = [];
  pickingFor.value = path;
  tool.value = path === undefined ? "select" : "pick";
}

export function chooseTool(next: Tool): void {
  if (next !== "pick") pickingFor.value = undefined;
  tool.value = next;
}

/** Takes a clicked place: one more, or in place of the last one. */
export function addPlace(place: SurfacePlace, isOnlyOne: boolean): void {
  places.value = isOnlyOne ? [place] : [...places.value, place];
}
