// Decides which task gets a thread next. The time of a task is not known in advance: a task starts as short unless its input is large,
// and is long once its request has used LONG_MS. Long tasks share as many threads as there are cores; one more thread is for short
// tasks.

/** Time is divided fairly between owners: the id of a scene, or a request that names none. */
export type Owner = unknown;

/** A running task, or the first waiting task of a request. */
export interface ScheduledTask {
  readonly owner: Owner;
  /** Time of threads that its request has used, and at least that which the task will use, ms. */
  readonly expectedMs: number;
}

export interface WaitingTask extends ScheduledTask {
  /** Time of threads that the owner has used since it last had no task, ms. */
  readonly ownerMs: number;
  /** Increases in order of arrival. */
  readonly id: number;
}

/** A running task, with its priority if it had to wait again. */
export interface StartedTask extends WaitingTask {
  /** Whether the task can end and later run again from its beginning. */
  readonly isRepeatable: boolean;
  /** Time for which it has run: lost if it is preempted, ms. */
  readonly ranMs: number;
}

export interface Threads {
  /** Maximum number of long tasks at once. */
  readonly size: number;
  /** Number of additional threads, which only short tasks take; there are as many more for quick tasks. */
  readonly spare: number;
}

/**
 * A request that has used this time is long: importing, drawing or checking a small part takes less, even on a cold thread of a busy
 * machine.
 */
export const LONG_MS = 3000;
/** The used times of owners are compared in whole multiples of this; the owner with the lower multiple goes first. */
const OWNER_SLICE_MS = 100;
/** A task is quick until its request has used this time. A quick task can preempt a short one that is not quick. */
const QUICK_MS = 50;

export const isLong = ({ expectedMs }: ScheduledTask): boolean => expectedMs >= LONG_MS;

/** The waiting task that gets a thread next; undefined if all must wait. */
export function nextTask<W extends WaitingTask>(
  waiting: readonly W[],
  running: readonly ScheduledTask[],
  threads: Threads,
): W | undefined {
  const longWaiting = waiting.reduce((count, task) => count + Number(isLong(task)), 0);
  let first: W | undefined;
  for (const task of waiting) {
    if (first !== undefined && compareTasks(first, task) <= 0) continue;
    const canStart = isLong(task)
      ? canStartLong(task, running, threads)
      : canStartShort(task, running, longWaiting, threads);
    if (canStart) first = task;
  }
  return first;
}

/**
 * Number of `size` threads that other owners leave to an owner: those for which they have no task, and at least an equal share.
 * `taskCounts`: running and waiting tasks per owner that has any.
 */
export function threadsOf(owner: Owner, taskCounts: ReadonlyMap<Owner, number>, size: number): number {
  const others = [...taskCounts].filter(([other]) => other !== owner);
  const taken = others.reduce((sum, [, count]) => sum + count, 0);
  return Math.max(Math.ceil(size / (1 + others.length)), size - taken);
}

/**
 * Processor time that a thread takes to compile a kernel which it has not run before: 380 to 420 ms for slicing and hollowing. A new thread
 * pays off if it gets more work than that.
 */
const NEW_THREAD_WORK_MS = 500;

/** The number of threads on which work of `workMs` should run, if `warm` threads cost nothing. */
export const threadsWorth = (workMs: number, warm: number): number =>
  Math.max(1, warm, Math.ceil(workMs / NEW_THREAD_WORK_MS));

/** False if no task can start now; lets the caller skip scanning the queue. */
export function canStartAny(running: readonly ScheduledTask[], { size, spare }: Threads): boolean {
  const long = running.filter(isLong);
  const short = running.length - long.length;
  return running.length < size + 2 * spare || short < spare || new Set(long.map(({ owner }) => owner)).size < size;
}

/** Short tasks first, then those of the owner that has used the least time, then those with the least expected time. */
const compareTasks = (a: WaitingTask, b: WaitingTask): number =>
  Number(isLong(a)) - Number(isLong(b)) ||
  Math.floor(a.ownerMs / OWNER_SLICE_MS) - Math.floor(b.ownerMs / OWNER_SLICE_MS) ||
  (isLong(a) ? 0 : a.expectedMs - b.expectedMs) ||
  a.id - b.id;

const hasOwner = (running: readonly ScheduledTask[], owner: Owner): boolean =>
  running.some((task) => task.owner === owner);

/** Long tasks run on `size` threads. If one owner has several long tasks, another owner gets one additional thread. */
function canStartLong({ owner }: ScheduledTask, running: readonly ScheduledTask[], { size, spare }: Threads): boolean {
  const long = running.filter(isLong);
  if (long.length < size) return running.length < size + spare;
  return !hasOwner(running, owner) && new Set(long.map((task) => task.owner)).size < size;
}

/**
 * Short tasks leave to long tasks the threads that long tasks can use. The last thread is for owners that have no other short task: the
 * chunks of a long request are always waiting, and a picture of its scene must not wait for the last of them. Beyond it, one quick task
 * runs beside the others, which takes less than to repeat a task that was preempted for it.
 */
function canStartShort(
  task: ScheduledTask,
  running: readonly ScheduledTask[],
  longWaiting: number,
  { size, spare }: Threads,
): boolean {
  const { owner } = task;
  const long = running.filter(isLong).length;
  const short = running.length - long;
  const claimed = Math.max(long, Math.min(size, long + longWaiting));
  if (short + claimed < size) return true;
  if (running.some((other) => other.owner === owner && !isLong(other))) return false;
  if (short + claimed < size + spare || short < spare) return true;
  return isQuick(task) && !running.some(isQuick) && running.length < size + 2 * spare;
}

/** Whether a task that has become long may keep its thread: it may if a long task could start. */
export const mayContinue = (task: ScheduledTask, others: readonly ScheduledTask[], { size }: Threads): boolean =>
  canStartLong(task, others, { size, spare: Number.POSITIVE_INFINITY });

/**
 * The short task to preempt for a waiting quick task of another owner, among those whose thread the quick task would get: if another task
 * got the thread, it would be preempted at once, and both would start anew. Requests that have used more time come first, and of the
 * chunks of a request the one that has run for the least time, whose loss is the smallest.
 */
export function taskToPreempt<R extends StartedTask>(
  waiting: readonly WaitingTask[],
  running: readonly R[],
  threads: Threads,
): R | undefined {
  const usedBefore = ({ expectedMs, ranMs }: StartedTask): number => expectedMs - ranMs;
  return running
    .filter((task) => task.isRepeatable && !isLong(task) && !isQuick(task))
    .toSorted((a, b) => usedBefore(b) - usedBefore(a) || a.ranMs - b.ranMs)
    .find((task) => {
      const others = running.filter((other) => other !== task);
      const next = nextTask<WaitingTask>([...waiting, task], others, threads);
      return next !== undefined && isQuick(next) && next.owner !== task.owner;
    });
}

export const isQuick = ({ expectedMs }: ScheduledTask): boolean => expectedMs < QUICK_MS;
