/** Rows of a long list that are worth being in the document, with their places. */
export interface VisibleRows {
  /** Index of the first one. */
  readonly first: number;
  readonly count: number;
  /** Height of all rows, px. */
  readonly heightPx: number;
}

/** Rows beyond both edges of the window, so that a quick scroll does not show a gap. */
const MARGIN_ROWS = 6;

/** Which of `total` rows of one height a window shows that was scrolled by `scrolledPx`. */
export function visibleRows(total: number, rowPx: number, scrolledPx: number, windowPx: number): VisibleRows {
  const first = Math.max(0, Math.min(total, Math.floor(scrolledPx / rowPx)) - MARGIN_ROWS);
  const end = Math.min(total, Math.ceil((scrolledPx + windowPx) / rowPx) + MARGIN_ROWS);
  return { first, count: Math.max(0, end - first), heightPx: total * rowPx };
}

/** How far to scroll so that a row is in the window; the present place where it is. */
export function scrollTo(row: number, rowPx: number, scrolledPx: number, windowPx: number): number {
  const top = row * rowPx;
  if (top < scrolledPx) return top;
  return Math.max(scrolledPx, top + rowPx - windowPx);
}
