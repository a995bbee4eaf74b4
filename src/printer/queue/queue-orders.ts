import { type ApiError, excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import type { JobAction, Printer } from "../printer.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import type { HeldJobDispatcher } from "./held-job-dispatcher.ts";
import type { UnclearedPlatforms } from "./uncleared-platforms.ts";

/** The parts of a queue that actions of people need. */
export interface OrderedQueue {
  readonly name: string;
  /** The names of its printers. */
  readonly members: readonly string[];
  readonly isPaused: boolean;
  readonly startsByItself: boolean;
  readonly held: HeldJobs;
  readonly dispatcher: HeldJobDispatcher;
  readonly uncleared: UnclearedPlatforms;
  /** The jobs of this queue, in their order. */
  jobs(): readonly HeldJob[];
  /** The ready printers that can print the job. */
  readyFor(job: HeldJob): readonly Printer[];
  /** Whether a printer may be able to print the job. */
  mayPrint(printer: string, job: HeldJob): boolean;
}

/** Implements `JobQueue.order`, and returns the job as it was before. */
export function orderJob(queue: OrderedQueue, jobId: string, action: JobAction, printer?: string): HeldJob {
  const job = queue.jobs().find(({ id }) => id === jobId);
  if (!job)
    throw notFound(`The queue "${queue.name}" holds no job with the id ${excerpt(jobId)}: list all with queue/list.`);
  if (queue.dispatcher.isSubmitting(job.id) || job.state === "sending")
    throw operationFailed(
      `The job ${JSON.stringify(job.name)} is being given to a printer: wait until that is done, and look at queue/list again.`,
    );
  ORDERS[action](queue, job, printer);
  return job;
}

type Order = (queue: OrderedQueue, job: HeldJob, printer: string | undefined) => void;

const ORDERS: Readonly<Record<JobAction, Order>> = {
  RELEASE: release,
  CANCEL: ({ held }, job) => held.remove(job, { end: "cancelled" }),
  FIRST({ held, jobs }, job) {
    const [first] = jobs();
    if (first && first.id !== job.id) held.update(job, { sequence: first.sequence - 1 });
  },
  RETRY({ held, dispatcher }, job) {
    if (job.state !== "set aside")
      throw operationFailed(
        `The job ${JSON.stringify(job.name)} was not set aside: RETRY is for those that were; it goes out in its turn.`,
      );
    // A platform that a person cleared before the last attempt may be occupied now.
    held.update(job, { state: "waiting", reason: undefined, released: undefined });
    dispatcher.forgive(job.id);
  },
};

function release(queue: OrderedQueue, job: HeldJob, printer: string | undefined): void {
  const label = JSON.stringify(job.name);
  if (job.state !== "waiting")
    throw operationFailed(`The job ${label} was set aside: have it sent again with RETRY first.`);
  if (queue.isPaused)
    throw operationFailed(
      `The queue "${queue.name}" is paused: set "paused" to false in the file of --printers and start the server again.`,
    );
  const ready = queue.readyFor(job).map(({ id }) => id);
  const released = printer === undefined ? ready : ready.filter((id) => id === printer);
  if (released.length === 0) {
    if (printer !== undefined) throw notReleasable(queue, job, printer);
    // A job that starts without a person, or that is not started, needs no printer that is ready now.
    if (queue.startsByItself || !job.print_now) return;
    throw operationFailed(
      `No printer of the queue "${queue.name}" is ready for the job ${label}: release it once one is, and its platform is clear.`,
    );
  }
  queue.uncleared.clear(released);
  queue.held.update(job, { released });
}

/** Why a job cannot be released to a printer that is not among the ready ones. */
function notReleasable({ name, members, mayPrint }: OrderedQueue, job: HeldJob, printer: string): ApiError {
  const [label, which] = [JSON.stringify(job.name), `The printer "${excerpt(printer)}"`];
  if (!members.includes(printer))
    return notFound(
      `${which} is not in the queue "${name}": give one of ${members.map((one) => `"${one}"`).join(", ")}.`,
    );
  if (!mayPrint(printer, job))
    return operationFailed(`${which} prints no jobs for ${job.machine_type}, as ${label} is: choose another printer.`);
  return operationFailed(
    `${which} is not ready for the job ${label}: release it once it is, and its platform is clear.`,
  );
}
