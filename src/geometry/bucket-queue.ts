import { ensureCapacity } from "../core/typed-arrays.ts";

/** Marks the end of a list. */
const NONE = -1;

/**
 * A queue of numbers in buckets, from which those of the lowest bucket leave first, the last added one before the others (R. B. Dial,
 * "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM 12, 1969). Adding and taking takes
 * constant time, but `take` visits the empty buckets before the next item. Memory: four bytes for each bucket up to the highest one, and
 * eight for each item of the longest queue so far.
 */
export class BucketQueue {
  /** The last added entry of each bucket. */
  #heads = new Int32Array(256).fill(NONE);
  #items = new Int32Array(256);
  /** The entry that was added before, of the same bucket; of unused entries: another unused one. */
  #next = new Int32Array(256);
  #unused = NONE;
  #entryCount = 0;
  #size = 0;
  /** No lower bucket has an item. */
  #bucket = 0;

  /** The bucket of the item that was taken last. */
  get bucket(): number {
    return this.#bucket;
  }

  /** `bucket`: at least 0. */
  add(item: number, bucket: number): void {
    const entry = this.#newEntry();
    if (bucket >= this.#heads.length) this.#reach(bucket);
    if (this.#size === 0 || bucket < this.#bucket) this.#bucket = bucket;
    this.#items[entry] = item;
    this.#next[entry] = this.#heads[bucket];
    this.#heads[bucket] = entry;
    this.#size++;
  }

  /** −1 if the queue is empty. */
  take(): number {
    if (this.#size === 0) return NONE;
    const heads = this.#heads;
    while (heads[this.#bucket] === NONE) this.#bucket++;
    const entry = heads[this.#bucket];
    heads[this.#bucket] = this.#next[entry];
    this.#next[entry] = this.#unused;
    this.#unused = entry;
    this.#size--;
    return this.#items[entry];
  }

  #newEntry(): number {
    const entry = this.#unused;
    if (entry !== NONE) {
      this.#unused = this.#next[entry];
      return entry;
    }
    if (this.#entryCount === this.#items.length) {
      this.#items = ensureCapacity(this.#items, this.#entryCount + 1);
      this.#next = ensureCapacity(this.#next, this.#entryCount + 1);
    }
    return this.#entryCount++;
  }

  #reach(bucket: number): void {
    const from = this.#heads.length;
    this.#heads = ensureCapacity(this.#heads, bucket + 1);
    this.#heads.fill(NONE, from);
  }
}
