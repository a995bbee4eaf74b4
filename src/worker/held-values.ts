import process from "node:process";
import { type MemoryBudget, freeBytes, holdBytes, limitBytesOf } from "../core/memory-budget.ts";
import { arrayBytes } from "../core/typed-arrays.ts";

/**
 * Values on shared memory that outlive the tasks that made them, such as the tree of a mesh. Each counts as claimed in the budget of memory
 * from the end of its task until nothing holds it.
 */
export interface HeldValues {
  /** Holds a value for the next tasks of a request, until the returned function is called. */
  hold(value: object): () => void;
  /**
   * The value of the key, as an earlier request has made it, or else the one that `make` returns. It is kept for later requests if it has
   * `leastBytes` and the memory allows it, but not longer than `owner`, the mesh of which it is made. Without `leastBytes`, small values are
   * not kept.
   */
  keep<Value extends object>(
    key: string,
    owner: object,
    make: () => Promise<Value>,
    leastBytes?: number,
  ): Promise<Value>;
  /** The value of the key if it is kept. */
  kept<Value extends object>(key: string): Value | undefined;
  /** Drops all values that no request holds: for a task that finds too little memory. */
  dropKept(): void;
  /** Calls `drop` with each {@link dropKept}: for values that are kept elsewhere. */
  alsoDrop(drop: () => void): void;
}

/** Smaller values are made anew, in less time than they are worth memory: the tree of 280,000 facets in 0.2 s. */
const MIN_BYTES = 16 * 2 ** 20;
/** All values together take at most this share of the budget, and at most 512 MiB: the trees of four meshes of two million facets. */
const MOST_SHARE = 1 / 32;
const MOST_BYTES = 512 * 2 ** 20;
/** Nothing is kept while less than this share of the budget is free. */
const MIN_FREE_SHARE = 0.25;
/** Most people take less between two requests for a part. */
const KEPT_MS = 180_000;
/** Interval at which unused values are looked for. */
const LOOK_MS = 30_000;

interface KeptValue {
  readonly value: object;
  readonly bytes: number;
  readonly owner: WeakRef<object>;
  readonly release: () => void;
  usedMs: number;
}

/** What is measured. */
interface Measures {
  nowMs(): number;
  residentBytes(): number;
}

const MEASURES: Measures = { nowMs: () => performance.now(), residentBytes: () => process.memoryUsage.rss() };

/** `measures`: others for tests. */
export const newHeldValues = (budget: MemoryBudget | undefined, measures = MEASURES): HeldValues =>
  new BudgetedValues(budget, measures);

class BudgetedValues implements HeldValues {
  readonly #budget: MemoryBudget | undefined;
  readonly #measures: Measures;
  readonly #mostBytes: number;
  /** How many hold each value, and the end of its claim. */
  readonly #claims = new Map<object, { count: number; readonly end: () => void }>();
  /** By key, from the least to the most recently used. */
  readonly #kept = new Map<string, KeptValue>();
  readonly #drops: (() => void)[] = [];
  #keptBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(budget: MemoryBudget | undefined, measures: Measures) {
    [this.#budget, this.#measures] = [budget, measures];
    this.#mostBytes = Math.min(MOST_BYTES, budget ? MOST_SHARE * limitBytesOf(budget) : MOST_BYTES);
  }

  hold(value: object): () => void {
    const budget = this.#budget;
    if (!budget) return () => {};
    const claim = this.#claims.get(value) ?? { count: 0, end: holdBytes(budget, arrayBytes(value)) };
    this.#claims.set(value, claim);
    claim.count++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--claim.count > 0) return;
      this.#claims.delete(value);
      claim.end();
    };
  }

  async keep<Value extends object>(
    key: string,
    owner: object,
    make: () => Promise<Value>,
    leastBytes = MIN_BYTES,
  ): Promise<Value> {
    const known = this.kept<Value>(key);
    if (known) return known;
    const value = await make();
    this.#add(key, owner, value, leastBytes);
    return value;
  }

  kept<Value extends object>(key: string): Value | undefined {
    const known = this.#kept.get(key);
    if (!known) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    known.usedMs = this.#measures.nowMs();
    return known.value as Value;
  }

  alsoDrop(drop: () => void): void {
    this.#drops.push(drop);
  }

  dropKept(): void {
    for (const drop of this.#drops) drop();
    for (const key of this.#kept.keys()) this.#drop(key);
  }

  #add(key: string, owner: object, value: object, leastBytes: number): void {
    this.#dropUnused();
    const bytes = arrayBytes(value);
    // Another request may have made the same value at the same time.
    if (this.#kept.has(key) || bytes < leastBytes || bytes > this.#mostBytes || this.#isTight()) return;
    const [release, usedMs] = [this.hold(value), this.#measures.nowMs()];
    this.#kept.set(key, { value, bytes, owner: new WeakRef(owner), release, usedMs });
    this.#keptBytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= this.#mostBytes) break;
      this.#drop(oldest);
    }
    this.#lookLater();
  }

  #isTight(): boolean {
    const budget = this.#budget;
    if (!budget) return false;
    return freeBytes(budget, this.#measures.residentBytes()) < MIN_FREE_SHARE * limitBytesOf(budget);
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#keptBytes -= kept.bytes;
    kept.release();
  }

  /** Drops the values that were not used for long, or whose mesh no scene holds any more. */
  #dropUnused(): void {
    const since = this.#measures.nowMs() - KEPT_MS;
    for (const [key, { usedMs, owner }] of this.#kept) if (usedMs < since || !owner.deref()) this.#drop(key);
  }

  #lookLater(): void {
    if (this.#timer || this.#kept.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#dropUnused();
      this.#lookLater();
    }, LOOK_MS).unref();
  }
}
