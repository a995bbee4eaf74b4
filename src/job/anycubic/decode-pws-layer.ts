import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";

/** A run of a time slice; `next` is the offset of the run after it. */
interface SliceRun {
  isLit: boolean;
  left: number;
  next: number;
}

/**
 * Decodes Anycubic's time slices (`pwsImg`): pictures of one bit, one behind the other. A pixel that is lit in c of n slices has the value
 * c · ⌊256 / n⌋ − 1. Throws the error of `refuse` for slices that do not end with the picture.
 */
export function decodePwsLayer(
  data: Uint8Array,
  slices: number,
  pixels: number,
  into: RunsBuilder,
  refuse: ErrorFactory,
): LayerRuns {
  into.begin();
  if (data.length === 0) {
    into.add(0, pixels);
    return into.finish();
  }
  const runs = sliceStarts(data, slices, pixels, refuse).map((next): SliceRun => ({ isLit: false, left: 0, next }));
  const step = Math.floor(256 / slices);
  for (let left = pixels; left > 0;) {
    let length = left;
    let lit = 0;
    for (const run of runs) {
      while (run.left === 0) beginNext(run, data);
      length = Math.min(length, run.left);
      if (run.isLit) lit++;
    }
    into.add(lit === 0 ? 0 : lit * step - 1, length);
    for (const run of runs) run.left -= length;
    left -= length;
  }
  return into.finish();
}

function beginNext(run: SliceRun, data: Uint8Array): void {
  const byte = data[run.next++];
  run.isLit = byte >= 128;
  run.left = byte & 127;
}

/** Offsets of the slices. Each is whole. */
function sliceStarts(data: Uint8Array, slices: number, pixels: number, refuse: ErrorFactory): number[] {
  let at = 0;
  return Array.from({ length: slices }, () => {
    const start = at;
    let left = pixels;
    while (left > 0 && at < data.length) left -= data[at++] & 127;
    if (left > 0) throw refuse("one of its pictures ends too early: the file is damaged; take another copy of it");
    if (left < 0) throw refuse("one of its pictures has a run that leaves it; take another copy of it");
    return start;
  });
}
