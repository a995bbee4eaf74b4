import { computed, effect, signal } from "@preact/signals";
import type { PageLayers } from "../../ui/replies.ts";
import { get, getSlowly, isCancelled } from "../server/call.ts";
import { scene, summary } from "./project.ts";
import { runTask, notifyFailure } from "./tasks.ts";

type Measures = Pick<PageLayers, "areas_mm2" | "times_s">;

/** Layers of a scene. Heights are known immediately; `measures` only after all layers are sliced. */
interface ShownLayers extends Omit<PageLayers, keyof Measures> {
  readonly sceneId: string;
  readonly measures: Measures | undefined;
}

/** Whether a layer is shown instead of the whole scene. */
export const isLayerMode = signal(false);
export const layers = signal<ShownLayers | undefined>(undefined);
/** Index of the shown layer; 0 is at the platform. */
export const layerIndex = signal(0);

/** Longer side of a layer's picture, px. */
const PICTURE_PX = 2048;

/** Height and picture of the shown layer, for the view. */
export const layerPicture = computed(() => {
  const shown = layers.value;
  if (!isLayerMode.value || !shown || shown.count === 0 || shown.sceneId !== scene.value?.id) return undefined;
  const k = Math.min(layerIndex.value, shown.count - 1);
  return {
    heightMm: shown.boundaries_mm[k + 1],
    picture: `/ui/scene/${shown.sceneId}/layers/${k}.png?max_px=${PICTURE_PX}&version=${shown.version}`,
  };
});

/** Shows a layer; the index is clamped to the existing layers. */
export function showLayer(index: number): void {
  const count = layers.value?.count ?? 0;
  if (Number.isFinite(index)) layerIndex.value = Math.max(0, Math.min(count - 1, Math.round(index)));
}

export function toggleLayers(): void {
  isLayerMode.value = !isLayerMode.value;
}

/** Fetches layers when they are shown, and again after each change of the scene. */
effect(() => {
  const entry = summary.value;
  if (!isLayerMode.value || !entry) return;
  const known = layers.peek();
  if (known?.sceneId !== entry.id || known.version !== entry.version) void slice(entry.id, entry.version);
});

async function slice(sceneId: string, version: number): Promise<void> {
  const path = `/ui/scene/${sceneId}/layers/`;
  const isCurrent = (): boolean => summary.peek()?.id === sceneId && summary.peek()?.version === version;
  try {
    const { count, boundaries_mm } = await get<PageLayers>(`${path}?boundaries_only=true`);
    if (!isCurrent()) return;
    const isFirst = layers.peek()?.sceneId !== sceneId;
    layers.value = { sceneId, version, count, boundaries_mm, measures: undefined };
    showLayer(isFirst ? count / 2 : layerIndex.peek());
    if (count === 0) return;
  } catch (thrown) {
    notifyFailure("Layers", thrown);
    return;
  }
  const outcome = await runTask("Slice", ({ signal }) =>
    getSlowly<PageLayers>(path, signal).catch((thrown) => {
      // The scene has changed: the effect above fetches its layers again.
      if (isCancelled(thrown) && !isCurrent()) return undefined;
      throw thrown;
    }),
  );
  if (outcome?.result && isCurrent() && layers.value) layers.value = { ...layers.value, measures: outcome.result };
}
