import { effect, signal } from "@preact/signals";
import { isLayerMode, layerIndex, pictureOfLayer, sceneLayers, showLayer } from "./layers.ts";

/** Layers that are played in a second. */
export const PLAY_RATES = [5, 15, 30] as const;
type PlayRate = (typeof PLAY_RATES)[number];

export const playRate = signal<PlayRate>(15);
export const isPlaying = signal(false);

/**
 * Plays the layers from the shown one upwards, or from the platform if it is the last one, until the last one, another press, or the end of
 * the layer mode. Layers whose pictures come late are left out, so that the play never lags behind its time.
 */
export async function togglePlay(): Promise<void> {
  if (isPlaying.value) {
    isPlaying.value = false;
    return;
  }
  const shown = sceneLayers.value;
  if (!shown || shown.count === 0) return;
  isPlaying.value = true;
  const from = layerIndex.value >= shown.count - 1 ? 0 : layerIndex.value;
  let [beganMs, beganAt, rate] = [performance.now(), from, playRate.value];
  for (let layer = from; isPlaying.value;) {
    await loaded(pictureOfLayer(shown, layer));
    if (!isPlaying.value || sceneLayers.value?.version !== shown.version) break;
    showLayer(layer);
    if (layer === shown.count - 1) break;
    await nextFrame();
    if (rate !== playRate.value) [beganMs, beganAt, rate] = [performance.now(), layer, playRate.value];
    const due = beganAt + Math.floor(((performance.now() - beganMs) / 1000) * rate);
    if (due === layer) continue;
    layer = Math.min(shown.count - 1, due);
  }
  isPlaying.value = false;
}

effect(() => {
  if (!isLayerMode.value) isPlaying.value = false;
});

/** A picture that cannot be loaded is left out, too. */
const loaded = async (source: string): Promise<void> => {
  const image = new Image();
  image.src = source;
  await image.decode().catch(() => {});
};

/** Hidden tabs have no frames. */
const nextFrame = (): Promise<unknown> =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(resolve)),
    new Promise((resolve) => setTimeout(resolve, HIDDEN_FRAME_MS)),
  ]);
const HIDDEN_FRAME_MS = 200;
