/** Whether a printer may print what it was ordered to print: its state shows that late, or not at all while it does not answer. */
export interface StartWatch {
  /** Notes that the printer has accepted an order to print, or may have. */
  ordered(): void;
  /** Notes a state that the printer told just now: whether it could begin a print. */
  saw(isFree: boolean): void;
  /** Whether a print may be going on that the printer's state does not show. */
  mayPrint(): boolean;
}

/**
 * After an order, a printer counts as busy until it told twice in a row that it is free. As long as no state has shown the print, these are at
 * least `apartMs` apart: both may be older than it. `nowMs` is a monotonic clock.
 */
export function newStartWatch(apartMs: number, nowMs: () => number = () => performance.now()): StartWatch {
  let isOrdered = false;
  let isShown = false;
  let freeSinceMs: number | undefined;
  return {
    ordered() {
      isOrdered = true;
      isShown = false;
      freeSinceMs = undefined;
    },
    saw(isFree) {
      if (!isFree) [isShown, freeSinceMs] = [true, undefined];
      else if (freeSinceMs === undefined) freeSinceMs = nowMs();
      else if (isShown || nowMs() - freeSinceMs >= apartMs) isOrdered = false;
    },
    mayPrint: () => isOrdered,
  };
}
