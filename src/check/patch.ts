import type { Regions } from "../slice/regions.ts";
import type { SpanLayer } from "../slice/span-layers.ts";

/** Some pixels of one layer, as spans in the order of their rows. */
export interface Patch {
  readonly layer: number;
  readonly spans: readonly PatchSpan[];
}

export interface PatchSpan {
  readonly row: number;
  readonly start: number;
  /** The column after the last. */
  readonly end: number;
}

/** The regions of a layer that are wanted, by their numbers. */
export function patchesOf(
  { index, rowStarts, starts, ends }: SpanLayer,
  { regionOf }: Regions,
  isWanted: (region: number) => boolean,
): Map<number, Patch> {
  const found = new Map<number, { layer: number; spans: PatchSpan[] }>();
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const region = regionOf[span];
      if (!isWanted(region)) continue;
      const patch = found.get(region) ?? { layer: index, spans: [] };
      patch.spans.push({ row, start: starts[span], end: ends[span] });
      found.set(region, patch);
    }
  }
  return found;
}
