import { operationFailed } from "./api-error.ts";
import { requireMemory } from "./memory-budget.ts";

/** The array in shared memory, which all threads can read: itself, or a copy where it is not shared. */
export function toSharedMemory<T extends Float32Array | Float64Array | Uint32Array | Uint8Array>(array: T): T {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}

/** {@link toSharedMemory} of a large array that nothing else uses: the array itself is empty afterwards. */
export function moveToSharedMemory<T extends Float32Array | Float64Array | Uint32Array>(array: T): T {
  const shared = toSharedMemory(array);
  releaseArrays(array);
  return shared;
}

/** The largest typed array of the runtimes: 4 GiB. */
const MAX_BYTES = 2 ** 32;

/** For a smaller array the memory of the process is not checked. */
const LARGE_BYTES = 2 ** 24;

type GrowableArray =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>;

/**
 * The array with room for at least `length` elements: itself, or a copy of at least twice its length. Throws OPERATION_FAILED where memory
 * does not suffice.
 */
export function ensureCapacity<T extends GrowableArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const size = Math.min(Math.max(length, 2 * array.length), MAX_BYTES / array.BYTES_PER_ELEMENT);
  const bytes = size * array.BYTES_PER_ELEMENT;
  if (bytes > LARGE_BYTES) requireMemory({ bytes, what: "The model", wayOut: "reduce its number of facets" });
  const wider = size < length ? undefined : allocate(array.constructor as new (size: number) => T, size);
  if (wider === undefined) {
    throw operationFailed("The model is too large for the memory of this machine. Reduce its number of facets.");
  }
  wider.set(array);
  return wider;
}

/** {@link ensureCapacity} for an array that does not share its buffer: the memory of the shorter array is freed at once. */
export function growArray<T extends GrowableArray>(array: T, length: number): T {
  const wider = ensureCapacity(array, length);
  if (wider !== array) releaseArrays(array);
  return wider;
}

/** The first `length` elements of an array that does not share its buffer. The array is empty afterwards. */
export const shrinkArray = <T extends GrowableArray>(array: T, length: number): T =>
  new (array.constructor as new (buffer: ArrayBuffer) => T)(array.buffer.transfer(length * array.BYTES_PER_ELEMENT));

/**
 * Frees the memory of arrays at once; they are empty afterwards. For large scratch arrays of kernels: the garbage collector starts only
 * when garbage is as large as what is in use. Shared memory is kept.
 */
export function releaseArrays(...arrays: readonly { readonly buffer: ArrayBufferLike }[]): void {
  for (const { buffer } of arrays) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}

/**
 * Finds, anywhere in a value, the arrays that cover their whole buffer, so that the buffer can be moved or released. A buffer that an array
 * covers in part may be in use by others.
 */
export function wholeArrays(value: unknown): Uint8Array<ArrayBuffer>[] {
  if (typeof value !== "object" || value === null) return [];
  if (!ArrayBuffer.isView(value)) return Object.values(value).flatMap(wholeArrays);
  const { buffer, byteLength } = value;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [new Uint8Array(buffer)] : [];
}

/** Bytes of the arrays in a value, each object counted once. */
export function arrayBytes(value: object): number {
  const seen = new Set<unknown>([value]);
  let bytes = 0;
  // A set visits what is added during the loop.
  for (const one of seen) {
    if (ArrayBuffer.isView(one)) bytes += one.byteLength;
    else if (typeof one === "object" && one !== null) for (const part of Object.values(one)) seen.add(part);
  }
  return bytes;
}

function allocate<T extends GrowableArray>(kind: new (size: number) => T, size: number): T | undefined {
  try {
    return new kind(size);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
/** The numbers of an array followed by more numbers, in a new array of the same kind. */
export function appendNumbers<T extends Float32Array | Float64Array | Uint32Array>(
  numbers: T,
  more: ArrayLike<number>,
): T {
  const all = new (numbers.constructor as new (length: number) => T)(numbers.length + more.length);
  all.set(numbers);
  all.set(more, numbers.length);
  return all;
}
