/** Whole numbers below a count, found in cyclic order. */
export interface IndexSet {
  add(index: number): void;
  remove(index: number): void;
  /** The first member from `index` on, then from 0 on; undefined if the set is empty. */
  firstFrom(index: number): number | undefined;
}

const BITS = 32;

/**
 * The set of all whole numbers below `count`, or the empty set. A tree of bits: each bit of a level is set if any of 32 bits of the level
 * below is set.
 */
export function newIndexSet(count: number, isFull = true): IndexSet {
  const levels: Uint32Array[] = [];
  for (let size = count; levels.length === 0 || size > 1;) {
    const words = new Uint32Array(Math.ceil(size / BITS));
    const members = isFull ? size : 0;
    for (let i = 0; i < members; i++) words[i >>> 5] |= 1 << (i & 31);
    levels.push(words);
    size = words.length;
  }
  const firstAtOrAfter = (index: number): number | undefined => {
    let at = index;
    for (let level = 0; level < levels.length; level++) {
      const word = at >>> 5;
      if (word >= levels[level].length) return undefined;
      const rest = levels[level][word] & (-1 << (at & 31));
      if (rest !== 0) {
        let found = (word << 5) + lowestBit(rest);
        while (level > 0) found = (found << 5) + lowestBit(levels[--level][found]);
        return found;
      }
      at = word + 1;
    }
    return undefined;
  };
  return {
    add(index) {
      for (let level = 0, at = index; level < levels.length; level++, at >>>= 5)
        levels[level][at >>> 5] |= 1 << (at & 31);
    },
    remove(index) {
      for (let level = 0, at = index; level < levels.length; level++, at >>>= 5) {
        levels[level][at >>> 5] &= ~(1 << (at & 31));
        if (levels[level][at >>> 5] !== 0) return;
      }
    },
    firstFrom: (index) => firstAtOrAfter(index) ?? firstAtOrAfter(0),
  };
}

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
