import type { StepRunner } from "./step-runner.ts";

/** A process is replaced after this many lists, or once it holds this much memory. */
const MAX_LISTS = 500;
const MAX_MEMORY_BYTES = 2 ** 30;

/** A process that is kept for many lists, which share its compiled kernels and its results for equal parts. */
export interface WarmRunner {
  /** Runs work with the process, which is started or replaced before where that is needed. */
  use<T>(work: (runner: StepRunner) => Promise<T>): Promise<T>;
  close(): void;
}

export function newWarmRunner(start: () => StepRunner): WarmRunner {
  let current: StepRunner | undefined;
  const isWorn = ({ given, memoryBytes, hasEnded }: StepRunner): boolean =>
    hasEnded || given >= MAX_LISTS || memoryBytes > MAX_MEMORY_BYTES;
  return {
    async use(work) {
      if (!current || isWorn(current)) current = start();
      const runner = current;
      try {
        return await work(runner);
      } finally {
        // Its other lists go on; the last one closes it.
        if (runner.running === 0 && isWorn(runner)) {
          runner.close();
          if (current === runner) current = undefined;
        }
      }
    },
    close: () => current?.close(),
  };
}
