import { setTimeout as sleep } from "node:timers/promises";
import { excerpt, notFound } from "../core/api-error.ts";
import { type EventLog, noLog } from "../core/event-log.ts";
import { parseId } from "../core/id.ts";
import { must } from "../core/must.ts";
import { CancelledError } from "../core/progress.ts";
import { type Session, accountProtocol } from "./account/session.ts";
import { removeStaleJobFolders, removeUnfinishedJobs } from "./job-folder.ts";
import type { KnownPrinter } from "./known-printers.ts";
import { type JobTarget, type Plate, type PrintJob, type Protocol, isPrinter } from "./printer.ts";
import type { QueueConfig } from "./printers-file.ts";
import { folderProtocol } from "./folder/folder-protocol.ts";
import { nanoDlpProtocol } from "./nanodlp/nanodlp-protocol.ts";
import { makerServerProtocol } from "./maker-server/maker-server-protocol.ts";
import { odysseyProtocol } from "./odyssey/odyssey-protocol.ts";
import { prusaLinkProtocol } from "./prusalink/prusalink-protocol.ts";
import { queueProtocol, warnOfJobsWithoutQueue } from "./queue/queue-protocol.ts";
import { type SentPrint, type SentPrints, newSentPrints } from "./sent-prints.ts";
import { submitJob } from "./submit-job.ts";
import { sdcpProtocol } from "./sdcp/sdcp-protocol.ts";
import type { UnusablePrinter } from "./unusable-printers.ts";
import { type VirtualPrinterOptions, virtualProtocol } from "./virtual/virtual-printer.ts";

type Report = (share: number) => void;

/** The printers and queues of all protocols. */
export interface Printers {
  /** The prints that this server has started and that run. */
  running(): readonly SentPrint[];
  /** The connected ones. */
  list(): readonly JobTarget[];
  /** See {@link Protocol.plates}. */
  plates(): readonly Plate[];
  /** See {@link Protocol.forgetPlate}. */
  forgetPlate(id: string): void;
  /** The connected target with that id, address or other name. Throws NOT_FOUND where several printers have that other name. */
  find(target: string): JobTarget | undefined;
  /** Why the printer of that name, which was named at the start, does not answer: a sentence without its subject and full stop. */
  whyMissing(target: string): string | undefined;
  /** The printers that answered and cannot be used, and those that were named at the start and do not answer. */
  unusable(): readonly UnusablePrinter[];
  /**
   * As {@link find}, but searches the network for up to `timeoutSeconds`. `report` is called with the share of that time that has passed.
   * Throws `CancelledError` too, when the signal is aborted.
   */
  findWithin(
    target: string,
    timeoutSeconds: number,
    signal: AbortSignal,
    report?: Report,
  ): Promise<JobTarget | undefined>;
  /** Searches the network for printers for `timeoutSeconds`; resolves at once where no protocol can search. Throws as above. */
  discover(timeoutSeconds: number, signal: AbortSignal, report?: Report): Promise<void>;
  /** Submits a job to the target: see {@link JobTarget.submit}. The log records what became of it. */
  submit(target: JobTarget, job: PrintJob): Promise<void>;
  close(): Promise<void>;
}

/** Interval at which the search checks whether the printer was found. */
const POLL_INTERVAL_MS = 50;

/** `sent` has the log of the protocols. */
export function newPrinters(protocols: readonly Protocol[], sent: SentPrints = newSentPrints(noLog)): Printers {
  // Where a protocol and an account list the same printer, that of the protocol counts, since it accepts jobs.
  const list = (): readonly JobTarget[] => {
    const seen = new Set<string>();
    const isNew = ({ id }: JobTarget): boolean => !seen.has(id) && seen.add(id) === seen;
    return protocols.flatMap((protocol) => protocol.connected()).filter(isNew);
  };
  function findAll(target: string): readonly JobTarget[] {
    const connected = list();
    const queueId = parseId(target);
    const byId = connected.find(({ id }) => id === target || id === queueId);
    if (byId) return [byId];
    return connected.filter((one) => target !== "" && (one.otherNames.includes(target) || addressOf(one) === target));
  }

  function find(target: string): JobTarget | undefined {
    const found = findAll(target);
    const printers = found.filter(isPrinter);
    if (printers.length < 2) return found[0];
    const ids = printers.map(({ id }) => JSON.stringify(id)).join(", ");
    throw notFound(`${printers.length} printers have the name "${excerpt(target)}": name one by its id, of ${ids}.`);
  }

  return {
    running: () => sent.running(list()),
    list,
    plates: () => protocols.flatMap((protocol) => protocol.plates?.() ?? []),
    forgetPlate(id) {
      for (const protocol of protocols) protocol.forgetPlate?.(id);
    },
    find,
    whyMissing: (target) =>
      protocols.flatMap((protocol) => protocol.missing?.() ?? []).find(({ names }) => names.includes(target))?.why,
    unusable() {
      const answered = protocols.flatMap((protocol) => protocol.unusable?.() ?? []);
      const known = new Set(answered.map(({ missingAs }) => missingAs));
      const missing = protocols
        .flatMap((protocol) => protocol.missing?.() ?? [])
        .filter(({ names }) => !known.has(names[0]));
      return [
        ...answered,
        ...missing.map(({ names, why }) => ({ id: must(names[0], "a name"), productName: "", reason: why })),
      ];
    },
    async findWithin(target, timeoutSeconds, cancelled, report) {
      const isFound = (): boolean => findAll(target).length > 0;
      await searchAll(protocols, target, isFound, timeoutSeconds, cancelled, report);
      return find(target);
    },
    discover: (timeoutSeconds, cancelled, report) =>
      searchAll(protocols, undefined, () => false, timeoutSeconds, cancelled, report),
    submit: (target, job) => (isPrinter(target) ? submitJob(target, job, sent.log) : target.submit(job)),
    async close() {
      await Promise.all(protocols.map((protocol) => protocol.close()));
    },
  };
}

