import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { claimFolder } from "../../core/claim-folder.ts";
import type { EventLog } from "../../core/event-log.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { heldFolderOf } from "../job-folder.ts";
import { type Printer, type Protocol, isPrinter } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";
import { type HeldJobs, listHeldJobs, openHeldJobs } from "./held-jobs.ts";
import { newPrintQueue } from "./print-queue.ts";
import { openUnclearedPlatforms } from "./uncleared-platforms.ts";

/** What the queues of the printers file need beside it. */
export interface QueueOptions {
  readonly queues: readonly QueueConfig[];
  /** The folder of `--job-dir`; without it, queues hold no jobs. */
  readonly jobFolder: string | undefined;
  /** The protocols of their printers. */
  readonly protocols: readonly Protocol[];
  /** The machine type of a printer by its name, where it was given. */
  machineTypeOf(name: string): string | undefined;
  /** Queues are shown to those who are logged in; held jobs go out regardless. */
  isLoggedIn(): boolean;
  readonly log: EventLog;
  /** How often printers are looked at while jobs are held. */
  readonly pollMs?: number;
  /** How long a printer that refused a job is not asked again. */
  readonly retryMs?: number;
}

const POLL_MS = 500;
/** Others may take the job meanwhile, or a person sees to the printer. */
const RETRY_MS = 30_000;
/** How long the server waits at its end for a printer that has all of a job to say so. */
const SETTLE_MS = 300;

/** Queues of printers, as targets of jobs. Throws OPERATION_FAILED where the folder of held jobs cannot be used. */
export function queueProtocol(options: QueueOptions): Protocol {
  const {
    queues: configs,
    jobFolder,
    protocols,
    machineTypeOf,
    isLoggedIn,
    log,
    pollMs = POLL_MS,
    retryMs = RETRY_MS,
  } = options;
  const heldFolder = jobFolder === undefined ? undefined : heldFolderOf(jobFolder);
  const folder = heldFolder === undefined ? undefined : openFolder(heldFolder, log);
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
    fed: new Set<string>(),
    uncleared: openUnclearedPlatforms(heldFolder, (reason) => log.write("job held", { reason })),
    retryMs,
  };
  const queues = configs.map((config) => newPrintQueue(config, context));
  const timer = setInterval(() => {
    for (const queue of queues) queue.look();
  }, pollMs);
  // Jobs that are held do not keep a server alive that has stopped listening.
  timer.unref();
  return {
    connected: () => (isLoggedIn() ? queues : []),
    async close() {
      clearInterval(timer);
      closing.abort();
      await Promise.race([Promise.all(queues.map((queue) => queue.settled())), sleep(SETTLE_MS)]);
      folder?.release();
    },
  };
}

/**
 * Tells the log, and whoever starts the server, of jobs in its folder whose queues the printers file does not have: nobody else would miss them.
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
  /** Lets other processes have it. */
  release(): void;
}

/**
 * Claims the folder, since two servers would print its jobs twice, tells the log which jobs it holds, and sets aside those of which nobody
 * knows whether their printers have them.
 */
function openFolder(folder: string, log: EventLog): HeldFolder {
  makePrivate(folder);
  const release = claimFolder(folder);
  const held = openHeldJobs(folder, (reason) => log.write("job set aside", { reason }));
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
  return { held, release };
}

/** What is printed when, and for whom, is nobody else's. */
const OWNER_ONLY = 0o700;

/** Makes a folder that its owner alone may enter, or makes one so. The folder around it is as others are. */
function makePrivate(folder: string): void {
  withFileErrors("write", folder, () => {
    mkdirSync(dirname(folder), { recursive: true });
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    // Windows has rights of another kind.
    if (process.platform !== "win32") chmodSync(folder, OWNER_ONLY);
  });
}
