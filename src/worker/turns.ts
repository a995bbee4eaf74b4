// Who gets a thread next. Lengths are not known before: a task begins as a short one, unless its input is large, and is long
// once its request has used LONG_MS. Long tasks share as many threads as there are cores, and short ones always find one more.

/** What shares turns: the id of a scene, or a request that names none. */
export type Owner = unknown;

/** A task with a thread, or the first waiting one of a request. */
export interface Turn {
  readonly owner: Owner;
  /** Time of threads that its request has used and the task will use at least, ms. */
  readonly expectedMs: number;
}

export interface WaitingTurn extends Turn {
  /** Time of threads that the owner has used since it last had nothing to do, ms. */
  readonly ownerMs: number;
  /** Rises with the arrival. */
  readonly id: number;
}

/** A task with a thread, and its turn if it had to wait again. */
export interface RunningTurn extends WaitingTurn {
  /** Whether it may end and run again later, from its beginning. */
  readonly isRepeatable: boolean;
}

export interface Threads {
  /** Most long tasks at once. */
  readonly size: number;
  /** Threads beside them, which only short tasks take. */
  readonly spare: number;
}

/** A request that has used this time is long: small parts are imported, drawn and checked in less, also by a cold thread on a busy machine. */
export const LONG_MS = 3000;
/** Owners take turns when one has used this much more time than the other. */
const OWNER_SLICE_MS = 100;
/** A short task that has used this time gives way to one that has not, and whose turn it is. */
export const QUICK_MS = 50;

export const isLong = ({ expectedMs }: Turn): boolean => expectedMs >= LONG_MS;

/** The waiting task that gets a thread next; undefined while all must wait. */
export function nextTurn<W extends WaitingTurn>(
  waiting: readonly W[],
  running: readonly Turn[],
  threads: Threads,
): W | undefined {
  const longWaiting = waiting.reduce((count, turn) => count + Number(isLong(turn)), 0);
  let first: W | undefined;
  for (const turn of waiting) {
    if (first !== undefined && compareTurns(first, turn) <= 0) continue;
    const canStart = isLong(turn)
      ? canStartLong(turn, running, threads)
      : canStartShort(turn, running, longWaiting, threads);
    if (canStart) first = turn;
  }
  return first;
}

/** Whether any task could start beside those that run: while none could, what waits need not be looked at. */
export function hasRoom(running: readonly Turn[], { size, spare }: Threads): boolean {
  const long = running.filter(isLong);
  const short = running.length - long.length;
  return running.length < size + spare || short < spare || new Set(long.map(({ owner }) => owner)).size < size;
}

/** Short tasks first, then those of the owner that has used least, then those of which least is expected. */
const compareTurns = (a: WaitingTurn, b: WaitingTurn): number =>
  Number(isLong(a)) - Number(isLong(b)) ||
  Math.floor(a.ownerMs / OWNER_SLICE_MS) - Math.floor(b.ownerMs / OWNER_SLICE_MS) ||
  (isLong(a) ? 0 : a.expectedMs - b.expectedMs) ||
  a.id - b.id;

const hasOwner = (running: readonly Turn[], owner: Owner): boolean => running.some((turn) => turn.owner === owner);

/** Long tasks run on `size` threads. Where one owner holds several, another gets a thread beside them. */
function canStartLong({ owner }: Turn, running: readonly Turn[], { size, spare }: Threads): boolean {
  const long = running.filter(isLong);
  if (long.length < size) return running.length < size + spare;
  return !hasOwner(running, owner) && new Set(long.map((turn) => turn.owner)).size < size;
}

/** Threads that long tasks could use are theirs. The last thread is for owners that have none. */
function canStartShort(
  { owner }: Turn,
  running: readonly Turn[],
  longWaiting: number,
  { size, spare }: Threads,
): boolean {
  const long = running.filter(isLong).length;
  const short = running.length - long;
  const claimed = Math.max(long, Math.min(size, long + longWaiting));
  if (short + claimed < size) return true;
  return !hasOwner(running, owner) && (short + claimed < size + spare || short < spare);
}

/** Whether a task that has become long may keep its thread, as it could have started there. */
export const mayStay = (turn: Turn, others: readonly Turn[], { size }: Threads): boolean =>
  canStartLong(turn, others, { size, spare: Number.POSITIVE_INFINITY });

/**
 * The short task that gives its thread to a quick one of another owner, which waits: the one that has used most of those whose thread the quick
 * one gets. Another that took it would have to give way at once, and each of them begins anew.
 */
export function turnToEnd<R extends RunningTurn>(
  waiting: readonly WaitingTurn[],
  running: readonly R[],
  threads: Threads,
): R | undefined {
  return running
    .filter((turn) => turn.isRepeatable && !isLong(turn) && !isQuick(turn))
    .toSorted((a, b) => b.expectedMs - a.expectedMs)
    .find((turn) => {
      const others = running.filter((other) => other !== turn);
      const next = nextTurn<WaitingTurn>([...waiting, turn], others, threads);
      return next !== undefined && isQuick(next) && next.owner !== turn.owner;
    });
}

const isQuick = ({ expectedMs }: Turn): boolean => expectedMs < QUICK_MS;
