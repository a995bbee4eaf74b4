/** Words of bits to write in sequence. The arrays may be longer than `size`. */
export interface BitList {
  /** At most 24 bits each; the lowest bit is written first. */
  readonly bits: Uint32Array;
  /** Length of each in bits. */
  readonly lengths: Uint8Array;
  /** How often each is written. */
  readonly times: Uint32Array;
  readonly size: number;
}

/** Length of the list in bytes, rounded up. */
export function byteLength({ lengths, times, size }: BitList): number {
  let bits = 0;
  for (let i = 0; i < size; i++) bits += lengths[i] * times[i];
  return Math.ceil(bits / 8);
}

/** From this number of repetitions on, copying bytes is faster than writing bits. */
const MIN_COPIED = 24;

/**
 * Writes the list into `bytes` from `start`, the lowest bit of a byte first; zeros fill the last byte. The three bytes after it
 * may be overwritten.
 */
export function writeBits({ bits, lengths, times, size }: BitList, bytes: Uint8Array, start: number): void {
  let at = start;
  // The bits of the unfinished byte, and their number.
  let pending = 0;
  let used = 0;
  for (let i = 0; i < size; i++) {
    const word = bits[i];
    const length = lengths[i];
    for (let left = times[i]; left > 0; left--) {
      pending |= word << used;
      used += length;
      // Always stores three bytes: a branch on the number of full bytes is mispredicted too often.
      bytes[at] = pending;
      bytes[at + 1] = pending >>> 8;
      bytes[at + 2] = pending >>> 16;
      at += used >> 3;
      pending >>>= used & 24;
      used &= 7;
      if (left > MIN_COPIED - 16 && times[i] - left === 15) {
        // Eight repetitions are `length` whole bytes, and those are written now: copy them.
        const periods = Math.floor((left - 1) / 8);
        repeat(bytes, at - length, at, periods * length);
        at += periods * length;
        left -= 8 * periods;
      }
    }
  }
  bytes[at] = pending;
}

/** Fills `count` bytes from `end` on with repetitions of the bytes from `start` to `end`. */
function repeat(bytes: Uint8Array, start: number, end: number, count: number): void {
  for (let done = 0; done < count;) {
    const more = Math.min(end - start + done, count - done);
    bytes.copyWithin(end + done, start, start + more);
    done += more;
  }
}
