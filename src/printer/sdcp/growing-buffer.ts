import { Buffer } from "node:buffer";

/**
 * A buffer for bytes that arrive in pieces. Its capacity doubles when it is full, so that many small pieces are as cheap as one large
 * piece.
 */
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
