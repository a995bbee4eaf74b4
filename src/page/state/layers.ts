import { computed, effect, signal } from "@preact/signals";
import { must } from "../../core/must.ts";
import type { PageLayers, PageSlicing } from "../../ui/replies.ts";
import { get, getSlowly, isCancellation } from "../server/call.ts";
import { scene, summary } from "./project.ts";
import { runTask, notifyFailure } from "./tasks.ts";

type Measures = Pick<PageLayers, "areas_mm2" | "times_s">;

/** Layers of a scene. Heights are known immediately; `measures` only after all layers are sliced. */
export interface ShownLayers extends Omit<PageLayers, keyof Measures> {
  readonly sceneId: string;
  readonly measures: Measures | undefined;
}

/** Whether a layer is shown instead of the whole scene. */
export const isLayerMode = signal(false);
export const sceneLayers = signal<ShownLayers | undefined>(undefined);
/** Index of the shown layer; 0 is at the platform. */
export const layerIndex = signal(0);

/** What is shown of a layer: the parts cut at its height, its mask as the printer exposes it, or both. */
export const LAYER_VIEWS = ["CUT", "BOTH", "MASK"] as const;
export const layerView = signal<(typeof LAYER_VIEWS)[number]>("CUT");

/** The share of the layers that is measured; undefined if it is not known. */
export const slicedShare = signal<number | undefined>(undefined);

/** Longer side of a layer's picture, px. */
const PICTURE_PX = 2048;

/** Address of the picture of a layer: the build volume from above. */
export const pictureOfLayer = ({ sceneId, version }: ShownLayers, layer: number, maxPixels = PICTURE_PX): string =>
  `/ui/scene/${sceneId}/layers/${layer}.png?max_px=${maxPixels}&version=${version}`;

/** Height and picture of the shown layer, for the view. */
export const layerPicture = computed(() => {
  const shown = sceneLayers.value;
  if (!isLayerMode.value || !shown || shown.count === 0 || shown.sceneId !== scene.value?.id) return undefined;
  const k = Math.min(layerIndex.value, shown.count - 1);
  return {
    heightMm: must(shown.boundaries_mm[k + 1], `The height of layer ${k + 1}`),
    picture: pictureOfLayer(shown, k),
  };
});

/** Shows the layer nearest to an index, and returns its index. */
export function showLayer(index: number): number {
  layerIndex.value = nearestLayer(index, sceneLayers.value?.count ?? 0, layerIndex.value);
  return layerIndex.value;
}

/** The layer nearest to an index; `present` if that is no number, as typed text may be. */
export const nearestLayer = (index: number, count: number, present: number): number =>
  Math.max(0, Math.min(count - 1, Number.isFinite(index) ? Math.round(index) : present));

/** Shows a layer, as soon as the layers of the scene are known. */
export function openLayer(index: number): void {
  isLayerMode.value = true;
  if (scene.peek() && sceneLayers.peek()?.sceneId === scene.peek()?.id) showLayer(index);
  else wantedLayer = index;
}

let wantedLayer: number | undefined;

export function toggleLayers(): void {
  isLayerMode.value = !isLayerMode.value;
}

/** Fetches layers when they are shown, and again after each change of the scene. */
effect(() => {
  const entry = summary.value;
  if (!isLayerMode.value || !entry) return;
  const known = sceneLayers.peek();
  if (known?.sceneId !== entry.id || known.version !== entry.version) void slice(entry.id, entry.version);
});

async function slice(sceneId: string, version: number): Promise<void> {
  const path = `/ui/scene/${sceneId}/layers/`;
  const isCurrent = (): boolean => summary.peek()?.id === sceneId && summary.peek()?.version === version;
  try {
    const { count, boundaries_mm } = await get<PageLayers>(`${path}?boundaries_only=true`);
    if (!isCurrent()) return;
    const isFirst = sceneLayers.peek()?.sceneId !== sceneId;
    sceneLayers.value = { sceneId, version, count, boundaries_mm, measures: undefined };
    showLayer(wantedLayer ?? (isFirst ? count / 2 : layerIndex.peek()));
    wantedLayer = undefined;
    if (count === 0) return;
  } catch (thrown) {
    notifyFailure("Layers", thrown);
    return;
  }
  const watch = setInterval(() => void watchSlicing(sceneId), WATCH_MS);
  const outcome = await runTask("Slice", ({ signal }) =>
    getSlowly<PageLayers>(path, signal).catch((thrown) => {
      // The scene has changed: the effect above fetches its layers again.
      if (isCancellation(thrown) && !isCurrent()) return undefined;
      throw thrown;
    }),
  );
  clearInterval(watch);
  slicedShare.value = undefined;
  if (outcome?.result && isCurrent() && sceneLayers.value)
    sceneLayers.value = { ...sceneLayers.value, measures: outcome.result };
}

const WATCH_MS = 400;

/** A share that cannot be read is not shown. */
async function watchSlicing(sceneId: string): Promise<void> {
  const { share } = await get<PageSlicing>(`/ui/scene/${sceneId}/slicing/`).catch(() => ({ share: null }));
  if (summary.peek()?.id === sceneId && sceneLayers.peek()?.measures === undefined)
    slicedShare.value = share ?? undefined;
}
