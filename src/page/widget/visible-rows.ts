/** The rows of a long list that are rendered. */
export interface VisibleRows {
  /** Index of the first rendered row. */
  readonly first: number;
  readonly count: number;
  /** Height of all rows, px. */
  readonly heightPx: number;
}

/** Number of rows that are rendered beyond each edge of the window, so that quick scrolling shows no gap. */
const MARGIN_ROWS = 6;

/** Returns which of `total` rows of equal height are rendered in a window that is scrolled by `scrolledPx`. */
export function visibleRows(total: number, rowPx: number, scrolledPx: number, windowPx: number): VisibleRows {
  const first = Math.max(0, Math.min(total, Math.floor(scrolledPx / rowPx)) - MARGIN_ROWS);
  const end = Math.min(total, Math.ceil((scrolledPx + windowPx) / rowPx) + MARGIN_ROWS);
  return { first, count: Math.max(0, end - first), heightPx: total * rowPx };
}

/** Returns the scroll position nearest to the present one at which a row is completely in the window. */
export function scrollTo(row: number, rowPx: number, scrolledPx: number, windowPx: number): number {
  const top = row * rowPx;
  if (top < scrolledPx) return top;
  return Math.max(scrolledPx, top + rowPx - windowPx);
}
