import { Buffer } from "node:buffer";

/** Bytes that come piece by piece. Its memory doubles when it is full, so that many small pieces cost no more than one. */
export function newGrowingBuffer() {
  let [buffer, start, end] = [Buffer.alloc(0), 0, 0];
  return {
    bytes: (): Buffer => buffer.subarray(start, end),
    append(piece: Uint8Array): void {
      if (end + piece.length > buffer.length) {
        const larger = Buffer.alloc(2 * (end - start + piece.length));
        buffer.copy(larger, 0, start, end);
        [buffer, start, end] = [larger, 0, end - start];
      }
      buffer.set(piece, end);
      end += piece.length;
    },
    drop(count: number): void {
      start += count;
      if (start === end) [buffer, start, end] = [Buffer.alloc(0), 0, 0];
    },
  };
}
