import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import type { CoarseGrid } from "../../job/inspect/coarse-spans.ts";
import { OverhangDistance } from "../../slice/overhang/overhang-distance.ts";
import { type OverhangField, sharedOverhangField } from "../../slice/overhang/overhang-field.ts";
import { unpackSpans } from "../../slice/packed-spans.ts";

/** Overhanging pixels of a chunk that are listed; all are counted. */
const MAX_LISTED = 16_384;

/** Share of a pixel by which distances may differ due to rounding, as in `check/supportedness.ts`. */
const DISTANCE_TOLERANCE = 0.01;

export interface OverhangRules {
  /** Largest angle from horizontal at which solid supports what is above it, from 1 to 89. */
  readonly selfSupportingAngleDeg: number;
  /** Solid farther than this from its support is unsupported. */
  readonly bridgingDistanceMm: number;
}

/** A chunk of layers on the coarse grid. */
export interface OverhangChunk extends OverhangRules {
  readonly grid: CoarseGrid;
  /** The field after the layers below, on which the walk continues. Absent for the lowest chunk. */
  readonly field?: OverhangField | undefined;
  readonly first: number;
  readonly packed: Uint32Array;
  /** The chunk below, `first - countBelow` being its lowest layer; absent for the lowest chunk. */
  readonly below?: { readonly packed: Uint32Array; readonly count: number } | undefined;
  /** The heights between which the layers of the chunk are, and that of the layer below them: from `first - 1`, or 0, on. */
  readonly boundariesMm: Float64Array;
}

/** Unsupported pixels of the coarse grid, and the field after the chunk. */
export interface WalkedChunk {
  readonly field: OverhangField;
  readonly count: number;
  /** Pairs: a layer and the index of a pixel. */
  readonly listed: Uint32Array;
}

/**
 * The pixels of a chunk that become solid too far from their support ({@link OverhangDistance}). Islands are anchored, since they are
 * findings of their own: otherwise everything that grows from them would be unsupported.
 */
export function walkOverhangs(chunk: OverhangChunk, progress: Progress): WalkedChunk {
  const { grid, first, packed, below, boundariesMm, selfSupportingAngleDeg, bridgingDistanceMm } = chunk;
  const field = chunk.field ?? sharedOverhangField(grid.columns * grid.rows);
  const spanGrid: SpanGrid = { ...grid, leftMm: 0, backMm: 0 };
  const distances = new OverhangDistance(spanGrid, selfSupportingAngleDeg, undefined, field);
  const offset = Math.max(0, first - 1);
  const boundaryMm = (index: number): number => must(boundariesMm[index - offset], "A boundary");
  const middleMm = (layer: number): number => (boundaryMm(layer) + boundaryMm(layer + 1)) / 2;
  const count = boundariesMm.length - 1 - (first - offset);
  const layers = unpackSpans(packed, indices(first, count), grid.rows);
  const last = below && unpackSpans(below.packed, indices(first - below.count, below.count), grid.rows).at(-1);
  if (last) distances.continueAfter(middleMm(first - 1), [last]);
  const limitMm = bridgingDistanceMm + DISTANCE_TOLERANCE * grid.pixelMm;
  const listed: number[] = [];
  let found = 0;
  for (const layer of layers) {
    progress.report((layer.index - first) / count);
    distances.addLayer(middleMm(layer.index), [{ layer, isAnchored: layer.index === 0 }]);
    if (layer.index === 0) continue;
    for (const island of distances.islands()) distances.anchor([...island]);
    for (const pixel of distances.newPixels) {
      if (!(distances.distanceMm(pixel) > limitMm)) continue;
      found++;
      if (listed.length < 2 * MAX_LISTED) listed.push(layer.index, pixel);
    }
  }
  return { field, count: found, listed: Uint32Array.from(listed) };
}

const indices = (first: number, count: number): number[] => Array.from({ length: count }, (_, k) => first + k);
