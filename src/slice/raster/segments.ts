import { grown } from "../../mesh/grown.ts";

/**
 * The outlines of one layer as directed segments, in raster coordinates: pixels, x to the right, y down. Left of what is
 * solid an outline runs down. Segments need no order, but those of a model join end to end.
 */
export interface Segments {
  count: number;
  /** x and y of the start, x and y of the end. */
  ends: Float64Array<ArrayBuffer>;
  /** The model whose outline a segment is part of. */
  models: Uint32Array<ArrayBuffer>;
}

const FIRST_CAPACITY = 4096;

export const newSegments = (): Segments => ({
  count: 0,
  ends: new Float64Array(4 * FIRST_CAPACITY),
  models: new Uint32Array(FIRST_CAPACITY),
});

/** Makes room for `more` segments after those there are. */
export function reserve(segments: Segments, more: number): void {
  segments.ends = grown(segments.ends, 4 * (segments.count + more));
  segments.models = grown(segments.models, segments.count + more);
}

export function push(segments: Segments, x0: number, y0: number, x1: number, y1: number, model: number): void {
  reserve(segments, 1);
  const at = 4 * segments.count;
  segments.ends[at] = x0;
  segments.ends[at + 1] = y0;
  segments.ends[at + 2] = x1;
  segments.ends[at + 3] = y1;
  segments.models[segments.count++] = model;
}
