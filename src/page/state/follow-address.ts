import { batch, effect, signal } from "@preact/signals";
import { isLayerMode, layerIndex, openLayer, sceneLayers } from "./layers.ts";
import { notify } from "./notices.ts";
import { type PageAddress, readAddress, writeAddress } from "./page-address.ts";
import { isSwitching, pageState, scene, selectedIds, selection, showScene } from "./project.ts";

/** The open step in the panel of the work; undefined: none. */
export const openStep = signal<string | undefined>(undefined);

/** The state of the page as an address; undefined before the scene to show is fetched. */
function presentAddress(): PageAddress | undefined {
  const id = scene.value?.id;
  if (id === undefined || isSwitching.value) return undefined;
  const isLayerKnown = isLayerMode.value && sceneLayers.value?.sceneId === id;
  return {
    scene: id,
    ...(openStep.value !== undefined && { step: openStep.value }),
    ...(isLayerKnown && { layer: layerIndex.value + 1 }),
    selected: selectedIds.value,
  };
}

function applyAddress({ scene: id, step, layer, selected }: PageAddress): void {
  batch(() => {
    openStep.value = step;
    if (id !== undefined && id !== scene.value?.id) showScene(id, selected);
    else selection.value = { ids: selected, anchor: selected[0] };
    if (layer === undefined) isLayerMode.value = false;
    else openLayer(layer - 1);
  });
}

/**
 * Shows what the address says, and keeps it true: a new entry of the browser's history for each scene and step, so that Back and Forward
 * go through these; changes of the selection and of the layer replace the entry.
 */
export function followAddress(): void {
  const asked = readAddress(location.hash);
  applyAddress(asked);
  let shown: PageAddress | undefined;
  effect(() => {
    const now = presentAddress();
    if (!now) return;
    if (!shown) reportUnknown(asked, now);
    const isGone = !pageState.peek()?.scenes.some(({ id }) => id === shown?.scene);
    const isStep = shown !== undefined && !isGone && (shown.scene !== now.scene || shown.step !== now.step);
    shown = now;
    if (isStep) flush();
    if (isStep) history.pushState(null, "", writeAddress(now));
    else replaceSoon(writeAddress(now));
  });
  addEventListener("pagehide", flush);
  addEventListener("popstate", () => {
    forget();
    const wanted = readAddress(location.hash);
    const isKnown = wanted.scene === undefined || pageState.value?.scenes.some(({ id }) => id === wanted.scene);
    if (!isKnown) return sayUnknown();
    shown = wanted;
    applyAddress(wanted);
  });
}

/** Browsers allow few changes of an address per second. */
const REPLACE_WAIT_MS = 250;
let waiting: { readonly hash: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;

function replaceSoon(hash: string): void {
  forget();
  if (hash !== location.hash) waiting = { hash, timer: setTimeout(flush, REPLACE_WAIT_MS) };
}

function flush(): void {
  if (waiting) history.replaceState(null, "", waiting.hash);
  forget();
}

function forget(): void {
  clearTimeout(waiting?.timer);
  waiting = undefined;
}

function reportUnknown(asked: PageAddress, now: PageAddress): void {
  if (asked.scene !== undefined && asked.scene !== now.scene) sayUnknown();
}

const sayUnknown = (): void =>
  notify({ severity: "info", text: "The scene of this address does not exist any more: the first scene is shown." });
