import type { Progress } from "../core/progress.ts";
import type { Picture } from "../codec/png.ts";
import { ambientOcclusion, applyAmbientOcclusion, blurAmbientOcclusion } from "./ambient-occlusion.ts";
import { type ViewDirection, viewMatrix } from "./camera.ts";
import { newFrameBuffer } from "./frame-buffer.ts";
import { type Frame, toScreen } from "./framing.ts";
import { platformPlane } from "./platform.ts";
import type { PreparedScene } from "./prepare.ts";
import { SAMPLES, facetCount, newSampleMemory, projectBodies, rasteriseBodies } from "./rasterise.ts";
import { type Scenery, resolve } from "./resolve.ts";
import { newShading } from "./shade.ts";
import { drawVolumeEdges } from "./volume-edges.ts";

/** Samples per band: a picture is drawn in bands, so that even a large one needs 8 bytes for each of these samples only. */
const BAND_SAMPLES = 2 ** 22;

/** Reused by all pictures of a thread. */
const sampleMemory = newSampleMemory();

/** Frees the memory of a thread that draws no more pictures for now. */
export const releaseSampleMemory = (): void => sampleMemory.release();

/** Progress at the end of each stage. */
const SHARES = { projected: 0.05, drawn: 0.8, occluded: 0.9, blurred: 0.95 };
/** Fraction of a band's progress for the rasterisation of its facets; its pixels take the rest. */
const RASTERISED_SHARE = 0.5;

/** Draws a picture of the scene in a frame. The same input gives the same pixels in every JavaScript engine. */
export function draw(
  { bodies, volume, shadow }: PreparedScene,
  direction: ViewDirection,
  frame: Frame,
  progress: Progress,
): Picture {
  const { width, height } = frame;
  const view = viewMatrix(direction);
  const worldToScreen = toScreen(frame, view);
  const plane = platformPlane(frame, view);
  const { projected, drawn, occluded, blurred } = SHARES;
  const onScreen = projectBodies(bodies, worldToScreen, progress.part(0, projected));
  const scenery: Scenery = {
    shading: newShading(onScreen, view),
    view,
    platform: plane && { plane, shadow },
    volume,
  };
  const frameBuffer = newFrameBuffer(width, height);
  const rowsPerBand = Math.max(1, Math.floor(BAND_SAMPLES / (SAMPLES * width)));
  const bands = progress.part(projected, drawn);
  for (let top = 0; top < height; top += rowsPerBand) {
    const rows = Math.min(rowsPerBand, height - top);
    const samples = sampleMemory.clear(width, top, rows, facetCount(bodies));
    const band = bands.part(top / height, (top + rows) / height);
    rasteriseBodies(onScreen, samples, band.part(0, RASTERISED_SHARE));
    resolve(samples, scenery, frameBuffer, band.part(RASTERISED_SHARE, 1));
  }
  const { gBuffer } = frameBuffer;
  const light = ambientOcclusion(gBuffer, progress.part(drawn, occluded));
  const blurredLight = blurAmbientOcclusion(light, gBuffer, progress.part(occluded, blurred));
  applyAmbientOcclusion(frameBuffer, blurredLight, progress.part(blurred, 1));
  drawVolumeEdges(volume, worldToScreen, frameBuffer);
  return { width, height, rgba: frameBuffer.rgba };
}
