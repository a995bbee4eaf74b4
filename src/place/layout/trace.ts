import type { Cover } from "./cover.ts";
import type { Ring } from "./region.ts";

/** Steps to the next corner of pixels: right, up, left, down. */
const STEP_X = [1, 0, -1, 0];
const STEP_Y = [0, 1, 0, -1];
/** The pixel ahead and to the left, and the one ahead and to the right, of a corner by the direction of travel. */
const LEFT_X = [0, -1, -1, 0];
const LEFT_Y = [0, 0, -1, -1];
const RIGHT_X = [0, 0, -1, -1];
const RIGHT_Y = [-1, 0, 0, -1];

const COVERED = 1;
/** Set on a covered pixel once its lower border has been walked along. */
const WALKED = 2;

/** The borders between covered and empty pixels, covered ones to their left. Pixels that meet at a corner hang together. */
export function trace({ columns, rows, pixelMm, leftMm, frontMm, pixels: covered }: Cover): Ring[] {
  const pixels = covered.slice();
  const rings: Ring[] = [];
  for (let y = 1; y < rows; y++) {
    for (let x = 1; x < columns; x++) {
      const at = y * columns + x;
      if (pixels[at] !== COVERED || pixels[at - columns] !== 0) continue;
      rings.push(
        Float64Array.from(walk(pixels, columns, x, y), (n, i) => (i % 2 === 0 ? leftMm : frontMm) + n * pixelMm),
      );
    }
  }
  return rings;
}

/** The corners of the border that runs to the right from the lower left corner of a pixel. */
function walk(pixels: Uint8Array, columns: number, startX: number, startY: number): number[] {
  const corners: number[] = [];
  let [x, y, direction] = [startX, startY, 0];
  do {
    if (direction === 0) pixels[y * columns + x] |= WALKED;
    x += STEP_X[direction];
    y += STEP_Y[direction];
    const right = pixels[(y + RIGHT_Y[direction]) * columns + x + RIGHT_X[direction]] !== 0;
    const left = pixels[(y + LEFT_Y[direction]) * columns + x + LEFT_X[direction]] !== 0;
    if (!right && left) continue;
    corners.push(x, y);
    direction = (direction + (right ? 3 : 1)) % 4;
  } while (x !== startX || y !== startY || direction !== 0);
  return corners;
}
