import { operationFailed } from "../../core/api-error.ts";

/**
 * Limits how many logins wait and how often passwords can be guessed: each guess takes the memory of a scrypt, or a request to a service.
 */
export interface LoginLimits {
  /**
   * Runs a login after earlier ones. Throws OPERATION_FAILED, without running it, where too many logins wait, where it would wait too long,
   * or where too many were refused lately.
   */
  run<T>(login: () => Promise<T>): Promise<T>;
}

/** Most waiting logins: people and their programs need fewer; more are guesses. */
const MAX_WAITING = 8;
/** The longest wait of a login for earlier ones. */
const MAX_WAIT_MS = 30_000;
/** Most refused logins per minute; people cause a few. */
const MAX_REFUSED = 10;
const WINDOW_MS = 60_000;

/** `inTurn` runs changes of the login one after the other. `nowMs` is a monotonic clock. */
export function newLoginLimits(
  inTurn: <T>(change: () => Promise<T>) => Promise<T>,
  nowMs: () => number = () => performance.now(),
): LoginLimits {
  let waiting = 0;
  const refusals = new Refusals(nowMs);

  async function guess<T>(login: () => Promise<T>): Promise<T> {
    // Earlier logins may have been refused in the meantime.
    refusals.requireFew();
    try {
      return await login();
    } catch (thrown) {
      refusals.add();
      throw thrown;
    }
  }

  /** Runs it in turn, unless its turn comes too late. */
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
      refusals.requireFew();
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

/** The times of refused logins. */
class Refusals {
  readonly #nowMs: () => number;
  #timesMs: readonly number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(): void {
    this.#timesMs = [...this.#timesMs, this.#nowMs()];
  }

  /** Throws OPERATION_FAILED where too many logins were refused within a minute. */
  requireFew(): void {
    const nowMs = this.#nowMs();
    this.#timesMs = this.#timesMs.filter((atMs) => nowMs - atMs < WINDOW_MS);
    const [oldestMs] = this.#timesMs;
    if (oldestMs === undefined || this.#timesMs.length < MAX_REFUSED) return;
    const seconds = Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1000);
    throw operationFailed(`${MAX_REFUSED} logins were refused within a minute: try again in ${seconds} s.`);
  }
}
