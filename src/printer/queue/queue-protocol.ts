import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { claimFolder } from "../../core/claim-folder.ts";
import type { EventLog } from "../../core/event-log.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { heldFolderOf } from "../job-folder.ts";
import { type Plate, type Printer, type Protocol, type QueuedJob, isPrinter } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";
import { type EndedJob, type EndedJobs, openEndedJobs } from "./ended-jobs.ts";
import { type HeldJobs, listHeldJobs, openHeldJobs } from "./held-jobs.ts";
import { PrintQueue } from "./print-queue.ts";
import { openUnclearedPlatforms } from "./uncleared-platforms.ts";

/** What queues need apart from the printers file. */
export interface QueueOptions {
  readonly queues: readonly QueueConfig[];
  /** The folder of `--job-dir`; without it, queues hold no jobs. */
  readonly jobFolder: string | undefined;
  /** The protocols of their printers. */
  readonly protocols: readonly Protocol[];
  /** The machine type of a printer by its name, where the user has given it. */
  machineTypeOf(name: string): string | undefined;
  /** Queues are listed only while a user is logged in; held jobs are submitted regardless. */
  isLoggedIn(): boolean;
  /** Whether the ends of held jobs are noted until {@link Protocol.forgetPlate}. */
  readonly notesEnds?: boolean | undefined;
  readonly log: EventLog;
  /** How often the states of printers are checked while jobs are held, ms. */
  readonly pollMs?: number;
  /** How long a printer that refused a job is not asked again, ms. */
  readonly retryMs?: number;
}

const POLL_MS = 500;
/** Meanwhile another printer may accept the job, or a person may see to the printer. */
const RETRY_MS = 30_000;
/** How long a stopping server waits for printers to confirm jobs that they have received. */
const SETTLE_MS = 300;

/** The protocol of queues of printers. Throws OPERATION_FAILED where the folder of held jobs cannot be used. */
export function queueProtocol(options: QueueOptions): Protocol {
  const {
    queues: configs,
    jobFolder,
    protocols,
    machineTypeOf,
    isLoggedIn,
    notesEnds = false,
    log,
    pollMs = POLL_MS,
    retryMs = RETRY_MS,
  } = options;
  const heldFolder = jobFolder === undefined ? undefined : heldFolderOf(jobFolder);
  const folder = heldFolder === undefined ? undefined : openFolder(heldFolder, notesEnds, log);
  const held = folder?.held;
  const closing = new AbortController();
  const connected = (): ReadonlyMap<string, Printer> =>
    new Map(protocols.flatMap((protocol) => protocol.connected().filter(isPrinter)).map((one) => [one.id, one]));
  const context = {
    connected,
    machineTypeOf,
    held,
    log,
    closing: closing.signal,
    receiving: new Set<string>(),
    uncleared: openUnclearedPlatforms(heldFolder, (reason) => log.write("job held", { reason })),
    retryMs,
  };
  const queues = configs.map((config) => new PrintQueue(config, context));
  const timer = setInterval(() => {
    for (const queue of queues) queue.update();
  }, pollMs);
  // Held jobs must not keep a server alive that has stopped listening.
  timer.unref();
  return {
    connected: () => (isLoggedIn() ? queues : []),
    plates: () => [...queues.flatMap(heldPlates), ...(folder?.ended?.list() ?? []).map(endedPlate)],
    forgetPlate: (id) => folder?.ended?.forget(id),
    async close() {
      clearInterval(timer);
      closing.abort();
      await Promise.race([Promise.all(queues.map((queue) => queue.settled())), sleep(SETTLE_MS)]);
      folder?.release();
    },
  };
}

const PLATE_STATES = {
  WAITING_FOR_RELEASE: "held",
  WAITING_FOR_PRINTER: "released",
  SENDING: "sending",
  SET_ASIDE: "set-aside",
} as const satisfies Record<QueuedJob["state"], Plate["state"]>;

const heldPlates = (queue: PrintQueue): Plate[] =>
  queue.jobs().map(({ id, state, printNow }) => ({ id, queue: queue.id, state: PLATE_STATES[state], printNow }));

const endedPlate = ({ id, queue_id, print_now, end, printer }: EndedJob): Plate => ({
  id,
  queue: queue_id,
  state: end,
  printNow: print_now,
  printer,
});

/**
 * Reports jobs in the folder whose queues the printers file lacks, to the log and to the person who starts the server: otherwise nobody
 * would notice them.
 */
export function warnOfJobsWithoutQueue(
  jobFolder: string,
  queues: readonly { readonly id: string }[],
  log: EventLog,
): void {
  const folder = heldFolderOf(jobFolder);
  const jobs = listHeldJobs(folder).filter(({ queue_id }) => !queues.some(({ id }) => id === queue_id));
  if (jobs.length === 0) return;
  const names = jobs.map(({ name, queue_id }) => `${JSON.stringify(name)} of the queue ${queue_id}`).join(", ");
  const reason = `No queue of the printers file sends these jobs in ${JSON.stringify(folder)}: ${names}.`;
  log.write("job held", { reason });
  console.error(`printwright: ${reason} Name their queues in the file of --printers, or delete them.`);
}

interface HeldFolder {
  readonly held: HeldJobs;
  readonly ended: EndedJobs | undefined;
  /** Ends the claim, so that other processes can use the folder. */
  release(): void;
}

/**
 * Claims the folder, since two servers would print its jobs twice; logs the jobs that it holds; and sets those aside of which it is unknown
 * whether their printers have them.
 */
function openFolder(folder: string, notesEnds: boolean, log: EventLog): HeldFolder {
  makePrivate(folder);
  const release = claimFolder(folder);
  const ended = notesEnds ? openEndedJobs(folder) : undefined;
  const held = openHeldJobs(folder, (reason) => log.write("job set aside", { reason }), ended);
  for (const job of held.list()) {
    const details = { queue: job.queue_id, job_id: job.id, job_name: job.name };
    if (job.state === "sending") {
      const reason = `${job.reason ?? ""} The server ended then: look whether the printer has it.`.trim();
      held.update(job, { state: "set aside", reason });
      log.write("job set aside", { ...details, reason });
      continue;
    }
    log.write(job.state === "set aside" ? "job set aside" : "job held", { ...details, reason: job.reason });
  }
  return { held, ended, release };
}

/** Held jobs show what is printed for whom, which other users must not see. */
const OWNER_ONLY = 0o700;

/** Makes a folder that only its owner may enter, or restricts an existing one. The folder around it keeps its permissions. */
function makePrivate(folder: string): void {
  withFileErrors("write", folder, () => {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    // Windows has permissions of another kind.
    if (process.platform !== "win32") chmodSync(folder, OWNER_ONLY);
  });
}
