import { type Picture, encodePng } from "../codec/png.ts";
import { must } from "../core/must.ts";
import type { Progress } from "../core/progress.ts";
import type { JobThumbnail } from "../job/job.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { drawPlateLayers } from "./draw-plate.ts";
import { PLATE_MM, planPlate } from "./plate-plan.ts";
import type { PlateFacts } from "./plate-shape.ts";

export interface PlatePicturesRequest {
  readonly facts: PlateFacts;
  readonly sizes: readonly { readonly width: number; readonly height: number }[];
}

const BACKGROUND = 255;
/** Brightness of the lowest and of the highest layer. */
const [LOW, HIGH] = [200, 60];
/** Share of a side of the picture that the plate takes. */
const FILLED = 0.92;

/** Pictures of a plate from above: the higher, the darker. */
export async function platePictures(
  { facts, sizes }: PlatePicturesRequest,
  progress: Progress,
): Promise<JobThumbnail[]> {
  const pictures: JobThumbnail[] = [];
  for (const [i, { width, height }] of sizes.entries()) {
    const part = progress.part(i / sizes.length, (i + 1) / sizes.length);
    const sides = width < height ? PLATE_MM.toReversed() : PLATE_MM;
    const pixelMm = Math.max(...[width, height].map((pixels, axis) => (sides[axis] ?? 0) / (FILLED * pixels)));
    const grid = { pixels: [width, height], pixelMm: [pixelMm, pixelMm], mirrorX: false, portrait: false } as const;
    const picture: Picture = { width, height, rgba: new Uint8ClampedArray(4 * width * height).fill(BACKGROUND) };
    const plate = must(planPlate({ ...facts, grid }), "The plan of a plate that fits");
    let layer = 0;
    const take = (runs: LayerRuns): void => {
      const share = layer++ / plate.layerCount;
      paint(picture, runs, Math.round(LOW + share * (HIGH - LOW)));
    };
    await drawPlateLayers(plate, grid, [0, plate.layerCount], take, part);
    pictures.push({ ...picture, png: encodePng(picture, part.silent()) });
  }
  return pictures;
}

function paint({ width, rgba }: Picture, { height, rowStarts, starts, ends }: LayerRuns, brightness: number): void {
  for (let row = 0; row < height; row++) {
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      for (let at = 4 * (row * width + starts[run]); at < 4 * (row * width + ends[run]); at += 4)
        rgba.fill(brightness, at, at + 3);
    }
  }
}
