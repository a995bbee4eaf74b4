/** A clock, so that tests need not wait. */
export interface RequestClock {
  now(): number;
  later(work: () => void, waitMs: number): unknown;
}

const BROWSER_CLOCK: RequestClock = {
  now: () => performance.now(),
  later: (work, waitMs) => setTimeout(work, waitMs),
};

/** Sends requests that replace each other. */
export interface NewestRequests<Input> {
  send(input: Input): void;
  /** Forgets the request that waits, and drops the reply of the one that runs. */
  stop(): void;
}

/**
 * Sends one request at a time, at most one in `everyMs`. Of the inputs that come meanwhile only the newest is sent, and that always. `request` gets a
 * function that says whether its reply is still wanted; it must not fail.
 */
export function newestRequests<Input>(
  request: (input: Input, isWanted: () => boolean) => Promise<void>,
  everyMs: number,
  clock = BROWSER_CLOCK,
): NewestRequests<Input> {
  let waiting: { readonly input: Input } | undefined;
  let isRunning = false;
  let isPlanned = false;
  let lastAt = -Infinity;
  let generation = 0;

  const next = (): void => {
    if (!waiting || isRunning || isPlanned) return;
    const restMs = lastAt + everyMs - clock.now();
    if (restMs > 0) {
      isPlanned = true;
      clock.later(() => {
        isPlanned = false;
        next();
      }, restMs);
      return;
    }
    const { input } = waiting;
    const own = generation;
    [waiting, isRunning, lastAt] = [undefined, true, clock.now()];
    void request(input, () => own === generation).finally(() => {
      isRunning = false;
      next();
    });
  };
  return {
    send(input) {
      waiting = { input };
      next();
    },
    stop() {
      waiting = undefined;
      generation++;
    },
  };
}
