/**
 * An 8-bit layer as runs of equal pixels. Row 0 is the top of the picture; the runs of row y are those from `rowStarts[y]`
 * to `rowStarts[y + 1]`. Within a row they lie in order and do not overlap; runs that touch differ in value. Pixels
 * that no run covers are 0. Arrays may be longer than what they hold and are only good until the next layer is drawn.
 */
export interface LayerRuns {
  /** Pixels of a row, at most 65,535. */
  readonly width: number;
  readonly height: number;
  /** `height + 1` numbers. */
  readonly rowStarts: Uint32Array;
  /** First column of a run. */
  readonly starts: Uint16Array;
  /** The column after the last of a run. */
  readonly ends: Uint16Array;
  /** 1 to 255. */
  readonly values: Uint8Array;
}
