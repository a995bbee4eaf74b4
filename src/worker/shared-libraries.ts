import type { Worker } from "node:worker_threads";
import type { AssetName } from "../core/asset.ts";
import type { SharedModule } from "../wasm/library.ts";
import type { ThreadMessage } from "./thread-messages.ts";

/** The libraries in WebAssembly that threads have compiled, for all threads of a pool. */
export interface SharedLibraries {
  /** Keeps a library that a thread has compiled, and gives it to all of `workers`. */
  add(library: SharedModule, workers: readonly Worker[]): void;
  /** Gives a new thread what is kept. */
  giveTo(worker: Worker): void;
}

/**
 * Libraries are kept so long after a thread was last started with them: their code saves people who import file after file two
 * to four seconds of processor time each, and takes memory that a server at rest does not need.
 */
const KEPT_MS = 120_000;

/**
 * Keeps what threads compile: rewriting and compiling a CAD library takes half a second of each thread, and the code that the
 * runtime makes of it while it runs, several seconds, belongs to the compiled library and not to a thread.
 */
export function newSharedLibraries(keptMs = KEPT_MS): SharedLibraries {
  const kept = new Map<AssetName, SharedModule>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keepOn(): void {
    clearTimeout(timer);
    timer = setTimeout(() => kept.clear(), keptMs).unref();
  }

  return {
    add(library, workers) {
      // Two threads may have begun at once: both go on with their own.
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
