/** Thrown in a kernel when its task is cancelled. It never reaches a client: the code that cancels a request answers it. */
export class CancelledError extends Error {
  constructor() {
    super("The job was cancelled.");
    this.name = "CancelledError";
  }
}

/** Indices in a {@link TaskState}. */
const END = 0;
const PROGRESS = 1;
const PHASE_FROM = 2;
const PHASE_TO = 3;
const PROGRESS_STEPS = 1_000_000;

/** How a request ends. The first of a cancel and a commit decides it. */
const UNDECIDED = 0;
const CANCELLED = 1;
const COMMITTED = 2;

/** Simple steps between two reports of a kernel: about a millisecond of work. */
export const STEPS_PER_REPORT = 65_536;

/**
 * Progress reports and cancelling of a long kernel. Backed by integers in shared memory, so that other threads see a report, and kernels
 * see a cancel, at once and without a message. Kernels call `report` about every 65,536 steps or once per slab.
 */
export interface Progress {
  /**
   * Reports that `share` (0 to 1) of the work is done. Throws {@link CancelledError} when the task is cancelled. `steps` is the approximate
   * number of steps since the last report, where that is not about {@link STEPS_PER_REPORT}: implementations that limit the work count
   * them.
   */
  report(share: number, steps?: number): void;
  /** The progress of a part of the work: its 0 to 1 maps to `from` to `to` of this one. */
  part(from: number, to: number): Progress;
  /** For work that does not count in the progress: reports nothing, but throws when the task is cancelled. */
  silent(): Progress;
}

/** The progress of a whole task. */
export interface TaskProgress extends Progress {
  /**
   * Called before the result becomes visible outside, for example as a file. Throws like `report`; after it returns, nothing cancels the
   * request.
   */
  commit(): void;
}

/** Shared integers of a request: how it ends, its progress, and the phase that reports refer to, in millionths. */
export type TaskState = Int32Array;

/** A shared integer of one task: 1 once its thread is needed for another task. */
export type YieldFlag = Int32Array;

export function newTaskState(): TaskState {
  const state = new Int32Array(new SharedArrayBuffer(16));
  enterPhase(state, 0, 1);
  return state;
}

/** From now on, reports of the request's tasks refer to its part from share `from` to share `to`. */
export function enterPhase(state: TaskState, from: number, to: number): void {
  Atomics.store(state, PHASE_FROM, Math.floor(from * PROGRESS_STEPS));
  Atomics.store(state, PHASE_TO, Math.floor(to * PROGRESS_STEPS));
}

/** Returns false if the request has already committed: then it succeeds. */
export const cancelTask = (state: TaskState): boolean =>
  Atomics.compareExchange(state, END, UNDECIDED, CANCELLED) !== COMMITTED;

export const isCancelled = (state: TaskState): boolean => Atomics.load(state, END) === CANCELLED;

export const isCommitted = (state: TaskState): boolean => Atomics.load(state, END) === COMMITTED;

export function throwIfCancelled(state: TaskState): void {
  if (isCancelled(state)) throw new CancelledError();
}

/** Commits the request, so that nothing can cancel it any more. Throws {@link CancelledError} where it was cancelled before. */
export function commitTask(state: TaskState): void {
  if (Atomics.compareExchange(state, END, UNDECIDED, COMMITTED) === CANCELLED) throw new CancelledError();
}

export const newYieldFlag = (): YieldFlag => new Int32Array(new SharedArrayBuffer(4));

/** Makes the task throw {@link CancelledError} at its next report; the caller runs it again later. */
export const askToYield = (flag: YieldFlag): void => {
  Atomics.store(flag, 0, 1);
};

/** The progress last reported, 0 to 1. */
export const readProgress = (state: TaskState): number => Atomics.load(state, PROGRESS) / PROGRESS_STEPS;

/** Raises the progress to `done`, in millionths, unless it is higher. Several threads report at once: a store could lower what another one has stored. */
function raiseProgress(state: TaskState, done: number): void {
  for (let seen = Atomics.load(state, PROGRESS); done > seen;) {
    const before = Atomics.compareExchange(state, PROGRESS, seen, done);
    if (before === seen) return;
    seen = before;
  }
}

/** The progress of a task that covers share `from` to share `to` of the current phase. Reports that would lower it are ignored. */
export function taskProgress(state: TaskState, from = 0, to = 1, yieldFlag?: YieldFlag): TaskProgress {
  const poll = (): void => {
    throwIfCancelled(state);
    if (yieldFlag && Atomics.load(yieldFlag, 0) === 1) throw new CancelledError();
  };
  const silent: Progress = { report: poll, part: () => silent, silent: () => silent };
  return {
    report(share) {
      poll();
      const ofPhase = from + (to - from) * Math.min(1, Math.max(0, share));
      const [start, end] = [Atomics.load(state, PHASE_FROM), Atomics.load(state, PHASE_TO)];
      const done = start + Math.floor(ofPhase * (end - start));
      raiseProgress(state, done);
    },
    part: (a, b) => taskProgress(state, from + (to - from) * a, from + (to - from) * b, yieldFlag),
    silent: () => silent,
    commit() {
      poll();
      commitTask(state);
    },
  };
}

/** Ignores reports and is never cancelled. */
export const noProgress: TaskProgress = { report() {}, part: () => noProgress, silent: () => noProgress, commit() {} };
