import { type Box, boxSize } from "../../geometry/box.ts";

/** Fine enough for the tips of supports and for the smallest islands that printers resolve. */
const FINEST_PIXEL_MM = 0.1;

/** Limits the memory of a field to about 400 MiB: sixteen bytes a pixel with faces, eleven without. */
const MAX_PIXELS = 2.5e7;

/** Pixel size of a field over a box seen from above, mm: 0.1, doubled until the field fits in memory. */
export function overhangPixelMm(box: Box): number {
  const [x, y] = boxSize(box);
  let pixelMm = FINEST_PIXEL_MM;
  while ((x * y) / pixelMm ** 2 > MAX_PIXELS || Math.max(x, y) / pixelMm > 2 ** 15) pixelMm *= 2;
  return pixelMm;
}
