import { Buffer } from "node:buffer";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { bitRuns, litFrom } from "../bit-runs.ts";

/** Number of pictures that follow one another in a layer; the machine shows each for a part of the exposure, which makes greys. */
export const TIME_SLICES = 4;

/** Whether a pixel is lit in each time slice, by its value. */
const LIT = Array.from({ length: TIME_SLICES }, (_, slice) =>
  litFrom(Math.floor((255 * (slice + 1)) / (TIME_SLICES + 1)) + 1),
);

/** A layer in Anycubic's time slices (`pwsImg`): whole pictures of one bit, one behind the other. */
export const encodePwsLayer = (layer: LayerRuns): Uint8Array => Buffer.concat(LIT.map((lit) => bitRuns(layer, lit)));
