import type { Progress } from "../core/progress.ts";
import type { Box } from "../geometry/box.ts";
import type { SpanGrid, SpanLayer } from "../geometry/spans.ts";
import { countLayers } from "./layer-heights.ts";
import { rasteriseChunkSpans } from "./rasterise-chunk.ts";
import { type Stack, layerCountOf, layersOfChunk, prepareStack } from "./stack.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** Bodies, and the layers and the grid for rasterising them. */
export interface BodiesOnGrid {
  readonly placed: readonly PlacedMesh[];
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  readonly grid: SpanGrid;
}

export interface SpanRequest extends BodiesOnGrid {
  /** Least coverage, 1 to 255, of a solid pixel: 1 for all pixels that a layer touches, 128 for half of a pixel. */
  readonly minCoverage: number;
  /** Whether a layer is rasterised; if absent, all are. */
  readonly isWanted?: (layer: number) => boolean;
}

/** Free pixels on all sides of the box, so that the outside is connected. */
const MARGIN = 2;

/** Fraction of the progress for the preparation of the stack; rasterising takes the rest. */
const PREPARED_SHARE = 0.2;

/** The grid over a box, with a margin of two pixels; both have the same middle. */
export function spanGridOver({ min, max }: Box, pixelMm: number): SpanGrid {
  const columns = countLayers(max[0] - min[0], pixelMm) + 2 * MARGIN;
  const rows = countLayers(max[1] - min[1], pixelMm) + 2 * MARGIN;
  const [middleX, middleY] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  return { columns, rows, pixelMm, leftMm: middleX - (columns * pixelMm) / 2, backMm: middleY + (rows * pixelMm) / 2 };
}

/** The layers of the union of bodies, from the lowest up, as spans of solid pixels. Each layer has separate arrays. */
export function* spanLayers(
  { minCoverage, isWanted = () => true, ...request }: SpanRequest,
  progress: Progress,
): Generator<SpanLayer> {
  const stack = stackOnGrid(request, progress.part(0, PREPARED_SHARE));
  const rasterising = progress.part(PREPARED_SHARE, 1);
  let last = 0;
  const poll = (): void => rasterising.report(last / layerCountOf(stack));
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const wanted = layersOfChunk(stack, chunk).filter(isWanted);
    if (wanted.length === 0) continue;
    // The whole chunk is rasterised before a layer is yielded: chunks share memory, and a caller may interleave generators.
    const layers = [...rasteriseChunkSpans(stack, chunk, minCoverage, poll, wanted)];
    for (const layer of layers) {
      last = layer.index;
      poll();
      yield layer;
    }
  }
}

/** The stack of bodies whose layers have the rows and columns of a grid. */
export function stackOnGrid({ placed, boundariesMm, grid }: BodiesOnGrid, progress: Progress): Stack {
  const { columns, rows, pixelMm, leftMm, backMm } = grid;
  const middle = [leftMm + (columns * pixelMm) / 2, backMm - (rows * pixelMm) / 2] as const;
  const centred = placed.map(({ mesh, pose }): PlacedMesh => {
    const [x, y, z] = pose.position;
    return { mesh, pose: { ...pose, position: [x - middle[0], y - middle[1], z] } };
  });
  const stackGrid = { pixels: [columns, rows], pixelMm: [pixelMm, pixelMm], mirrorX: false, portrait: false } as const;
  return prepareStack({ placed: centred, boundariesMm, grid: stackGrid }, progress);
}
