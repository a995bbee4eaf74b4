import { type Motion, NO_MOTION } from "../job-exposure.ts";

// What writers and readers of `.goo` files share (Elegoo's specification 1.2).

/** Stands after the version and at the end of a file. */
export const MARK: Uint8Array = Uint8Array.of(7, 0, 0, 0, 0x44, 0x4c, 0x50, 0);
export const DELIMITER: Uint8Array = Uint8Array.of(0x0d, 0x0a);

/** Size of the head; the layers of version 3, and the tables of version 5, follow it. */
export const HEAD_BYTES = 195_477;

/** Size of the values of a layer: exposure, waits and motions. */
export const LAYER_BYTES = 66;

/** Small and large preview. */
export const THUMBNAILS = [
  { width: 116, height: 116 },
  { width: 290, height: 290 },
] as const;

/**
 * Lift and retraction in files for machines with a tilting vat, whose firmware replaces them by a tilt; with the lifts of other machines,
 * prints have lines (UVtools 5.1.7, issue 1052, and its profiles of the Saturn 4 Ultra, 4 Ultra 16K and Mars 5 Ultra; the history of a
 * Saturn 4 Ultra has the same). These values do not state the time that a layer takes.
 */
export const TILT: readonly [Motion, Motion] = [{ mm: 0.05, mmPerMin: 0.05 }, NO_MOTION];
