import type { SpanLayer } from "../../slice/span-layers.ts";

/** Calls `take` for each run of pixels of a row, from `from` to before `to`, that is solid in `layer` and not in `other`. */
export function spanGaps(
  layer: SpanLayer,
  other: SpanLayer | undefined,
  take: (row: number, from: number, to: number) => void,
): void {
  const { rowStarts, starts, ends } = layer;
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    if (other && isSameRow(layer, other, row)) continue;
    let hole = other ? other.rowStarts[row] : 0;
    const lastHole = other ? other.rowStarts[row + 1] : 0;
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      let from = starts[i];
      const to = ends[i];
      while (hole < lastHole && other!.ends[hole] <= from) hole++;
      // The last one that is looked at may reach into the next span too.
      for (let h = hole; h < lastHole && other!.starts[h] < to; h++) {
        if (other!.starts[h] > from) take(row, from, other!.starts[h]);
        from = Math.max(from, other!.ends[h]);
      }
      if (from < to) take(row, from, to);
    }
  }
}

/** Rows of steep walls: most. */
function isSameRow(a: SpanLayer, b: SpanLayer, row: number): boolean {
  const [first, end] = [a.rowStarts[row], a.rowStarts[row + 1]];
  const shift = b.rowStarts[row] - first;
  if (b.rowStarts[row + 1] - end !== shift) return false;
  for (let i = first; i < end; i++)
    if (a.starts[i] !== b.starts[i + shift] || a.ends[i] !== b.ends[i + shift]) return false;
  return true;
}
