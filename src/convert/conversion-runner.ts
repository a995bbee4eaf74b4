import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { CancelledError } from "../core/progress.ts";
import type { CommandLine } from "./command-line.ts";
import { type ProgramEnd, runProgram } from "./run-program.ts";

/** Runs programs of the user in private folders, few at once, for all kinds of conversions. */
export interface ConversionRunner {
  /** Does work in a private folder, which is removed afterwards. Throws `CancelledError` where the runner is closed. */
  run<T>(signal: AbortSignal, work: (place: ConversionPlace) => Promise<T>): Promise<T>;
  /** Kills running programs, and resolves once nothing of them is left. */
  close(): Promise<void>;
}

/** Where a conversion takes place. */
export interface ConversionPlace {
  readonly folder: string;
  /** Runs a program in the folder, once it is its turn. Throws `CancelledError` once the signal is aborted or the runner closes. */
  runProgram(command: CommandLine, limits: ProgramLimits): Promise<ProgramEnd>;
}

export interface ProgramLimits {
  readonly timeoutMs: number;
  /** Most bytes of the files in its folder. */
  readonly maxBytes: number;
  /** Called with the share that is done, 0 to 1. */
  report(share: number): void;
}

/** A hung converter must not block the rest. */
const MIN_AT_ONCE = 2;
/** How long a stopping server waits for killed programs. */
const CLOSE_MS = 2000;
const FOLDER_USE = "convert";
/** After this time the progress is half: programs do not report theirs. */
const HALF_TIME_MS = 20_000;

/** `runAtOnce`: most programs that run at once, since they take cores and memory from the threads of the server. Further ones wait. */
export function newConversionRunner(runAtOnce = Math.max(MIN_AT_ONCE, availableParallelism() >> 1)): ConversionRunner {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const places = newSemaphore(runAtOnce);
  void removeStaleFolders(FOLDER_USE);

  async function runInFolder<T>(given: AbortSignal, work: (place: ConversionPlace) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([given, closing.signal]);
    // Requests that waited for others of their scene may start while the server stops.
    if (signal.aborted) throw new CancelledError();
    const folder = await makePrivateFolder(FOLDER_USE);
    try {
      return await work({
        folder,
        runProgram: (command, { timeoutMs, maxBytes, report }) =>
          places.use(signal, () =>
            runProgram(command, {
              folder,
              timeoutMs,
              maxBytes,
              signal,
              report: (elapsedMs) => report(elapsedMs / (elapsedMs + HALF_TIME_MS)),
            }),
          ),
      });
    } finally {
      await removeFolder(folder);
    }
  }

  return {
    run(signal, work) {
      const conversion = runInFolder(signal, work);
      running.add(conversion);
      const forget = (): void => void running.delete(conversion);
      conversion.then(forget, forget);
      return conversion;
    },
    async close() {
      closing.abort();
      await Promise.race([Promise.allSettled(running), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Lets a number of holders in at once, others in the order in which they came. */
interface Semaphore {
  /** Runs `work` once a place is free. Throws `CancelledError` where the signal is aborted before. */
  use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

function newSemaphore(places: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = places;

  async function acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new CancelledError();
    if (free > 0) return void free--;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(enter);
        reject(new CancelledError());
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function release(): void {
    const [next] = waiting;
    if (!next) return void free++;
    waiting.delete(next);
    next();
  }

  return {
    async use(signal, work) {
      await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
