/** Bytes as runs of equal ones, below 2³² in all; arrays may be longer than `size` says. */
export interface ByteRuns {
  readonly values: Uint8Array;
  /** At least 1 each. */
  readonly lengths: Uint32Array;
  readonly size: number;
}
