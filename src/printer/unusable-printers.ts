import type { EventLog } from "../core/event-log.ts";

/** A printer that was found, or was named at the start, and cannot be used. */
export interface UnusablePrinter {
  /** The name given at the start, else its own name, else its address. */
  readonly id: string;
  /** Model as the printer reports it; empty if it reports none. */
  readonly productName: string;
  readonly ipAddress?: string | undefined;
  /** The first of its names among the missing printers, if it was named at the start. */
  readonly missingAs?: string | undefined;
  /** The cause and the way out; without a full stop. */
  readonly reason: string;
}

/** A printer that was found by a search is listed this long after its last answer. */
const LISTED_MS = 600_000;
/** Most printers of one protocol that are remembered; no network has more. */
const MAX_PRINTERS = 256;

/** The printers of one protocol that answered and cannot be used. Each is logged once, until it can be used. */
export class UnusablePrinters {
  readonly #log: EventLog;
  readonly #nowMs: () => number;
  readonly #noted = new Map<string, { readonly printer: UnusablePrinter; readonly atMs: number }>();

  /** `nowMs` is a monotonic clock. */
  constructor(log: EventLog, nowMs: () => number = () => performance.now()) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /** Notes that a printer answered and why it cannot be used. `key` identifies the printer. */
  note(key: string, printer: UnusablePrinter): void {
    const isNew = !this.#noted.has(key);
    if (isNew && this.#noted.size >= MAX_PRINTERS) return;
    this.#noted.set(key, { printer, atMs: this.#nowMs() });
    if (!isNew) return;
    const { id, productName, ipAddress, reason } = printer;
    this.#log.write("printer unusable", {
      printer: id,
      product_name: productName || undefined,
      ip_address: ipAddress,
      reason,
    });
  }

  /** Notes that the printer can be used. */
  remove(key: string): void {
    this.#noted.delete(key);
  }

  /** Those that answered lately. */
  list(): UnusablePrinter[] {
    const sinceMs = this.#nowMs() - LISTED_MS;
    return [...this.#noted.values()].filter(({ atMs }) => atMs >= sinceMs).map(({ printer }) => printer);
  }
}
