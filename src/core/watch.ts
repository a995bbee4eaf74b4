/** Thrown inside a kernel when its job was cancelled. Never reaches a client: the canceller tells its own fault. */
export class Cancelled extends Error {
  constructor() {
    super("The job was cancelled.");
    this.name = "Cancelled";
  }
}

const CANCEL = 0;
const PROGRESS = 1;
const PROGRESS_STEPS = 1_000_000;

/**
 * How a long kernel tells how far it is and learns that it should stop. Backed by two shared integers, so both sides
 * see it at once across threads without a message. Kernels call `report` about every 65,536 steps or once per slab.
 */
export interface Watch {
  /** Tells that `share` (0 to 1) of this watch's work is done, and throws {@link Cancelled} when the job was cancelled. */
  report(share: number): void;
  /** A watch over the part of the work from share `from` to share `to`. */
  part(from: number, to: number): Watch;
}

/** Two shared integers: the cancel flag and the progress in millionths. */
export type JobState = Int32Array;

export const newJobState = (): JobState => new Int32Array(new SharedArrayBuffer(8));

export const cancelJob = (state: JobState): void => {
  Atomics.store(state, CANCEL, 1);
};

export const isCancelled = (state: JobState): boolean => Atomics.load(state, CANCEL) === 1;

/** Progress from 0 to 1 as last reported. */
export const progressOf = (state: JobState): number => Atomics.load(state, PROGRESS) / PROGRESS_STEPS;

export function watchJob(state: JobState, from = 0, to = 1): Watch {
  return {
    report(share) {
      if (isCancelled(state)) throw new Cancelled();
      const done = Math.floor((from + (to - from) * Math.min(1, Math.max(0, share))) * PROGRESS_STEPS);
      if (done > Atomics.load(state, PROGRESS)) Atomics.store(state, PROGRESS, done);
    },
    part: (a, b) => watchJob(state, from + (to - from) * a, from + (to - from) * b),
  };
}

/** For callers with nobody to tell: never cancels. */
export const unwatched: Watch = { report() {}, part: () => unwatched };
