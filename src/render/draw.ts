import type { Watch } from "../core/watch.ts";
import { after } from "./affine.ts";
import { ambientLight } from "./ambient.ts";
import { type Direction, viewMatrix } from "./camera.ts";
import { drawFrameLines } from "./frame-lines.ts";
import { type Frame, toScreen } from "./framing.ts";
import { groundOf } from "./ground.ts";
import type { Picture } from "./item.ts";
import { type Layers, newLayers } from "./layers.ts";
import { newPlatform } from "./platform.ts";
import type { Prepared } from "./prepare.ts";
import { rasteriseBodies } from "./rasterise-bodies.ts";
import { resolve, type Scenery } from "./resolve.ts";
import { newSamples, SAMPLES } from "./samples.ts";
import { newShader } from "./shade.ts";
import { soften } from "./soften.ts";

/** Samples held at a time: a picture is drawn in bands, so that a large one takes no more memory than 8 bytes of each. */
const BAND_SAMPLES = 2 ** 22;

/** Shares of the progress: the bands, then the shadows. */
const DRAWN = 0.8;

/** The picture of a stage in a frame. The same input gives the same pixels in every JavaScript engine. */
export function draw({ bodies, volume, shadow }: Prepared, direction: Direction, frame: Frame, watch: Watch): Picture {
  const { width, height } = frame;
  const view = viewMatrix(direction);
  const onScreen = toScreen(frame, view);
  const ground = groundOf(frame, view);
  const scenery: Scenery = {
    shade: newShader(bodies, onScreen, view),
    view,
    platform: ground && { ground, paint: newPlatform(ground, volume, shadow) },
  };
  const placed = bodies.map((body) => ({ ...body, toScreen: after(body.place, onScreen) }));
  const layers = newLayers(width, height);
  const rowsPerBand = Math.max(1, Math.floor(BAND_SAMPLES / (SAMPLES * width)));
  for (let top = 0; top < height; top += rowsPerBand) {
    const samples = newSamples(width, top, Math.min(rowsPerBand, height - top));
    const part = watch.part((DRAWN * top) / height, (DRAWN * Math.min(height, top + rowsPerBand)) / height);
    rasteriseBodies(placed, samples, part);
    resolve(samples, scenery, layers);
  }
  darken(layers, soften(ambientLight(layers, watch.part(DRAWN, 1)), layers.nearness, width));
  drawFrameLines(volume, onScreen, layers);
  return { width, height, rgba: layers.rgba };
}

function darken({ rgba }: Layers, light: Uint8Array): void {
  for (let at = 0; at < light.length; at++) {
    if (light[at] === 255) continue;
    const share = light[at] / 255;
    rgba[4 * at] = Math.round(rgba[4 * at] * share);
    rgba[4 * at + 1] = Math.round(rgba[4 * at + 1] * share);
    rgba[4 * at + 2] = Math.round(rgba[4 * at + 2] * share);
  }
}
