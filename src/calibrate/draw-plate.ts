import { operationFailed } from "../core/api-error.ts";
import type { Progress } from "../core/progress.ts";
import { CAP_HEIGHT } from "../text/font.ts";
import { textOutline } from "../text/text-outline.ts";
import { RunsBuilder } from "../job/runs-builder.ts";
import { type PixelGrid, layerImageSize, worldToRaster } from "../slice/pixel-grid.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import type { Polygons } from "../geometry/polygon.ts";
import { type Plate } from "./plate-plan.ts";
import { CAP_HEIGHT_MM, type Legend, type PlateShape } from "./plate-shape.ts";

/** A shape in the pixels of pictures: the spans of each of its rows; all rows from `top` to before `end` have those of `every`. */
interface DrawnShape {
  readonly from: number;
  readonly to: number;
  readonly grey: number;
  readonly top: number;
  readonly end: number;
  readonly spansOf: (row: number) => readonly (readonly [from: number, to: number])[];
  /** Whether all rows are alike. */
  readonly isPlain: boolean;
}

/** The map from the plate to the pixels of pictures. */
type ToPixels = (x: number, y: number) => readonly [column: number, row: number];

function toPixels(grid: PixelGrid, isTurned: boolean): ToPixels {
  const { axes, scale, offset } = worldToRaster(grid);
  return (x, y) => {
    const scene = isTurned ? [-y, x] : [x, y];
    const at = (i: 0 | 1): number => scale[i] * (scene[axes[i]] ?? 0) + offset[i];
    return [at(0), at(1)];
  };
}

/** Draws the layers of a plate from `first` to before `end`. Each overwrites the one before. */
export async function drawPlateLayers(
  { shapes, isTurned }: Pick<Plate, "shapes" | "isTurned">,
  grid: PixelGrid,
  [first, end]: readonly [number, number],
  take: (layer: LayerRuns) => void,
  progress: Progress,
): Promise<void> {
  const { pixels } = layerImageSize(grid);
  const place = toPixels(grid, isTurned);
  const outlines = await outlinesOf(shapes);
  const drawn = shapes.map((shape) => drawnShape(shape, place, outlines));
  const builder = new RunsBuilder(...pixels, operationFailed);
  const ends = new Set(shapes.flatMap(({ from, to }) => [from, to]));
  let runs: LayerRuns | undefined;
  for (let layer = first; layer < end; layer++) {
    progress.report((layer - first) / (end - first));
    // Most layers are like the one before.
    if (!runs || ends.has(layer)) {
      const here = drawn.filter(({ from, to }) => from <= layer && layer < to);
      runs = drawLayer(here, pixels, builder);
    }
    take(runs);
  }
}

/** The outlines of all texts, in mm from the start of their baselines. */
async function outlinesOf(shapes: readonly PlateShape[]): Promise<ReadonlyMap<string, Polygons>> {
  const outlines = new Map<string, Polygons>();
  const scale = CAP_HEIGHT_MM / CAP_HEIGHT;
  for (const shape of shapes) {
    if (shape.kind !== "legend" || outlines.has(shape.text)) continue;
    const { region } = await textOutline(shape.text);
    outlines.set(
      shape.text,
      region.map((polygon) => polygon.map((value) => scale * value)),
    );
  }
  return outlines;
}

function drawnShape(shape: PlateShape, place: ToPixels, outlines: ReadonlyMap<string, Polygons>): DrawnShape {
  if (shape.kind === "bar") return drawnBar(shape, place);
  if (shape.kind === "disc") return drawnDisc(shape, place);
  return drawnLegend(shape, place, outlines.get(shape.text) ?? []);
}

const sorted = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a]);

function drawnBar({ x, y, from, to, grey }: PlateShape & { kind: "bar" }, place: ToPixels): DrawnShape {
  const [one, other] = [place(x[0], y[0]), place(x[1], y[1])];
  const [left, right] = sorted(Math.round(one[0]), Math.round(other[0]));
  const [top, end] = sorted(Math.round(one[1]), Math.round(other[1]));
  const spans = [[left, right] as const];
  return { from, to, grey, top, end, isPlain: true, spansOf: () => spans };
}

/** The pixels whose middles are in the disc. */
function drawnDisc({ x, y, diameterMm, from, to, grey }: PlateShape & { kind: "disc" }, place: ToPixels): DrawnShape {
  const [column, row] = place(x, y);
  const [right, down] = place(x + diameterMm / 2, y + diameterMm / 2);
  const [across, high] = [Math.abs(right - column), Math.abs(down - row)];
  return {
    from,
    to,
    grey,
    top: Math.round(row - high),
    end: Math.round(row + high),
    isPlain: false,
    spansOf(at) {
      const half = across * Math.sqrt(Math.max(0, 1 - ((at + 0.5 - row) / high) ** 2));
      return [[Math.round(column - half), Math.round(column + half)]];
    },
  };
}

/** The pixels whose middles are in the letters. */
function drawnLegend({ x, y, from, to }: Legend, place: ToPixels, outlines: Polygons): DrawnShape {
  const rings = outlines.map((ring) => {
    const corners: (readonly [number, number])[] = [];
    for (let at = 0; at < ring.length; at += 2) corners.push(place(x + ring[at], y + ring[at + 1]));
    return corners;
  });
  const rows = rings.flat().map(([, row]) => row);
  return {
    from,
    to,
    grey: 255,
    top: Math.round(Math.min(...rows)),
    end: Math.round(Math.max(...rows)),
    isPlain: false,
    spansOf(at) {
      const crossings = rings.flatMap((ring) => crossingsOf(ring, at + 0.5)).sort((a, b) => a - b);
      return Array.from({ length: Math.floor(crossings.length / 2) }, (_, k) => [
        Math.round(crossings[2 * k] ?? 0),
        Math.round(crossings[2 * k + 1] ?? 0),
      ]);
    },
  };
}

/** The columns at which a ring crosses a height. */
const crossingsOf = (ring: readonly (readonly [number, number])[], height: number): number[] =>
  ring.flatMap(([x, y], i) => {
    const [lastX, lastY] = ring.at(i - 1) ?? [x, y];
    return lastY > height === y > height ? [] : [lastX + ((height - lastY) / (y - lastY)) * (x - lastX)];
  });

function drawLayer(
  shapes: readonly DrawnShape[],
  [width, height]: readonly [number, number],
  builder: RunsBuilder,
): LayerRuns {
  // Rows differ from the row above only where a plain shape begins or ends, and within others.
  const breaks = new Set<number>([0]);
  for (const { top, end, isPlain } of shapes) {
    if (isPlain) breaks.add(top).add(end);
    else for (let row = top; row <= end; row++) breaks.add(row);
  }
  const pixels = new Uint8Array(width);
  builder.begin();
  for (let row = 0; row < height; row++) {
    if (!breaks.has(row)) {
      builder.repeatRow();
      continue;
    }
    pixels.fill(0);
    for (const { top, end, grey, spansOf } of shapes) {
      if (row < top || row >= end) continue;
      for (const [from, to] of spansOf(row)) pixels.fill(grey, from, to);
    }
    for (let column = 0; column < width;) {
      const value = pixels[column];
      let next = column + 1;
      while (next < width && pixels[next] === value) next++;
      builder.add(value, next - column);
      column = next;
    }
  }
  return builder.finish();
}

/** Number of pixels that get light. */
export function litPixels({ height, rowStarts, starts, ends }: LayerRuns): number {
  let sum = 0;
  for (let run = 0; run < rowStarts[height]; run++) sum += ends[run] - starts[run];
  return sum;
}
