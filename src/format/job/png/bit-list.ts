/** Bits to be written one after another: arrays may be longer than `size` says. */
export interface BitList {
  /** Up to 24 bits each, the first to be written lowest. */
  readonly bits: Uint32Array;
  readonly lengths: Uint8Array;
  /** How often each is written. */
  readonly times: Uint32Array;
  readonly size: number;
}

/** What the list takes, rounded up to whole bytes. */
export function byteLength({ lengths, times, size }: BitList): number {
  let bits = 0;
  for (let i = 0; i < size; i++) bits += lengths[i] * times[i];
  return Math.ceil(bits / 8);
}

/** Repetitions from which copying bytes beats writing bits. */
const MANY = 24;

/**
 * Writes the list into `bytes` from `start`, the lowest bit of a byte first; the last byte is filled up with zeros. The
 * three bytes after it may be overwritten.
 */
export function writeBits({ bits, lengths, times, size }: BitList, bytes: Uint8Array, start: number): void {
  let at = start;
  // Bits that do not fill a byte yet, and how many.
  let pending = 0;
  let used = 0;
  for (let i = 0; i < size; i++) {
    const word = bits[i];
    const length = lengths[i];
    for (let left = times[i]; left > 0; left--) {
      pending |= word << used;
      used += length;
      // Storing all that may be full beats asking what is: no branch foresees how long codes are.
      bytes[at] = pending;
      bytes[at + 1] = pending >>> 8;
      bytes[at + 2] = pending >>> 16;
      at += used >> 3;
      pending >>>= used & 24;
      used &= 7;
      if (left > MANY - 16 && times[i] - left === 15) {
        // Eight times are `length` whole bytes, and the last of them stand: on with these.
        const periods = Math.floor((left - 1) / 8);
        repeat(bytes, at - length, at, periods * length);
        at += periods * length;
        left -= 8 * periods;
      }
    }
  }
  bytes[at] = pending;
}

/** Fills `count` bytes from `end` with the bytes from `start` to `end` over and over. */
function repeat(bytes: Uint8Array, start: number, end: number, count: number): void {
  for (let done = 0; done < count;) {
    const more = Math.min(end - start + done, count - done);
    bytes.copyWithin(end + done, start, start + more);
    done += more;
  }
}
