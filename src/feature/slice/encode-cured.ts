import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { LAYER_ENCODERS } from "../../job/layer-encoders.ts";
import { type LayerGreys, newLayerGrader } from "../../job/layer-greys.ts";
import { type LayerCure, layerDoses } from "../../slice/over-cure/cure-doses.ts";
import type { LayerRange } from "../../slice/cut-layers.ts";
import { islandSpans } from "../../slice/over-cure/island-spans.ts";
import { drawAgainstOverCure } from "../../slice/over-cure/draw-against-over-cure.ts";
import type { CuredLayer } from "../../slice/over-cure/cured-layer.ts";

export interface EncodeRequest {
  /** The layers of a chunk and those that they depend on. Entry 0 is layer `first`. */
  readonly layers: readonly CuredLayer[];
  readonly first: number;
  /** The layers of the chunk. */
  readonly chunk: LayerRange;
  readonly boundariesMm: Float64Array;
  readonly cure: LayerCure;
  readonly pixelMm: readonly [number, number];
  readonly format: JobFormat;
  readonly greys: LayerGreys | undefined;
}

/** Without figures of the panel, the coverage of a pixel is its dose. */
const SAME_DOSES = Float64Array.from({ length: 256 }, (_, coverage) => coverage / 255);

const toGreys = newLayerGrader();

/** Makes the layers of a chunk against over-cure, and encodes them. Reports the progress of the whole job. */
export function encodeCured(
  { layers, first, chunk, boundariesMm, cure, pixelMm, format, greys }: EncodeRequest,
  progress: Progress,
): unknown[] {
  const encode = LAYER_ENCODERS[format];
  const poll = (): void => progress.report(chunk.from / (boundariesMm.length - 1));
  const range = { from: chunk.from - first, end: chunk.end - first };
  const doses = Array.from({ length: range.end - range.from }, (_, i) =>
    layerDoses(cure, boundariesMm, chunk.from + i),
  );
  const doseOfCoverage = greys?.doses ?? SAME_DOSES;
  const drawn = drawAgainstOverCure({ layers: withIslands(layers), range, doses, doseOfCoverage }, poll);
  return drawn.map((cured, i) => {
    poll();
    const { runs } = must(layers[range.from + i], "A layer");
    return encode(greys ? toGreys(cured, greys) : cured, pixelMm, runs);
  });
}

/** Adds the regions that touch nothing in the layer below. */
const withIslands = (layers: readonly CuredLayer[]): CuredLayer[] =>
  layers.map((layer, k) => {
    const below = layers[k - 1];
    return { ...layer, islands: below && islandSpans(layer.lit, below.lit) };
  });
