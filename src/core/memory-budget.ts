import process from "node:process";
import { ApiError } from "./api-error.ts";

/**
 * What the process may use of the machine's memory, and what its running tasks still need of it, in KiB. Backed by integers in
 * shared memory, so that all threads see one account. Each thread has a slot with the claim of its present task.
 */
export type MemoryBudget = Int32Array;

/** Indices in a {@link MemoryBudget}. The claims of threads follow. */
const LIMIT = 0;
/** The resident memory that no claim covers: what the process holds apart from what its running tasks have allocated. */
const KEPT = 1;
const FIRST_SLOT = 2;
/** More than machines have cores: each may hold a long task. */
const SLOTS = 1022;

const KIB = 1024;

/** Memory that a task needs, beyond what it began with. */
export interface MemoryNeed {
  readonly bytes: number;
  /** The subject of the error where it cannot be had, such as `The file "a.stl"`. */
  readonly what: string;
  /** What the client can do, beginning in lower case. */
  readonly wayOut: string;
}

export const newMemoryBudget = (limitBytes: number): MemoryBudget => {
  const budget = new Int32Array(new SharedArrayBuffer(4 * (FIRST_SLOT + SLOTS)));
  budget[LIMIT] = Math.min(0x7fff_ffff, Math.floor(limitBytes / KIB));
  return budget;
};

export const limitBytesOf = (budget: MemoryBudget): number => KIB * budget[LIMIT];

/**
 * Raises the claim of a slot to `bytes` and returns true, or returns false and changes nothing where the process would pass its
 * limit. Tasks that claimed have allocated some of it already: so the process comes to what it kept and all claims, or to what is
 * resident where that is more.
 */
export function claimBytes(budget: MemoryBudget, slot: number, bytes: number, residentBytes: number): boolean {
  const resident = Math.ceil(residentBytes / KIB);
  const claimed = Atomics.load(budget, FIRST_SLOT + slot);
  const others = claimsOf(budget) - claimed;
  const kept = others + claimed === 0 ? resident : Math.min(resident, Atomics.load(budget, KEPT));
  Atomics.store(budget, KEPT, kept);
  const wanted = Math.max(claimed, Math.ceil(bytes / KIB));
  // The claim stands before the sum is taken again, so that of two threads at once not both can pass the limit.
  Atomics.store(budget, FIRST_SLOT + slot, wanted);
  if (Math.max(resident, kept + claimsOf(budget)) <= budget[LIMIT]) return true;
  Atomics.store(budget, FIRST_SLOT + slot, claimed);
  return false;
}

/** Ends the claim of a slot. What its task has allocated counts as kept until it is seen to be free. */
export function releaseClaim(budget: MemoryBudget, slot: number): void {
  const claimed = Atomics.exchange(budget, FIRST_SLOT + slot, 0);
  Atomics.add(budget, KEPT, claimed);
}

export const claimOf = (budget: MemoryBudget, slot: number): number => KIB * Atomics.load(budget, FIRST_SLOT + slot);

function claimsOf(budget: MemoryBudget): number {
  let sum = 0;
  for (let at = FIRST_SLOT; at < budget.length; at++) sum += Atomics.load(budget, at);
  return sum;
}

/** What is left for more work. */
export function freeBytes(budget: MemoryBudget, residentBytes: number): number {
  const taken = Math.max(residentBytes, KIB * (Atomics.load(budget, KEPT) + claimsOf(budget)));
  return Math.max(0, limitBytesOf(budget) - taken);
}

/** Thrown by a task that would pass the limit. Its message is for the client, once no other task gives memory back. */
export class MemoryError extends ApiError {
  /** Whether an empty server could do it. */
  readonly fitsAlone: boolean;

  constructor(need: MemoryNeed, freeBytesNow: number, limitBytes: number) {
    super(
      "OPERATION_FAILED",
      `${need.what} needs about ${inWords(need.bytes)} of memory, and ${inWords(Math.min(freeBytesNow, limitBytes))} of the server's ` +
        `${inWords(limitBytes)} are free: ${need.wayOut}, or start the server with a greater --max-memory. Nothing was changed.`,
    );
    this.fitsAlone = need.bytes < limitBytes;
  }
}

/** Bytes as MiB or GiB with two digits or more. */
export function inWords(bytes: number): string {
  const [size, unit] = bytes < GIB ? [bytes / MIB, "MiB"] : [bytes / GIB, "GiB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** The account of this thread. Without one, as in the tests of kernels, nothing is bounded. */
let account: { readonly budget: MemoryBudget; readonly slot: number } | undefined;

/** Gives this thread a slot of the budget. Called once, when the thread starts. */
export const openMemoryAccount = (budget: MemoryBudget, slot: number): void => {
  account = { budget, slot };
};

/**
 * Claims memory for the present task, in all: a later claim counts only where it is larger. The claim ends with the task. Throws
 * {@link MemoryError} where the process would pass its limit, so it is called before anything of that size is made.
 */
export function claimMemory(need: MemoryNeed): void {
  if (!account) return;
  const resident = process.memoryUsage.rss();
  const { budget, slot } = account;
  if (!claimBytes(budget, slot, need.bytes, resident)) {
    throw new MemoryError(need, claimOf(budget, slot) + freeBytes(budget, resident), limitBytesOf(budget));
  }
}

/** Bytes that the present task may come to: what it has claimed, and what is free. */
export const claimedAndFreeMemory = (): number =>
  account
    ? claimOf(account.budget, account.slot) + freeBytes(account.budget, process.memoryUsage.rss())
    : Number.POSITIVE_INFINITY;

/**
 * Throws {@link MemoryError} where memory that is about to be filled takes the process past its limit, whatever was claimed: for
 * arrays whose size is not known before they grow.
 */
export function requireMemory(need: MemoryNeed): void {
  if (!account) return;
  const resident = process.memoryUsage.rss();
  const limit = limitBytesOf(account.budget);
  if (resident + need.bytes > limit) throw new MemoryError(need, Math.max(0, limit - resident), limit);
}
