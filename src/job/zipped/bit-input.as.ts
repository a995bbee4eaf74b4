// AssemblyScript, part of the kernel `png-runs.as.ts`: the bits of deflated data, the lowest of a byte first (RFC 1951, section 3.1.1).

/** The next byte that is not among the held bits, and the end of the data. */
export let at: usize;
export let end: usize;
/** Beyond it, only padding is read. */
export let limit: usize;

const CODE_MASK: u64 = 0x7fff;

let bits: u64;
let held: u32;

/** Continues at a byte. */
export function setAt(from: usize, to: usize): void {
  at = from;
  end = to;
  limit = to + 8;
  bits = 0;
  held = 0;
}

/** Holds at least 56 bits, those beyond the end from its padding. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function refill(): void {
  bits |= load<u64>(at) << held;
  at += (63 - held) >> 3;
  held |= 56;
}

/** The next 15 bits, which stay held. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function peek(): usize {
  return <usize>(bits & CODE_MASK);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function drop(count: u32): void {
  bits >>= count;
  held -= count;
}

/** The next bits, at most as many as are held. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function take(count: u32): u32 {
  const taken = <u32>(bits & ((1 << <u64>count) - 1));
  drop(count);
  return taken;
}

/** Continues at the next whole byte. */
export function align(): void {
  setAt(at - (held >> 3), end);
}

/** Whether bits beyond the end were taken. */
export function hasOverrun(): bool {
  return at - (held >> 3) > end;
}
