import type { Watch } from "../core/watch.ts";
import { ambientLight } from "./ambient.ts";
import { type Direction, viewMatrix } from "./camera.ts";
import { darken } from "./darken.ts";
import { drawFrameLines } from "./frame-lines.ts";
import { type Frame, toScreen } from "./framing.ts";
import { groundOf } from "./ground.ts";
import type { Picture } from "./item.ts";
import { newLayers } from "./layers.ts";
import { facetCount, placeOnScreen } from "./place-on-screen.ts";
import { newPlatform } from "./platform.ts";
import type { Prepared } from "./prepare.ts";
import { rasteriseBodies } from "./rasterise-bodies.ts";
import { resolve, type Scenery } from "./resolve.ts";
import { newSampleMemory, SAMPLES } from "./samples.ts";
import { newShading } from "./shade.ts";
import { soften } from "./soften.ts";

/** Samples held at a time: a picture is drawn in bands, so that a large one takes no more memory than 8 bytes of each. */
const BAND_SAMPLES = 2 ** 22;

/** One for all pictures of a thread. */
const samplesOf = newSampleMemory();

/** Shares of the progress at which the vertices are placed, the bands drawn, and the shadows known. */
const [PLACED, DRAWN, SHADED, SOFTENED] = [0.05, 0.8, 0.9, 0.95];
/** Share of a band that its facets take; the rest is its pixels. */
const RASTERISED = 0.5;

/** The picture of a stage in a frame. The same input gives the same pixels in every JavaScript engine. */
export function draw({ bodies, volume, shadow }: Prepared, direction: Direction, frame: Frame, watch: Watch): Picture {
  const { width, height } = frame;
  const view = viewMatrix(direction);
  const worldToScreen = toScreen(frame, view);
  const ground = groundOf(frame, view);
  const onScreen = placeOnScreen(bodies, worldToScreen, watch.part(0, PLACED));
  const scenery: Scenery = {
    shading: newShading(onScreen, view),
    view,
    platform: ground && { ground, paint: newPlatform(ground, volume, shadow) },
  };
  const layers = newLayers(width, height);
  const rowsPerBand = Math.max(1, Math.floor(BAND_SAMPLES / (SAMPLES * width)));
  const bands = watch.part(PLACED, DRAWN);
  for (let top = 0; top < height; top += rowsPerBand) {
    const rows = Math.min(rowsPerBand, height - top);
    const samples = samplesOf(width, top, rows, facetCount(bodies));
    const band = bands.part(top / height, (top + rows) / height);
    rasteriseBodies(onScreen, samples, band.part(0, RASTERISED));
    resolve(samples, scenery, layers, band.part(RASTERISED, 1));
  }
  const light = ambientLight(layers.relief, watch.part(DRAWN, SHADED));
  darken(layers, soften(light, layers.relief, watch.part(SHADED, SOFTENED)), watch.part(SOFTENED, 1));
  drawFrameLines(volume, worldToScreen, layers);
  return { width, height, rgba: layers.rgba };
}
