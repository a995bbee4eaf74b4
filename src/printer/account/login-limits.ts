import { operationFailed } from "../../core/api-error.ts";

/** Bounds how many logins wait, and how often somebody may guess: each guess takes the memory of a scrypt, or a request of a service. */
export interface LoginLimits {
  /**
   * Runs a login after those before it. Throws OPERATION_FAILED without running it where too many wait, where it would have to wait too long,
   * or where too many were refused lately.
   */
  run<T>(login: () => Promise<T>): Promise<T>;
}

/** Of people and their programs; more at once are guesses. */
const MAX_WAITING = 8;
/** The most that a login waits for those before it. */
const MAX_WAIT_MS = 30_000;
/** Refused logins in a minute, of which people make a few. */
const MAX_REFUSED = 10;
const WINDOW_MS = 60_000;

/** `inTurn` runs one change of the login after the other. `nowMs` is a monotonic clock. */
export function newLoginLimits(
  inTurn: <T>(change: () => Promise<T>) => Promise<T>,
  nowMs: () => number = () => performance.now(),
): LoginLimits {
  let waiting = 0;
  let refusedMs: readonly number[] = [];

  function requireFewRefused(): void {
    refusedMs = refusedMs.filter((atMs) => nowMs() - atMs < WINDOW_MS);
    if (refusedMs.length < MAX_REFUSED) return;
    const seconds = Math.ceil((refusedMs[0] + WINDOW_MS - nowMs()) / 1000);
    throw operationFailed(`${MAX_REFUSED} logins were refused within a minute: try again in ${seconds} s.`);
  }

  async function guess<T>(login: () => Promise<T>): Promise<T> {
    // Those before it may have been refused in the meantime.
    requireFewRefused();
    try {
      return await login();
    } catch (thrown) {
      refusedMs = [...refusedMs, nowMs()];
      throw thrown;
    }
  }

  /** Runs it in turn, unless that comes too late. */
  function inTimelyTurn<T>(login: () => Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(operationFailed(`Other logins took ${MAX_WAIT_MS / 1000} s: try again later.`));
    }, MAX_WAIT_MS);
    const mine = inTurn(async () => {
      clearTimeout(timer);
      return isLate ? late : guess(login);
    });
    return Promise.race([late, mine]);
  }

  return {
    async run(login) {
      requireFewRefused();
      if (waiting >= MAX_WAITING) throw operationFailed(`${MAX_WAITING} logins are waiting already: try again later.`);
      waiting++;
      try {
        return await inTimelyTurn(login);
      } finally {
        waiting--;
      }
    },
  };
}
