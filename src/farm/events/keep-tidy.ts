import type { EventLog } from "./event-log.ts";

/** How long events are kept: readers that were away for longer begin anew with a list of the jobs. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;

/** Removes events that are too old, now and each hour, until the returned function is called. */
export function keepTidy(log: EventLog): () => void {
  // A failure now is no harm: the next hour tries again.
  const tidy = (): void => void log.removeOld(KEEP_MS).catch(() => undefined);
  tidy();
  const timer = setInterval(tidy, EVERY_MS).unref();
  return () => clearInterval(timer);
}
