import type { LogDetails } from "../../core/event-log.ts";
import { CancelledError } from "../../core/progress.ts";
import type { JobTask, PrintJob, Printer } from "../printer.ts";
import { submitJob } from "../submit-job.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import type { QueueContext } from "./queue-context.ts";

/** Sends the held jobs of a queue. */
export interface HeldJobDispatcher {
  /**
   * Begins to send the job to the first of the printers that has not refused it lately, and returns that; does nothing where there is none.
   * `candidates` are the names of all printers that may print it, also of those that are busy or away.
   */
  dispatch(printers: readonly Printer[], job: HeldJob, candidates: readonly string[]): Printer | undefined;
  /** Whether a printer is being given the job. */
  isSending(jobId: string): boolean;
  /** Forgets the refusals of a job that was set aside, and that a printer may have it. */
  forgive(jobId: string): void;
  /** Resolves when nothing is being sent. */
  settled(): Promise<unknown>;
}

/** After so many refusals of one printer, in eight minutes, it is more than a passing trouble. */
const MAX_REFUSALS = 5;

interface Refusal {
  readonly printer: string;
  readonly atMs: number;
  /** With the name of the printer. */
  readonly reason: string;
}

/**
 * What happens to a job that its printer refuses: as long as nothing was begun that cannot be taken back, it stays in its place and is tried
 * again, at the same printer after half a minute, one, two and four; after its fifth refusal a printer is not asked again, and after those of
 * all that may print the job it is set aside. Where it is not known how far the printer came, it is set aside at once, so that nothing is printed twice.
 */
export function newHeldJobDispatcher(
  held: HeldJobs,
  { log, closing, fed, retryMs, uncleared }: Omit<QueueContext, "connected" | "machineTypeOf" | "held">,
): HeldJobDispatcher {
  const sending = new Map<string, Promise<void>>();
  /** Jobs that a printer has, or may have: whatever the disk says, this process does not send them again. */
  const given = new Set<string>();
  const refusals = new Map<string, readonly Refusal[]>();

  /** When the printer refused the job. */
  const refusalsBy = ({ id }: HeldJob, printer: string): number[] =>
    (refusals.get(id) ?? []).flatMap((one) => (one.printer === printer ? [one.atMs] : []));

  const hasGivenUp = (job: HeldJob, printer: string): boolean => refusalsBy(job, printer).length >= MAX_REFUSALS;

  function setAside(job: HeldJob, reason: string): void {
    held.update(job, { state: "set aside", reason });
    log.write("job set aside", { ...detailsOf(job), reason });
  }

  /** For a job that none of the candidates is asked to take any more. */
  function setAsideRefused(job: HeldJob, candidates: readonly string[]): void {
    given.add(job.id);
    const all = refusals.get(job.id) ?? [];
    const reasons = candidates.map((name) => all.findLast(({ printer }) => printer === name)!.reason);
    setAside(job, `Refused ${MAX_REFUSALS} times by ${reasons.join(" ")}`);
  }

  async function send(printer: Printer, job: HeldJob): Promise<void> {
    const commit = (fileName?: string): void => {
      throwIfAborted(closing);
      if (given.has(job.id)) return;
      const as = fileName === undefined ? "" : ` as ${JSON.stringify(fileName)}`;
      held.update(job, { state: "sending", reason: `It was being given to "${printer.id}"${as}.` });
      given.add(job.id);
    };
    const withdraw = (): void => {
      if (!given.has(job.id)) return;
      held.update(job, { state: "waiting", reason: undefined });
      given.delete(job.id);
    };
    try {
      await submitJob(printer, toPrintJob(held, job, { ...taskUntil(closing), commit, withdraw }), log, job.queue_id);
      given.add(job.id);
      if (job.print_now) uncleared.add(printer.id);
      held.remove(job);
      refusals.delete(job.id);
    } catch (thrown) {
      const reason = `"${printer.id}": ${(thrown as Error).message}`;
      if (given.has(job.id)) {
        uncleared.add(printer.id);
        return setAside(job, `${reason} Look at the printer before it is sent again.`);
      }
      if (closing.aborted) return;
      refusals.set(job.id, [...(refusals.get(job.id) ?? []), { printer: printer.id, atMs: performance.now(), reason }]);
    }
  }

  return {
    dispatch(printers, job, candidates) {
      if (job.state !== "waiting" || sending.has(job.id) || given.has(job.id) || closing.aborted) return undefined;
      const isRefused = candidates.every((name) => hasGivenUp(job, name));
      const printer = printers.find(({ id }) => {
        const times = refusalsBy(job, id);
        // Twice as long after each of them.
        const isDue = performance.now() - (times.at(-1) ?? -Infinity) >= retryMs * 2 ** (times.length - 1);
        return isDue && !hasGivenUp(job, id);
      });
      if (!printer && !isRefused) return undefined;
      if (printer) fed.add(printer.id);
      const work = (printer ? send(printer, job) : Promise.resolve().then(() => setAsideRefused(job, candidates)))
        // A disk that fails leaves the job as it was there: a restart finds it.
        .catch((thrown: Error) => log.write("job failed", { ...detailsOf(job), reason: thrown.message }))
        .finally(() => {
          if (printer) fed.delete(printer.id);
          sending.delete(job.id);
        });
      sending.set(job.id, work);
      return printer;
    },
    isSending: (jobId) => sending.has(jobId),
    forgive(jobId) {
      given.delete(jobId);
      refusals.delete(jobId);
    },
    settled: () => Promise.allSettled(sending.values()),
  };
}

const detailsOf = (job: HeldJob): LogDetails => ({ queue: job.queue_id, job_id: job.id, job_name: job.name });

const toPrintJob = (held: HeldJobs, job: HeldJob, task: JobTask): PrintJob => ({
  id: job.id,
  name: job.name,
  materialCode: job.material_code,
  machineType: job.machine_type,
  extension: job.extension,
  printNow: job.print_now,
  writeTo: (path, beforeRename) => held.writeTo(job, path, beforeRename),
  task,
});

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError();
}

/** A task whose progress nobody reads, until the signal ends it. */
function taskUntil(signal: AbortSignal): Omit<JobTask, "commit"> {
  const throwIfCancelled = (): void => throwIfAborted(signal);
  return { signal, throwIfCancelled, enterPhase() {}, report: throwIfCancelled };
}
