import type { Worker } from "node:worker_threads";
import type { SharedModule } from "../wasm/shared-modules.ts";
import type { ThreadMessage } from "./thread-messages.ts";

/** WebAssembly libraries that the threads of a pool have compiled. */
export interface SharedLibraries {
  /** Keeps a library that a thread has compiled, and sends it to all of `workers`. */
  add(library: SharedModule, workers: readonly Worker[]): void;
  /** Sends all kept libraries to a new thread. */
  giveTo(worker: Worker): void;
}

/**
 * How long libraries are kept after a thread last received them: for users who import several files in a row they save two to four
 * seconds of processor time per file, and an idle server does not need their memory.
 */
const KEPT_MS = 600_000;

/**
 * Keeps what threads compile: rewriting and compiling a CAD library takes half a second per thread, and the machine code that the
 * runtime generates while it runs (several seconds) belongs to the compiled library, not to a thread.
 */
export function newSharedLibraries(keptMs = KEPT_MS): SharedLibraries {
  const kept = new Map<string, SharedModule>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keepOn(): void {
    clearTimeout(timer);
    timer = setTimeout(() => kept.clear(), keptMs).unref();
  }

  return {
    add(library, workers) {
      // Two threads may have compiled it at the same time: each uses its own.
      if (kept.has(library.name)) return;
      kept.set(library.name, library);
      keepOn();
      for (const worker of workers) worker.postMessage({ library } satisfies ThreadMessage);
    },
    giveTo(worker) {
      if (kept.size === 0) return;
      keepOn();
      for (const library of kept.values()) worker.postMessage({ library } satisfies ThreadMessage);
    },
  };
}
