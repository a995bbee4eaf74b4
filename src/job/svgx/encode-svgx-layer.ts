import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { type Outlines, traceOutlines } from "./trace-outlines.ts";

/** A layer in a `.svgx` file. */
export interface SvgxLayer {
  /** The outlines as the data of an SVG path, in mm from the middle of the display, with y downward. Empty for an empty layer. */
  readonly path: Uint8Array;
  readonly areaMm2: number;
  readonly perimeterMm: number;
  /** Absent for an empty layer. */
  readonly box?: SvgxBox;
}

/** In the coordinates of the path. */
export interface SvgxBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Coordinates have four decimals. */
const DECIMALS = 4;
const PER_MM = 10 ** DECIMALS;
/** A letter and two coordinates below 10 m, with blanks. */
const POINT_BYTES = 2 + 2 * "-1234.5678 ".length;
const [BLANK, MINUS, POINT, ZERO, MOVE, LINE, CLOSE] = [..." -.0MLZ"].map((letter) => letter.charCodeAt(0));

/** The outlines of a layer, whose pixels have this size across and down. */
export function encodeSvgxLayer(layer: LayerRuns, pixelMm: readonly [number, number]): SvgxLayer {
  const outlines = traceOutlines(layer);
  toTenthsOfMicrons(outlines, layer, pixelMm);
  const { count, xs, ys, next } = outlines;
  const measures = newMeasures();
  const bytes = new Uint8Array((POINT_BYTES + 2) * count);
  let at = 0;
  for (let start = 0; start < count; start++) {
    if (next[start] < 0) continue;
    const loop = takeLoop(outlines, start);
    let before = loop[loop.length - 1];
    for (const point of loop) {
      measures.add(xs[before], ys[before], xs[point], ys[point]);
      bytes[at++] = before === loop[loop.length - 1] ? MOVE : LINE;
      bytes[at++] = BLANK;
      at = appendCoordinate(bytes, at, xs[point]);
      at = appendCoordinate(bytes, at, ys[point]);
      before = point;
    }
    bytes[at++] = CLOSE;
    bytes[at++] = BLANK;
  }
  return { path: bytes.slice(0, Math.max(0, at - 1)), ...measures.result() };
}

/** Area, perimeter and box of polygons, from their edges. */
function newMeasures() {
  let [area, perimeter] = [0, 0];
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  return {
    add(x0: number, y0: number, x1: number, y1: number): void {
      area += x0 * y1 - x1 * y0;
      perimeter += Math.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2);
      if (x1 < minX) minX = x1;
      if (y1 < minY) minY = y1;
      if (x1 > maxX) maxX = x1;
      if (y1 > maxY) maxY = y1;
    },
    result(): Omit<SvgxLayer, "path"> {
      const measures = { areaMm2: Math.abs(area) / 2 / PER_MM ** 2, perimeterMm: perimeter / PER_MM };
      if (minX > maxX) return measures;
      return {
        ...measures,
        box: { minX: minX / PER_MM, minY: minY / PER_MM, maxX: maxX / PER_MM, maxY: maxY / PER_MM },
      };
    },
  };
}

/** Writes a whole number of the last decimal as mm, and a blank. Returns the index behind them. */
function appendCoordinate(bytes: Uint8Array, at: number, value: number): number {
  let end = at;
  if (value < 0) bytes[end++] = MINUS;
  const whole = Math.floor(Math.abs(value) / PER_MM);
  let rest = Math.abs(value) - whole * PER_MM;
  for (let unit = whole < 10 ? 1 : whole < 100 ? 10 : whole < 1000 ? 100 : 1000; unit >= 1; unit /= 10) {
    bytes[end++] = ZERO + (Math.floor(whole / unit) % 10);
  }
  if (rest > 0) bytes[end++] = POINT;
  for (let unit = PER_MM / 10; rest > 0; unit /= 10) {
    const digit = Math.floor(rest / unit);
    bytes[end++] = ZERO + digit;
    rest -= digit * unit;
  }
  bytes[end++] = BLANK;
  return end;
}

/** Changes the coordinates from pixels to whole numbers of the last decimal, from the middle of the display. */
function toTenthsOfMicrons(
  { count, xs, ys }: Outlines,
  { width, height }: LayerRuns,
  [across, down]: readonly [number, number],
): void {
  for (let i = 0; i < count; i++) {
    xs[i] = Math.round((xs[i] + 0.5 - width / 2) * across * PER_MM);
    ys[i] = Math.round((ys[i] + 0.5 - height / 2) * down * PER_MM);
  }
}

/** The points of a loop without those on a straight line between their neighbours. Marks the loop as taken. */
function takeLoop({ xs, ys, next }: Outlines, start: number): number[] {
  const loop: number[] = [];
  const isStraight = (a: number, b: number, c: number): boolean =>
    (xs[b] - xs[a]) * (ys[c] - ys[b]) === (ys[b] - ys[a]) * (xs[c] - xs[b]);
  for (let point = start; next[point] >= 0;) {
    while (loop.length > 1 && isStraight(loop[loop.length - 2], loop[loop.length - 1], point)) loop.pop();
    loop.push(point);
    const following = next[point];
    next[point] = -1;
    point = following;
  }
  return loop;
}
