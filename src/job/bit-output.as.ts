// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the bits of a deflate stream, the first one lowest.

/** The bits of the unfinished byte, and their number. */
let pending: u64;
let used: u32;
/** The address of the next byte. */
let to: usize;

/** Begins with the first bit of the byte at address `at`. The eight bytes after the last one may be overwritten. */
export function beginBits(at: usize): void {
  pending = 0;
  used = 0;
  to = at;
}

/** The address after the last byte. */
export function endOfBits(): usize {
  return to + (used > 0 ? 1 : 0);
}

/** A word of at most {@link PACKED_BITS} bits, and their number, for {@link writePacked}. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function packed(word: u32, bits: u32): u32 {
  return word | (bits << PACKED_BITS);
}

const PACKED_BITS: u32 = 27;

/** Writes the bits of a {@link packed} word. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function writePacked(word: u32): void {
  write(word & ((1 << PACKED_BITS) - 1), word >> PACKED_BITS);
}

/** Writes at most 57 bits. Always stores the unfinished bytes: a branch on the number of full bytes is mispredicted too often. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function write(word: u64, bits: u32): void {
  pending |= word << used;
  used += bits;
  store<u64>(to, pending);
  to += used >> 3;
  pending >>= used & 56;
  used &= 7;
}

/** From this number of repetitions on, copying bytes is faster than writing bits. */
const MIN_COPIED: u32 = 128;
/** Repetitions of which all bytes that the copies need are written. */
const WRITTEN_FIRST: u32 = 72;

/** Writes the bits of a {@link packed} word `times` times. */
export function writeRepeatedly(word: u32, times: u32): void {
  let left = times;
  for (; left > 0; left--) {
    if (times >= MIN_COPIED && left === times - WRITTEN_FIRST) {
      // Eight repetitions are as many whole bytes as a repetition has bits: the bytes of 64 repetitions, at least eight, repeat.
      const bits = word >> PACKED_BITS;
      const bytes = (left >> 3) * bits;
      for (let done: usize = 0; done < bytes; done += 8) {
        store<u64>(to + done, load<u64>(to + done - (bits << 3)));
      }
      to += bytes;
      left &= 7;
      if (left === 0) return;
    }
    writePacked(word);
  }
}
