import type { SpanLayer } from "../geometry/spans.ts";

/** Numbers of a layer: the starts of its rows, and one for each span, which has 16 bits each for its start and its end. */
const numbersOf = ({ rowStarts, starts }: SpanLayer): number => rowStarts.length + starts.length;

/** The spans of layers in shared memory, so that they pass between threads without copies: {@link unpackSpans} reads them. */
export function packSpans(layers: readonly SpanLayer[]): Uint32Array {
  const length = layers.reduce((sum, layer) => sum + numbersOf(layer), 0);
  const packed = new Uint32Array(new SharedArrayBuffer(Uint32Array.BYTES_PER_ELEMENT * length));
  let at = 0;
  for (const layer of layers) {
    const { rowStarts, starts, ends } = layer;
    packed.set(rowStarts, at);
    const spans = spansAt(packed, at + rowStarts.length, starts.length);
    spans.starts.set(starts);
    spans.ends.set(ends);
    at += numbersOf(layer);
  }
  return packed;
}

/** The layers that {@link packSpans} has packed, as views of the packed numbers: their indices, and the rows of their grid. */
export function unpackSpans(packed: Uint32Array, indices: readonly number[], rows: number): SpanLayer[] {
  let at = 0;
  return indices.map((index) => {
    const rowStarts = packed.subarray(at, at + rows + 1);
    const layer = { index, rowStarts, ...spansAt(packed, at + rows + 1, rowStarts[rows]) };
    at += numbersOf(layer);
    return layer;
  });
}

/** Views of `count` spans, from entry `at` on. */
function spansAt({ buffer, byteOffset }: Uint32Array, at: number, count: number): Pick<SpanLayer, "starts" | "ends"> {
  const startsAt = byteOffset + Uint32Array.BYTES_PER_ELEMENT * at;
  const starts = new Uint16Array(buffer, startsAt, count);
  return { starts, ends: new Uint16Array(buffer, startsAt + starts.byteLength, count) };
}
