import process from "node:process";
import { ApiError } from "./api-error.ts";

/**
 * The memory that the process may use, and the memory that its running tasks have claimed, in KiB. Backed by integers in shared memory, so
 * that all threads see the same numbers. Each thread has a slot for the claim of its current task; what requests hold between their tasks is
 * one sum.
 */
export type MemoryBudget = Int32Array;

/** Indices in a {@link MemoryBudget}. The claims of threads follow. */
const LIMIT = 0;
/** Index of the resident memory that no claim covers: memory of the process without the allocations of its running tasks and without HELD. */
const KEPT = 1;
/** Index of the memory of values that outlive the tasks that made them ({@link holdBytes}). */
const HELD = 2;
const FIRST_SLOT = 3;
/** Number of slots: more than machines have cores, since each slot may hold a long task. */
const SLOTS = 1021;

const KIB = 1024;

/** Memory that a task needs, in addition to the memory that the process had when the task began. */
export interface MemoryNeed {
  readonly bytes: number;
  /** The subject of the error message, such as `The file "a.stl"`. */
  readonly what: string;
  /** Advice for the client, for the message; begins in lower case. */
  readonly wayOut: string;
}

export const newMemoryBudget = (limitBytes: number): MemoryBudget => {
  const budget = new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + SLOTS)));
  budget[LIMIT] = Math.min(0x7fff_ffff, Math.floor(limitBytes / KIB));
  return budget;
};

export const limitBytesOf = (budget: MemoryBudget): number => KIB * Atomics.load(budget, LIMIT);

/**
 * Raises the claim of a slot to `bytes` and returns true. Returns false and changes nothing if the process would exceed its limit. Tasks
 * with claims have already allocated a part of them, so the process is expected to reach the kept memory plus all claims, or the resident
 * memory if that is more.
 */
export function claimBytes(budget: MemoryBudget, slot: number, bytes: number, residentBytes: number): boolean {
  const resident = Math.ceil(residentBytes / KIB);
  const held = Atomics.load(budget, HELD);
  const notHeld = Math.max(0, resident - held);
  const claimed = Atomics.load(budget, FIRST_SLOT + slot);
  const others = claimsOf(budget) - claimed;
  const kept = others + claimed === 0 ? notHeld : Math.min(notHeld, Atomics.load(budget, KEPT));
  Atomics.store(budget, KEPT, kept);
  const wanted = Math.max(claimed, Math.ceil(bytes / KIB));
  // Publish the claim before the sum is taken again: two concurrent claims cannot both exceed the limit.
  Atomics.store(budget, FIRST_SLOT + slot, wanted);
  if (Math.max(resident, kept + held + claimsOf(budget)) <= Atomics.load(budget, LIMIT)) return true;
  Atomics.store(budget, FIRST_SLOT + slot, claimed);
  return false;
}

/** Ends the claim of a slot. The memory that its task has allocated counts as kept until a smaller resident size is measured. */
export function releaseClaim(budget: MemoryBudget, slot: number): void {
  const claimed = Atomics.exchange(budget, FIRST_SLOT + slot, 0);
  Atomics.add(budget, KEPT, claimed);
}

/**
 * Claims the memory of a value that a task has made and that outlives the task, from the moment at which the task has ended: until then its
 * own claim covers the value. Always succeeds, because the memory is allocated. Returns the function that ends the claim; what it ends
 * counts as kept until a smaller resident size is measured.
 */
export function holdBytes(budget: MemoryBudget, bytes: number): () => void {
  const held = Math.ceil(bytes / KIB);
  Atomics.sub(budget, KEPT, Math.min(held, Atomics.load(budget, KEPT)));
  Atomics.add(budget, HELD, held);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    Atomics.sub(budget, HELD, held);
    Atomics.add(budget, KEPT, held);
  };
}

export const heldBytes = (budget: MemoryBudget): number => KIB * Atomics.load(budget, HELD);

export const claimOf = (budget: MemoryBudget, slot: number): number => KIB * Atomics.load(budget, FIRST_SLOT + slot);

function claimsOf(budget: MemoryBudget): number {
  let sum = 0;
  for (let at = FIRST_SLOT; at < budget.length; at++) sum += Atomics.load(budget, at);
  return sum;
}

/** Bytes that are left for more work. */
export function freeBytes(budget: MemoryBudget, residentBytes: number): number {
  const unclaimed = Atomics.load(budget, KEPT) + Atomics.load(budget, HELD);
  const taken = Math.max(residentBytes, KIB * (unclaimed + claimsOf(budget)));
  return Math.max(0, limitBytesOf(budget) - taken);
}

/** Thrown by a task that would exceed the limit. The client gets its message once no other task can free memory. */
export class MemoryError extends ApiError {
  /** Whether the task would fit if no other work took memory. */
  readonly fitsAlone: boolean;

  constructor(need: MemoryNeed, freeBytesNow: number, limitBytes: number) {
    super(
      "OPERATION_FAILED",
      `${need.what} needs about ${inWords(need.bytes)} of memory, and ${inWords(Math.min(freeBytesNow, limitBytes))} of the server's ` +
        `${inWords(limitBytes)} are free: ${need.wayOut}, or start the server with a greater --max-memory. Nothing was changed.`,
      true,
    );
    this.fitsAlone = need.bytes < limitBytes;
  }
}

/** A size in MiB or GiB with at least two digits. */
export function inWords(bytes: number): string {
  const [size, unit] = bytes < GIB ? [bytes / MIB, "MiB"] : [bytes / GIB, "GiB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** The budget and slot of this thread. If it is not set, as in tests of kernels, nothing is limited. */
let account: { readonly budget: MemoryBudget; readonly slot: number } | undefined;

/** Assigns a slot of the budget to this thread. Called once, when the thread starts. */
export const openMemoryAccount = (budget: MemoryBudget, slot: number): void => {
  account = { budget, slot };
};

/**
 * Claims the whole memory of the current task: a later claim counts only if it is larger. The claim ends with the task. Throws {@link
 * MemoryError} if the process would exceed its limit, so call it before anything of that size is allocated.
 */
export function claimMemory(need: MemoryNeed): void {
  if (!account) return;
  const resident = process.memoryUsage.rss();
  const { budget, slot } = account;
  if (!claimBytes(budget, slot, need.bytes, resident)) {
    throw new MemoryError(need, claimOf(budget, slot) + freeBytes(budget, resident), limitBytesOf(budget));
  }
}

/** Bytes that the current task may use: its claim and the free memory. */
export const claimedAndFreeMemory = (): number =>
  account
    ? claimOf(account.budget, account.slot) + freeBytes(account.budget, process.memoryUsage.rss())
    : Number.POSITIVE_INFINITY;

/**
 * Throws {@link MemoryError} if memory that is about to be filled takes the process past its limit, regardless of claims: for arrays whose
 * final size is not known in advance.
 */
export function requireMemory(need: MemoryNeed): void {
  if (!account) return;
  const resident = process.memoryUsage.rss();
  const limit = limitBytesOf(account.budget);
  if (resident + need.bytes > limit) throw new MemoryError(need, Math.max(0, limit - resident), limit);
}
