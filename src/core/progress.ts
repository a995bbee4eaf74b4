/** Thrown in a kernel when its task is cancelled. It never reaches a client: whoever cancels answers the request. */
export class CancelledError extends Error {
  constructor() {
    super("The job was cancelled.");
    this.name = "CancelledError";
  }
}

/** Indices in a {@link TaskState}. */
const CANCEL = 0;
const PROGRESS = 1;
const PROGRESS_STEPS = 1_000_000;

/**
 * Progress reports and cancelling of a long kernel. Backed by two integers in shared memory, so that other threads see a report
 * and kernels see a cancel at once, without a message. Kernels call `report` about every 65,536 steps or once per slab.
 */
export interface Progress {
  /** Reports that `share` (0 to 1) of the work is done. Throws {@link CancelledError} when the task is cancelled. */
  report(share: number): void;
  /** The progress of a part of the work: its 0 to 1 is `from` to `to` here. */
  part(from: number, to: number): Progress;
  /** For work that has no share of the progress: reports nothing, but throws when the task is cancelled. */
  silent(): Progress;
}

/** Two shared integers: the cancel flag and the progress in millionths. */
export type TaskState = Int32Array;

export const newTaskState = (): TaskState => new Int32Array(new SharedArrayBuffer(8));

export const cancelTask = (state: TaskState): void => {
  Atomics.store(state, CANCEL, 1);
};

export const isCancelled = (state: TaskState): boolean => Atomics.load(state, CANCEL) === 1;

/** The progress last reported, 0 to 1. */
export const readProgress = (state: TaskState): number => Atomics.load(state, PROGRESS) / PROGRESS_STEPS;

/** The progress of a task from share `from` to share `to`. Reports that would lower it are ignored. */
export function taskProgress(state: TaskState, from = 0, to = 1): Progress {
  const silent: Progress = {
    report() {
      if (isCancelled(state)) throw new CancelledError();
    },
    part: () => silent,
    silent: () => silent,
  };
  return {
    report(share) {
      if (isCancelled(state)) throw new CancelledError();
      const done = Math.floor((from + (to - from) * Math.min(1, Math.max(0, share))) * PROGRESS_STEPS);
      if (done > Atomics.load(state, PROGRESS)) Atomics.store(state, PROGRESS, done);
    },
    part: (a, b) => taskProgress(state, from + (to - from) * a, from + (to - from) * b),
    silent: () => silent,
  };
}

/** Ignores reports and is never cancelled. */
export const noProgress: Progress = { report() {}, part: () => noProgress, silent: () => noProgress };
