import { setTimeout as sleep } from "node:timers/promises";
import { type EventLog, noLog } from "../core/event-log.ts";
import { CancelledError } from "../core/progress.ts";
import type { LocalAccount } from "./account/account.ts";
import type { KnownPrinter } from "./known-printers.ts";
import { type JobTarget, type PrintJob, type Protocol, isPrinter } from "./printer.ts";
import type { QueueConfig } from "./printers-file.ts";
import { odysseyProtocol } from "./odyssey/odyssey-protocol.ts";
import { prusaLinkProtocol } from "./prusalink/prusalink-protocol.ts";
import { sendJob } from "./send-job.ts";
import { sdcpProtocol } from "./sdcp/sdcp-protocol.ts";
import { type VirtualPrinterOptions, virtualProtocol } from "./virtual/virtual-printer.ts";

/** The printers and queues of all protocols. */
export interface Printers {
  /** The connected ones. */
  list(): readonly JobTarget[];
  /** The connected one with that id, address or other name. */
  find(target: string): JobTarget | undefined;
  /** {@link find}, looking for it in the network for up to `timeoutSeconds`. Throws `CancelledError` when the signal is aborted. */
  findWithin(target: string, timeoutSeconds: number, signal: AbortSignal): Promise<JobTarget | undefined>;
  /** Looks for printers in the network for `timeoutSeconds`; resolves at once where no protocol can. Throws as above. */
  discover(timeoutSeconds: number, signal: AbortSignal): Promise<void>;
  /** Gives the target the job: see {@link JobTarget.take}. The log tells what became of it. */
  send(target: JobTarget, job: PrintJob): Promise<void>;
  close(): Promise<void>;
}

/** Interval of looking whether the printer has been found. */
const POLL_INTERVAL_MS = 50;

export function newPrinters(protocols: readonly Protocol[], log: EventLog = noLog): Printers {
  const list = (): readonly JobTarget[] => protocols.flatMap((protocol) => protocol.connected());
  function find(target: string): JobTarget | undefined {
    const connected = list();
    return (
      connected.find(({ id }) => id === target) ??
      connected.find((one) => target !== "" && (one.otherNames.includes(target) || addressOf(one) === target))
    );
  }

  async function search(
    target: string | undefined,
    isFound: () => boolean,
    timeoutSeconds: number,
    cancelled: AbortSignal,
  ): Promise<void> {
    const end = performance.now() + timeoutSeconds * 1000;
    const isOver = (): boolean => isFound() || cancelled.aborted || performance.now() >= end;
    if (isOver()) return;
    const ended = new AbortController();
    // Where no printer can be found so, waiting would only delay the response.
    const searches = protocols.flatMap((protocol) => protocol.search?.(target, ended.signal) ?? []);
    if (searches.length === 0) return;
    while (!isOver()) await sleep(Math.min(POLL_INTERVAL_MS, end - performance.now()));
    ended.abort();
    await Promise.all(searches);
    if (cancelled.aborted) throw new CancelledError();
  }

  return {
    list,
    find,
    async findWithin(target, timeoutSeconds, cancelled) {
      await search(target, () => find(target) !== undefined, timeoutSeconds, cancelled);
      return find(target);
    },
    discover: (timeoutSeconds, cancelled) => search(undefined, () => false, timeoutSeconds, cancelled),
    send: (target, job) => (isPrinter(target) ? sendJob(target, job, log) : target.take(job)),
    async close() {
      await Promise.all(protocols.map((protocol) => protocol.close()));
    },
  };
}

/** Undefined for those that are not on the local network. */
const addressOf = (target: JobTarget): string | undefined => {
  const device = target.describe();
  return "ip_address" in device ? device.ip_address || undefined : undefined;
};

/** What the command line and the printers file say about printers. */
export interface PrinterOptions {
  readonly virtual?: VirtualPrinterOptions | undefined;
  readonly known: readonly KnownPrinter[];
  readonly queues?: readonly QueueConfig[];
  readonly accounts?: readonly LocalAccount[];
  /** See {@link networkInterfaces}. */
  readonly discoveryAddresses?: readonly string[] | undefined;
}

/** All protocols. A network protocol is a folder that implements {@link Protocol} and a line here; it logs the printers that come and go. */
export function openProtocols(
  { virtual, ...network }: PrinterOptions = { known: [] },
  log: EventLog = noLog,
): readonly Protocol[] {
  return [
    ...(virtual ? [virtualProtocol(virtual)] : []),
    sdcpProtocol({ ...network, log }),
    prusaLinkProtocol({ ...network, log }),
    odysseyProtocol({ ...network, log }),
  ];
}
