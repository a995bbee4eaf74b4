import type { PageLayers } from "../../ui/replies.ts";
import { computed, effect, signal } from "@preact/signals";
import { getSlowly } from "../server/call.ts";
import { scene, summary } from "./project.ts";
import { runTask } from "./tasks.ts";

/** Whether layers are shown in place of the whole scene. */
export const isLayerMode = signal(false);
/** The layers of the scene, once they are there. */
export const layers = signal<(PageLayers & { readonly sceneId: string }) | undefined>(undefined);
/** The shown one, from 0 at the platform. */
export const layerIndex = signal(0);

/** Longer side of the picture of a layer, px. */
const PICTURE_PX = 2048;

/** What the view shows of a layer. */
export const layerPicture = computed(() => {
  const shown = layers.value;
  if (!isLayerMode.value || !shown || shown.count === 0 || shown.sceneId !== scene.value?.id) return undefined;
  const k = Math.min(layerIndex.value, shown.count - 1);
  return {
    heightMm: shown.boundaries_mm[k + 1],
    picture: `/ui/scene/${shown.sceneId}/layers/${k}.png?max_px=${PICTURE_PX}&version=${shown.version}`,
  };
});

/** Shows a layer, the nearest one there is. */
export function showLayer(index: number): void {
  const count = layers.value?.count ?? 0;
  layerIndex.value = Math.max(0, Math.min(count - 1, Math.round(index)));
}

export function toggleLayers(): void {
  isLayerMode.value = !isLayerMode.value;
}

/** Layers are sliced when they are asked for, and again when the scene has changed while they are shown. */
effect(() => {
  const entry = summary.value;
  if (!isLayerMode.value || !entry) return;
  const known = layers.peek();
  if (known?.sceneId === entry.id && known.version === entry.version) return;
  void slice(entry.id, entry.version);
});

let slicing = "";

async function slice(sceneId: string, version: number): Promise<void> {
  const wanted = `${sceneId} ${version}`;
  if (slicing === wanted) return;
  slicing = wanted;
  const outcome = await runTask("Slice", ({ signal }) => getSlowly<PageLayers>(`/ui/scene/${sceneId}/layers/`, signal));
  if (slicing !== wanted) return;
  slicing = "";
  if (!outcome) return;
  const isFirst = layers.value?.sceneId !== sceneId;
  layers.value = { ...outcome.result, sceneId };
  showLayer(isFirst ? outcome.result.count / 2 : layerIndex.value);
}
