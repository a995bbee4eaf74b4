import process from "node:process";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { newGarbageCollector } from "./collect-garbage.ts";
import type { SharedModule } from "../wasm/shared-modules.ts";
import { newSharedLibraries } from "./shared-libraries.ts";
import type { Task } from "./task.ts";
import { type RunningTask, Thread, type ThreadEvents } from "./thread.ts";

/** How long threads without a task stay. */
export interface IdleLimits {
  /** A thread ends after this time, which gives its memory back to the system, unless few others are idle. */
  readonly idleMs: number;
  /** Number of idle threads that stay longer, how long, and the largest resident memory of the process with which they do. */
  readonly kept: { readonly threads: number; readonly ms: number; readonly maxBytes: number };
}

const IDLE_MS = 5000;
/**
 * A thread that has run a kernel before runs it in 1.2 to 1.8 times less time, and people take minutes between two steps. Few of them do most
 * of what a person waits for.
 */
const KEPT = {
  threads: 4,
  ms: 600_000,
  // A thread holds the memory of its last tasks. After those of a part of 36,000 facets the process has 110 to 190 MiB; after a day's
  // work of a shop it would have 600 instead of 230 MiB.
  maxBytes: 192 * 2 ** 20,
};

/** The threads of a pool: all run the same script, and use the libraries that one of them has compiled. */
export class ThreadSet {
  readonly #entry: URL;
  readonly #budget: MemoryBudget | undefined;
  readonly #events: ThreadEvents;
  readonly #limits: IdleLimits;
  readonly #threads = new Set<Thread>();
  readonly #libraries = newSharedLibraries();
  readonly #collectGarbage = newGarbageCollector();

  constructor(
    entry: URL,
    budget: MemoryBudget | undefined,
    events: ThreadEvents,
    { idleMs = IDLE_MS, kept = KEPT }: Partial<IdleLimits>,
  ) {
    [this.#entry, this.#budget, this.#events, this.#limits] = [entry, budget, events, { idleMs, kept }];
  }

  [Symbol.iterator](): IterableIterator<Thread> {
    return this.#threads.values();
  }

  /** The tasks that run now. */
  tasks(): RunningTask[] {
    return [...this.#threads].flatMap(({ task }) => task ?? []);
  }

  idle(): Thread[] {
    return [...this.#threads].filter(({ task }) => !task);
  }

  /** An idle thread, if possible one that has run the task before, or a new one. */
  idleOrNew(task: Task<never, unknown>): Thread {
    const idle = this.idle();
    return idle.find((thread) => thread.hasRun(task)) ?? idle[0] ?? this.#start();
  }

  /** Takes a thread out of the set, which does not end it. False if it was not in the set. */
  remove(thread: Thread): boolean {
    return this.#threads.delete(thread);
  }

  /** Calls `end` once the thread has been idle for its time. */
  waitIdle(thread: Thread, end: () => void): void {
    const { idleMs, kept } = this.#limits;
    if (!this.#threads.has(thread) || thread.task) return;
    thread.waitIdle(idleMs, () => {
      if (this.idle().length > kept.threads || process.memoryUsage.rss() > kept.maxBytes) end();
      else thread.waitIdle(kept.ms, end);
      // Of the answering thread, which holds the inputs and results of tasks.
      if (this.tasks().length === 0) this.#collectGarbage();
    });
  }

  /** Gives a library that a thread has compiled to the others. */
  share(library: SharedModule): void {
    this.#libraries.add(
      library,
      [...this.#threads].map(({ worker }) => worker),
    );
  }

  #start(): Thread {
    const usedSlots = new Set([...this.#threads].map(({ slot }) => slot));
    let slot = 0;
    while (usedSlots.has(slot)) slot++;
    const thread = new Thread(this.#entry, slot, this.#budget, this.#events);
    this.#libraries.giveTo(thread.worker);
    this.#threads.add(thread);
    return thread;
  }
}
