import type { LogDetails } from "../../core/event-log.ts";
import { CancelledError } from "../../core/progress.ts";
import type { JobTask, PrintJob, Printer } from "../printer.ts";
import { submitJob } from "../submit-job.ts";
import type { HeldJob, HeldJobs } from "./held-jobs.ts";
import type { QueueContext } from "./queue-context.ts";
import { notingPrint } from "./uncleared-platforms.ts";

/** Most refusals by one printer. These take eight minutes, so the cause is not a passing one. */
const MAX_REFUSALS = 5;

type DispatchContext = Pick<QueueContext, "log" | "closing" | "receiving" | "retryMs" | "uncleared">;

interface Refusal {
  readonly printer: string;
  readonly atMs: number;
  /** With the name of the printer. */
  readonly reason: string;
}

/**
 * Submits the held jobs of a queue. A job that its printer refuses stays in its place as long as no irreversible step was taken, and is submitted
 * again to the same printer after half a minute, one, two and four. After its fifth refusal a printer is not asked again, and after those of all
 * printers that may print the job it is set aside. Where it is unknown how far a printer came, the job is set aside at once, so that nothing is
 * printed twice.
 */
export class HeldJobDispatcher {
  readonly #held: HeldJobs;
  readonly #context: DispatchContext;
  readonly #submissions = new Map<string, Promise<void>>();
  /** Ids of the jobs that a printer has, or may have: this process does not submit them again, whatever their files say. */
  readonly #transferred = new Set<string>();
  readonly #refusals = new Map<string, readonly Refusal[]>();

  constructor(held: HeldJobs, context: DispatchContext) {
    this.#held = held;
    this.#context = context;
  }