/** Searches with all protocols until `isFound`, the time is over or `cancelled`. */
async function searchAll(
  protocols: readonly Protocol[],
  target: string | undefined,
  isFound: () => boolean,
  timeoutSeconds: number,
  cancelled: AbortSignal,
  report: Report = () => {},
): Promise<void> {
  const began = performance.now();
  const end = began + timeoutSeconds * 1000;
  // A target with an id of this form is a queue, which no search finds.
  const isQueueId = target !== undefined && parseId(target) !== undefined;
  const isOver = (): boolean => isQueueId || isFound() || cancelled.aborted || performance.now() >= end;
  if (isOver()) return;
  const ended = new AbortController();
  // Where no protocol can search, waiting would only delay the response.
  const searches = protocols.flatMap((protocol) => protocol.search?.(target, ended.signal) ?? []);
  if (searches.length === 0) return;
  try {
    while (!isOver()) {
      await sleep(Math.min(POLL_INTERVAL_MS, end - performance.now()));
      if (!cancelled.aborted) report((performance.now() - began) / (end - began));
    }
  } finally {
    ended.abort();
  }
  await Promise.all(searches);
  if (cancelled.aborted) throw new CancelledError();
}

/** Undefined for targets that are not on the local network. */
const addressOf = (target: JobTarget): string | undefined => {
  const device = target.describe();
  return "ip_address" in device ? device.ip_address || undefined : undefined;
};

/** The options of printers on the command line and in the printers file. */
export interface PrinterOptions {
  readonly virtual?: VirtualPrinterOptions | undefined;
  readonly known: readonly KnownPrinter[];
  readonly queues?: readonly QueueConfig[];
  /** The folder of jobs, in which queues hold theirs. */
  readonly jobFolder?: string | undefined;
  /** See `QueueOptions`. */
  readonly notesEnds?: boolean | undefined;
  /** See {@link networkInterfaces}. */
  readonly discoveryAddresses?: readonly string[] | undefined;
  /** The address of this machine from which printers of SDCP V1 may fetch jobs. */
  readonly v1Host?: string | undefined;
  /** See `FolderOptions`. */
  readonly mediumThread?: URL | undefined;
}

/**
 * Opens all protocols. A network protocol is a folder that implements {@link Protocol} and a line here; it logs the printers that connect
 * and disconnect.
 */
export function openProtocols(
  { virtual, queues = [], jobFolder, notesEnds, ...network }: PrinterOptions,
  session: Session,
  log: EventLog = noLog,
): readonly Protocol[] {
  void removeStaleJobFolders();
  if (jobFolder !== undefined) removeUnfinishedJobs(jobFolder);
  const protocols = [
    ...(virtual ? [virtualProtocol(virtual)] : []),
    sdcpProtocol({ ...network, log }),
    prusaLinkProtocol({ ...network, log }),
    odysseyProtocol({ ...network, log }),
    nanoDlpProtocol({ ...network, log }),
    folderProtocol({ ...network, log }),
    makerServerProtocol({ ...network, log }),
  ];
  const machineTypeOf = (name: string): string | undefined =>
    network.known.find((printer) => printer.name === name)?.machineType;
  const isLoggedIn = (): boolean => session.user() !== undefined;
  if (jobFolder !== undefined) warnOfJobsWithoutQueue(jobFolder, queues, log);
  const forQueues = { queues, jobFolder, protocols, machineTypeOf, isLoggedIn, notesEnds, log };
  return [...protocols, ...(queues.length > 0 ? [queueProtocol(forQueues)] : []), accountProtocol(session)];
}
