import type { ErrorFactory } from "../../core/api-error.ts";

// What writers and readers of `.osla` files share: the open SLA file format, version 0, by the description in UVtools.

export const MARK = "OSLATiCo";
/** Behind the last byte of the G-code. */
export const END_MARK = `;${MARK}`;
export const VERSION = 0;
/** Sizes of the records. */
export const FILE_BYTES = 150;
export const HEADER_BYTES = 199;
export const PREVIEW_BYTES = 8;
export const LAYER_BYTES = 73;
export const PREVIEW_TYPE = "RGB565";
export const LAYER_TYPE = "PNG";

/** Throws the error of `refuse` for another type of data than the one that is read. */
export function requireType(found: string, known: string, what: string, refuse: ErrorFactory): void {
  if (found === known) return;
  throw refuse(`its ${what} are ${JSON.stringify(found)}, of which ${known} is read; save it with ${known}`);
}
