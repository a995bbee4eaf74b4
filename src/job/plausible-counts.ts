import type { ErrorFactory } from "../core/api-error.ts";

/** The limit of fields of 16 bits, and of the runs of a layer. */
const MAX_SIDE = 65_535;
/** More than twice the pixels of the largest panels; pictures of 15120 × 6230 pixels are usual. */
const MAX_PIXELS = 2 ** 28;

/** The columns and rows of a job's pictures, if a picture can have them. Throws the error of `refuse` otherwise. */
export function requirePixels(
  [columns, rows]: readonly [number, number],
  refuse: ErrorFactory,
): readonly [number, number] {
  const isSide = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MAX_SIDE;
  if (isSide(columns) && isSide(rows) && columns * rows <= MAX_PIXELS) return [columns, rows];
  throw refuse(`its layers would have ${columns} × ${rows} pixels: it is damaged; take another copy of it`);
}

/**
 * The number of layers, if a file of this size can describe so many, with at least `bytesEach` for each. Throws the error of `refuse`
 * otherwise, and for a job without layers.
 */
export function requireLayerCount(count: number, bytesEach: number, fileBytes: number, refuse: ErrorFactory): number {
  if (count === 0) throw refuse("it has no layers; slice the job again");
  if (Number.isInteger(count) && count > 0 && count * bytesEach <= fileBytes) return count;
  throw refuse(`it states ${count} layers, more than it has room for: it was cut short; take another copy of it`);
}
