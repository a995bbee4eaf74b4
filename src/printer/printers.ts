import { setTimeout as sleep } from "node:timers/promises";
import type { Printer } from "./printer.ts";
import type { Protocol } from "./protocol.ts";

/** The printers of all protocols. */
export interface Printers {
  /** Those connected now. */
  list(): readonly Printer[];
  /** The connected printer with that serial name or IP address. */
  find(target: string): Printer | undefined;
  /**
   * {@link find}, for so long as `timeoutSeconds` when the printer may still announce itself. What `throwIfCancelled` throws
   * ends the waiting.
   */
  findWithin(target: string, timeoutSeconds: number, throwIfCancelled: () => void): Promise<Printer | undefined>;
  /** Gives printers `timeoutSeconds` to announce themselves; resolves at once where no protocol listens. */
  discover(timeoutSeconds: number, throwIfCancelled: () => void): Promise<void>;
}

/** Milliseconds between two looks for printers that came. */
const LOOK_EVERY_MS = 50;

export function newPrinters(protocols: readonly Protocol[]): Printers {
  const list = (): readonly Printer[] => protocols.flatMap((protocol) => protocol.connected());
  const find = (target: string): Printer | undefined =>
    list().find((printer) => printer.id === target || addressOf(printer) === target);
  // Where nobody can announce himself, waiting would only keep the client from its answer.
  const isListening = protocols.some(({ listens }) => listens);

  async function until(isFound: () => boolean, timeoutSeconds: number, throwIfCancelled: () => void): Promise<void> {
    if (!isListening) return;
    const end = performance.now() + timeoutSeconds * 1000;
    while (!isFound() && performance.now() < end) {
      await sleep(Math.min(LOOK_EVERY_MS, end - performance.now()));
      throwIfCancelled();
    }
  }

  return {
    list,
    find,
    async findWithin(target, timeoutSeconds, throwIfCancelled) {
      await until(() => find(target) !== undefined, timeoutSeconds, throwIfCancelled);
      return find(target);
    },
    discover: (timeoutSeconds, throwIfCancelled) => until(() => false, timeoutSeconds, throwIfCancelled),
  };
}

/** Undefined off the local network. */
const addressOf = (printer: Printer): string | undefined => printer.describe().ip_address || undefined;
