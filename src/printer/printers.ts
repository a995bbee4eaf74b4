import { setTimeout as sleep } from "node:timers/promises";
import type { Printer, Protocol } from "./printer.ts";
import { type VirtualPrinterOptions, virtualProtocol } from "./virtual/virtual-printer.ts";

/** The printers of all protocols. */
export interface Printers {
  /** The connected printers. */
  list(): readonly Printer[];
  /** The connected printer with that serial name or IP address. */
  find(target: string): Printer | undefined;
  /** {@link find}, waiting up to `timeoutSeconds` for the printer to announce itself. What `throwIfCancelled` throws ends it. */
  findWithin(target: string, timeoutSeconds: number, throwIfCancelled: () => void): Promise<Printer | undefined>;
  /** Waits `timeoutSeconds` for printers to announce themselves; resolves at once where no protocol listens. */
  discover(timeoutSeconds: number, throwIfCancelled: () => void): Promise<void>;
}

/** Interval of looking for new printers. */
const POLL_INTERVAL_MS = 50;

export function newPrinters(protocols: readonly Protocol[]): Printers {
  const list = (): readonly Printer[] => protocols.flatMap((protocol) => protocol.connected());
  const find = (target: string): Printer | undefined =>
    list().find((printer) => printer.id === target || addressOf(printer) === target);
  // Where no printer can announce itself, waiting would only delay the response.
  const isListening = protocols.some(({ listens }) => listens);

  async function until(isFound: () => boolean, timeoutSeconds: number, throwIfCancelled: () => void): Promise<void> {
    if (!isListening) return;
    const end = performance.now() + timeoutSeconds * 1000;
    while (!isFound() && performance.now() < end) {
      await sleep(Math.min(POLL_INTERVAL_MS, end - performance.now()));
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

/** Undefined for printers that are not on the local network. */
const addressOf = (printer: Printer): string | undefined => printer.describe().ip_address || undefined;

/** All protocols. A network protocol is a file that implements {@link Protocol} and a line here. */
export const openProtocols = (virtual?: VirtualPrinterOptions): readonly Protocol[] =>
  virtual ? [virtualProtocol(virtual)] : [];
