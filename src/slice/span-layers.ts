import { countLayers } from "./layer-heights.ts";
import type { Box } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { drawChunk, type Layer } from "./draw-chunk.ts";
import { touchChunk } from "./touch-chunk.ts";
import type { Placed } from "./placed.ts";
import { prepareStack } from "./prepare-stack.ts";
import { layerCountOf } from "./stack.ts";

/** Square pixels over a box seen from above. Column 0 is at the left, row 0 at the back. */
export interface SpanGrid {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
  /** Scene coordinates of the left back corner of the grid. */
  readonly leftMm: number;
  readonly backMm: number;
}

/** The solid pixels of a layer. Those of row y are the spans from `rowStarts[y]` to `rowStarts[y + 1]`, apart and in order. */
export interface SpanLayer {
  /** Counting from the platform. */
  readonly index: number;
  readonly rowStarts: Uint32Array;
  /** First column of a span. */
  readonly starts: Uint16Array;
  /** The column after the last of a span. */
  readonly ends: Uint16Array;
}

export interface SpanRequest {
  readonly placed: readonly Placed[];
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly grid: SpanGrid;
  /** How much of a pixel must be covered, of 255, for it to be solid: 1 for all that a layer touches, 128 for half. */
  readonly least: number;
}

/** Pixels kept free around the box, so that what is outside can be walked around. */
const MARGIN = 2;

export function spanGridOver({ min, max }: Box, pixelMm: number): SpanGrid {
  const columns = countLayers(max[0] - min[0], pixelMm) + 2 * MARGIN;
  const rows = countLayers(max[1] - min[1], pixelMm) + 2 * MARGIN;
  const [middleX, middleY] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  return { columns, rows, pixelMm, leftMm: middleX - (columns * pixelMm) / 2, backMm: middleY + (rows * pixelMm) / 2 };
}

/** The layers of bodies, from the lowest up, as spans of solid pixels that stay good. What several bodies cover is solid once. */
export function* spanLayers({ placed, boundariesMm, grid, least }: SpanRequest, watch: Watch): Generator<SpanLayer> {
  const { columns, rows, pixelMm, leftMm, backMm } = grid;
  const middle = [leftMm + (columns * pixelMm) / 2, backMm - (rows * pixelMm) / 2] as const;
  const centred = placed.map(({ mesh, pose }): Placed => {
    const [x, y, z] = pose.position;
    return { mesh, pose: { ...pose, position: [x - middle[0], y - middle[1], z] } };
  });
  const stackGrid = { pixels: [columns, rows], pixelMm: [pixelMm, pixelMm], mirrorX: false, portrait: false } as const;
  const stack = prepareStack({ placed: centred, boundariesMm, grid: stackGrid }, watch.part(0, 0.2));
  const drawing = watch.part(0.2, 1);
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const poll = (): void => drawing.report(chunk / stack.chunkCount);
    // Drawn whole before any is handed on: threads draw one chunk at a time, but several of these may take turns.
    const layers =
      least <= 1
        ? [...touchChunk(stack, chunk, poll)]
        : Array.from(drawChunk(stack, chunk, poll), (layer) => toSpans(layer, least));
    for (const layer of layers) {
      drawing.report(layer.index / layerCountOf(stack));
      yield layer;
    }
  }
}

/** Runs that are solid enough, those that touch joined. */
function toSpans({ index, runs }: Layer, least: number): SpanLayer {
  const { height, rowStarts: runStarts, starts: firsts, ends: lasts, values } = runs;
  const most = runStarts[height];
  const rowStarts = new Uint32Array(height + 1);
  const starts = new Uint16Array(most);
  const ends = new Uint16Array(most);
  let count = 0;
  for (let row = 0; row < height; row++) {
    for (let i = runStarts[row]; i < runStarts[row + 1]; i++) {
      if (values[i] < least) continue;
      if (count > rowStarts[row] && ends[count - 1] === firsts[i]) ends[count - 1] = lasts[i];
      else {
        starts[count] = firsts[i];
        ends[count++] = lasts[i];
      }
    }
    rowStarts[row + 1] = count;
  }
  return { index, rowStarts, starts: starts.slice(0, count), ends: ends.slice(0, count) };
}
