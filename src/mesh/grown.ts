import { operationFailed } from "../core/fault.ts";

/** What one typed array may hold: the runtimes end at 4 GiB. */
const MAX_BYTES = 2 ** 32;

type Words =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

/**
 * The same words with room for at least `length`: `words` itself, or a copy in an array of twice the size or more.
 * Throws OPERATION_FAILED when there is no such room.
 */
export function grown<T extends Words>(words: T, length: number): T {
  if (length <= words.length) return words;
  const size = Math.min(Math.max(length, 2 * words.length), MAX_BYTES / words.BYTES_PER_ELEMENT);
  const wider = size < length ? undefined : allocate(words.constructor as new (size: number) => T, size);
  if (wider === undefined) {
    throw operationFailed("The model is too large for the memory of this machine. Reduce its number of facets.");
  }
  wider.set(words);
  return wider;
}

function allocate<T extends Words>(kind: new (size: number) => T, size: number): T | undefined {
  try {
    return new kind(size);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
