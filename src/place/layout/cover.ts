import type { Watch } from "../../core/watch.ts";
import type { Rectangle } from "./region.ts";

/** Square pixels seen from above: 1 where something is, 0 where nothing is. Row 0 is at the front, column 0 at the left. */
export interface Cover {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
  /** x and y of the left front corner. */
  readonly leftMm: number;
  readonly frontMm: number;
  /** Row by row; the outermost pixels are empty. */
  readonly pixels: Uint8Array;
}

/** Share of a pixel by which facets count as larger than they are, so that rounding loses nothing. */
const ROUNDING = 1e-6;
const FACETS_BETWEEN_REPORTS = 65_536;

/** Every pixel that a facet touches. Corners of facet t are `triangles[3t]`, … in `xs` and `ys`. */
export function coverOf(
  xs: Float64Array,
  ys: Float64Array,
  triangles: Uint32Array,
  box: Rectangle,
  pixelMm: number,
  watch: Watch,
): Cover {
  // Half a pixel aside, so that edges of the box, where walls stand, do not run along borders of pixels.
  const [leftMm, frontMm] = [box.minX - 1.5 * pixelMm, box.minY - 1.5 * pixelMm];
  const columns = Math.ceil((box.maxX - box.minX) / pixelMm) + 3;
  const rows = Math.ceil((box.maxY - box.minY) / pixelMm) + 3;
  const pixels = new Uint8Array(columns * rows);
  const cover: Cover = { columns, rows, pixelMm, leftMm, frontMm, pixels };
  const [us, vs] = [xs.map((x) => (x - leftMm) / pixelMm), ys.map((y) => (y - frontMm) / pixelMm)];
  for (let t = 0; t < triangles.length; t += 3) {
    if (t % (3 * FACETS_BETWEEN_REPORTS) === 0) watch.report(t / triangles.length);
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    paint(cover, us[a], vs[a], us[b], vs[b], us[c], vs[c]);
  }
  return cover;
}

/** Sets the pixels that a triangle touches; its corners in pixels. */
function paint(
  { columns, pixels }: Cover,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): void {
  const first = Math.floor(Math.min(ay, by, cy) - ROUNDING);
  const last = Math.floor(Math.max(ay, by, cy) + ROUNDING);
  for (let row = first; row <= last; row++) {
    low = Infinity;
    high = -Infinity;
    const [bottom, top] = [row - ROUNDING, row + 1 + ROUNDING];
    reach(ax, ay, bx, by, bottom, top);
    reach(bx, by, cx, cy, bottom, top);
    reach(cx, cy, ax, ay, bottom, top);
    if (low > high) continue;
    const start = row * columns;
    pixels.fill(1, start + Math.floor(low - ROUNDING), start + Math.floor(high + ROUNDING) + 1);
  }
}

/** Least and greatest x of a triangle in a strip, as {@link reach} finds them. Not in an object: this is the inner loop. */
let low = 0;
let high = 0;

/** Widens `low` and `high` by the part of an edge between two heights. */
function reach(ax: number, ay: number, bx: number, by: number, bottom: number, top: number): void {
  if ((ay < bottom && by < bottom) || (ay > top && by > top)) return;
  const from = ay < bottom ? crossing(ax, ay, bx, by, bottom) : ay > top ? crossing(ax, ay, bx, by, top) : ax;
  const to = by < bottom ? crossing(ax, ay, bx, by, bottom) : by > top ? crossing(ax, ay, bx, by, top) : bx;
  if (from < low) low = from;
  if (to < low) low = to;
  if (from > high) high = from;
  if (to > high) high = to;
}

const crossing = (ax: number, ay: number, bx: number, by: number, y: number): number =>
  ax + ((bx - ax) * (y - ay)) / (by - ay);
