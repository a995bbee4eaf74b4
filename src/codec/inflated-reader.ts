import { Buffer } from "node:buffer";
import { type Transform, Readable, pipeline } from "node:stream";
import type { ZlibOptions } from "node:zlib";
import { growArray, releaseArrays } from "../core/typed-arrays.ts";

/** Inflates compressed bytes: yields the chunks of the stream, or throws its error for damaged bytes. */
export function inflatedChunks(packed: Iterable<Uint8Array>, inflate: Transform): AsyncIterable<Uint8Array> {
  pipeline(Readable.from(packed), inflate, () => {});
  return inflate;
}

const PACKED_CHUNK_BYTES = 64 * 1024;

function* pieces(packed: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < packed.length; at += PACKED_CHUNK_BYTES) yield packed.subarray(at, at + PACKED_CHUNK_BYTES);
}

/** Reads the content of compressed data in order. Only the bytes of one record are in memory, not all of them. */
export class InflatedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  readonly #damaged: () => Error;
  #bytes = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #inflated = 0;

  /** Throws the error of `damaged` if the data are damaged or inflate to more than `maxBytes`. */
  constructor(packed: Uint8Array, inflate: Transform, maxBytes: number, damaged: () => Error) {
    this.#chunks = inflatedChunks(pieces(packed), inflate)[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
    this.#damaged = damaged;
  }

  /** Number of bytes that can be taken without waiting. */
  get held(): number {
    return this.#end - this.#at;
  }

  /** Reads until `count` bytes are held; false if the data end before that. */
  async hold(count: number): Promise<boolean> {
    while (this.held < count) {
      const chunk = await this.#nextChunk();
      if (!chunk) return false;
      this.#bytes.copyWithin(0, this.#at, this.#end);
      this.#end -= this.#at;
      this.#at = 0;
      this.#bytes = growArray(this.#bytes, this.#end + chunk.length);
      this.#bytes.set(chunk, this.#end);
      this.#end += chunk.length;
      giveBack(chunk);
    }
    return true;
  }

  /** The next held bytes. They are valid until more bytes are held. */
  take(count: number): Buffer {
    this.#at += count;
    return Buffer.from(this.#bytes.buffer, this.#at - count, count);
  }

  /** Reads the rest, so that damage in it is found as well. */
  async drain(): Promise<void> {
    for (let chunk = await this.#nextChunk(); chunk; chunk = await this.#nextChunk()) giveBack(chunk);
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    let result: IteratorResult<Uint8Array>;
    try {
      result = await this.#chunks.next();
    } catch {
      throw this.#damaged();
    }
    if (result.done) return undefined;
    this.#inflated += result.value.length;
    if (this.#inflated > this.#maxBytes) throw this.#damaged();
    return result.value;
  }
}

/** Releases the last chunk of a buffer: streams fill one buffer after the other, and do not use a full one again. */
function giveBack(chunk: Uint8Array): void {
  if (chunk.byteOffset + chunk.length === chunk.buffer.byteLength) releaseArrays(chunk);
}

/** Options that inflate `packed` data to `size` bytes in one piece: several pieces would be in memory twice when they are joined. */
export const inflatedTo = (size: number, packed: Uint8Array): ZlibOptions => ({
  maxOutputLength: Math.max(1, size),
  // At least one byte more than needed, because otherwise another buffer would be allocated. Stored sizes may be wrong.
  chunkSize: Math.min(size, MAX_RATIO * packed.length) + MIN_CHUNK_BYTES,
});

/** Greatest compression ratio of zlib (https://zlib.net/zlib_tech.html). */
const MAX_RATIO = 1032;
const MIN_CHUNK_BYTES = 64;
