import { type Box, sizeOf } from "../../core/geometry.ts";

/** Fine enough for the tips of supports, and for islands that a printer of today resolves. */
const FINEST_MM = 0.1;

/** What a field over them may take of memory: 256 MiB at 9 bytes a pixel and a few more. */
const MAX_PIXELS = 2.5e7;

/** The pixel of a field over a box seen from above, mm: 0.1, or so many times the double of it as memory asks for. */
export function pixelMmOver(box: Box): number {
  const [x, y] = sizeOf(box);
  let pixelMm = FINEST_MM;
  while ((x * y) / pixelMm ** 2 > MAX_PIXELS || Math.max(x, y) / pixelMm > 2 ** 15) pixelMm *= 2;
  return pixelMm;
}