  /**
   * Begins to submit the job to the first of the printers that has not refused it lately, and returns that printer; undefined where there is none.
   * `candidates` are the names of all printers that may print it, also of those that are busy or not connected.
   */
  dispatch(printers: readonly Printer[], job: HeldJob, candidates: readonly string[]): Printer | undefined {
    const { closing, receiving, log } = this.#context;
    const isUnderWay = this.isSubmitting(job.id) || this.#transferred.has(job.id);
    if (job.state !== "waiting" || isUnderWay || closing.aborted) return undefined;
    const printer = printers.find(({ id }) => this.#mayAsk(job, id));
    if (!printer && !candidates.every((name) => this.#hasGivenUp(job, name))) return undefined;
    if (printer) receiving.add(printer.id);
    const submission = (printer ? this.#submit(printer, job) : this.#setAsideRefused(job, candidates))
      // Where the disk fails, the file of the job is unchanged, and a restart reads it.
      .catch((thrown: Error) => log.write("job failed", { ...detailsOf(job), reason: thrown.message }))
      .finally(() => {
        if (printer) receiving.delete(printer.id);
        this.#submissions.delete(job.id);
      });
    this.#submissions.set(job.id, submission);
    return printer;
  }

  /** Whether the job is being submitted to a printer. */
  isSubmitting(jobId: string): boolean {
    return this.#submissions.has(jobId);
  }

  /** Why a printer refused the job last, with the name of the printer; undefined where none did. */
  lastRefusal(jobId: string): string | undefined {
    return this.#refusals.get(jobId)?.at(-1)?.reason;
  }

  /** Forgets the refusals of a job that was set aside, and that a printer may have it. */
  forgive(jobId: string): void {
    this.#transferred.delete(jobId);
    this.#refusals.delete(jobId);
  }

  /** Resolves when no job is being submitted. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#submissions.values());
  }

  /** The times at which the printer refused the job. */
  #refusalsBy({ id }: HeldJob, printer: string): number[] {
    return (this.#refusals.get(id) ?? []).flatMap((one) => (one.printer === printer ? [one.atMs] : []));
  }

  #hasGivenUp(job: HeldJob, printer: string): boolean {
    return this.#refusalsBy(job, printer).length >= MAX_REFUSALS;
  }

  /** Whether the printer may be asked now: the wait doubles with each refusal. */
  #mayAsk(job: HeldJob, printer: string): boolean {
    const times = this.#refusalsBy(job, printer);
    const waitMs = this.#context.retryMs * 2 ** (times.length - 1);
    return performance.now() - (times.at(-1) ?? -Infinity) >= waitMs && !this.#hasGivenUp(job, printer);
  }

  async #submit(printer: Printer, job: HeldJob): Promise<void> {
    const { log, closing, uncleared } = this.#context;
    try {
      const printJob = toPrintJob(this.#held, job, this.#taskFor(printer, job));
      await submitJob(printer, notingPrint(printJob, printer.id, uncleared), log, job.queue_id);
      this.#transferred.add(job.id);
      this.#held.remove(job, { end: "sent", printer: printer.id });
      this.#refusals.delete(job.id);
    } catch (thrown) {
      const reason = `"${printer.id}": ${(thrown as Error).message}`;
      if (this.#transferred.has(job.id)) this.#setAside(job, `${reason} Look at the printer before it is sent again.`);
      else if (!closing.aborted) this.#noteRefusal(job, { printer: printer.id, atMs: performance.now(), reason });
    }
  }

  /** The task of a submission, which records in the file of the job when the printer may have it. */
  #taskFor(printer: Printer, job: HeldJob): JobTask {
    const { closing } = this.#context;
    return {
      ...taskUntil(closing),
      commit: (fileName) => {
        throwIfAborted(closing);
        if (this.#transferred.has(job.id)) return;
        const as = fileName === undefined ? "" : ` as ${JSON.stringify(fileName)}`;
        this.#held.update(job, { state: "sending", reason: `It was being given to "${printer.id}"${as}.` });
        this.#transferred.add(job.id);
      },
      withdraw: () => {
        if (!this.#transferred.has(job.id)) return;
        this.#held.update(job, { state: "waiting", reason: undefined });
        this.#transferred.delete(job.id);
      },
    };
  }

  #noteRefusal({ id }: HeldJob, refusal: Refusal): void {
    this.#refusals.set(id, [...(this.#refusals.get(id) ?? []), refusal]);
  }

  #setAside(job: HeldJob, reason: string): void {
    this.#held.update(job, { state: "set aside", reason });
    this.#context.log.write("job set aside", { ...detailsOf(job), reason });
  }

  /** Sets a job aside that none of the candidates is asked to print any more. */
  async #setAsideRefused(job: HeldJob, candidates: readonly string[]): Promise<void> {
    // `dispatch` must have noted the submission before the job changes.
    await Promise.resolve();
    this.#transferred.add(job.id);
    const all = this.#refusals.get(job.id) ?? [];
    const reasons = candidates.map((name) => all.findLast(({ printer }) => printer === name)!.reason);
    this.#setAside(job, `Refused ${MAX_REFUSALS} times by ${reasons.join(" ")}`);
  }
}

const detailsOf = (job: HeldJob): LogDetails => ({ queue: job.queue_id, job_id: job.id, job_name: job.name });

const toPrintJob = (held: HeldJobs, job: HeldJob, task: JobTask): PrintJob => ({
  id: job.id,
  name: job.name,
  materialCode: job.material_code,
  machineType: job.machine_type,
  extension: job.extension,
  layerThicknessMm: job.layer_thickness_mm,
  printNow: job.print_now,
  writeTo: (path, beforeRename) => held.writeTo(job, path, beforeRename),
  task,
});

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError();
}

/** A task without progress reports, until the signal ends it. */
function taskUntil(signal: AbortSignal): Omit<JobTask, "commit"> {
  const throwIfCancelled = (): void => throwIfAborted(signal);
  return { signal, throwIfCancelled, enterPhase() {}, report: throwIfCancelled };
}
