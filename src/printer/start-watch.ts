/**
 * Tracks whether a printer may be printing what it was ordered to print: its state shows that late, or not at all while it does not answer.
 */
export interface StartWatch {
  /** Notes that the printer has accepted an order to print, or may have. */
  ordered(): void;
  /** Notes a state that the printer has just reported: whether it could begin a print. */
  saw(isFree: boolean): void;
  /** Whether a print may be running that the printer's state does not show. */
  mayPrint(): boolean;
}

/** The state, for display, of a printer that reports that it is free and may be printing. */
export const NOT_CERTAIN = "Was ordered to print; its state is not certain yet";

/**
 * After an order, a printer counts as busy until it has reported twice in a row that it is free. While no state has shown the print, these
 * two reports must be at least `apartMs` apart, since both may be older than the print. `nowMs` is a monotonic clock.
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
