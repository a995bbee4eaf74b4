import { ApiError, notFound, operationFailed } from "../../core/api-error.ts";
import type { QueueDevice } from "../device.ts";
import type { JobAction, JobQueue, PrintJob, Printer, QueuedJob } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";
import { submitJob } from "../submit-job.ts";
import { HeldJobDispatcher } from "./held-job-dispatcher.ts";
import type { HeldJob } from "./held-jobs.ts";
import type { QueueContext } from "./queue-context.ts";
import { queueDevice } from "./queue-device.ts";
import { QueueMembers } from "./queue-members.ts";
import { orderJob } from "./queue-orders.ts";
import { type SlicedOnce, slicedOnce } from "./sliced-once.ts";
import { notingPrint } from "./uncleared-platforms.ts";

/** A queue: accepts jobs, and submits them to its printers or holds them until one is ready. */
export class PrintQueue implements JobQueue {
  readonly #config: QueueConfig;
  readonly #context: QueueContext;
  readonly #members: QueueMembers;
  readonly #dispatcher: HeldJobDispatcher | undefined;
  /** Ids of the held jobs that no printer of the queue can print, which the log has named. */
  readonly #loggedAsUnfit = new Set<string>();

  constructor(config: QueueConfig, context: QueueContext) {
    this.#config = config;
    this.#context = context;
    this.#members = new QueueMembers(config.printers, context);
    this.#dispatcher = context.held && new HeldJobDispatcher(context.held, context);
  }

  get id(): string {
    return this.#config.id;
  }

  get name(): string {
    return this.#config.name;
  }

  get label(): string {
    return `queue of printers ("${this.name}")`;
  }

  get otherNames(): readonly string[] {
    return [this.name];
  }

  get isPaused(): boolean {
    return this.#config.paused;
  }

  get startsByItself(): boolean {
    return this.#config.starts === "automatic";
  }

  get machineTypes(): readonly string[] {
    return this.#members.machineTypes();
  }

  get takesModels(): boolean {
    return this.#config.takesModels === true;
  }

  get mayPrintOthers(): boolean {
    const known = this.#members.knownTypes();
    return this.#members.names.some((name) => !known.has(name));
  }

  describe(): QueueDevice {
    return queueDevice(this.#config, {
      readyCount: this.#members.free(true).length,
      states: this.#heldJobs().map((job) => this.#stateOf(job)),
      typesByName: this.#members.knownTypes(),
      machineTypes: this.machineTypes,
    });
  }

  async submit(job: PrintJob): Promise<void> {
    if (job.printNow) this.#requireStarter();
    const once = slicedOnce(job);
    let refusal: ApiError | undefined;
    try {
      for (const printer of this.#hasEarlierJobs(job) ? [] : this.#printersFor(job)) {
        // Slicing and transferring may have taken minutes.
        if (!this.#members.isFree(printer, job.printNow)) continue;
        refusal = await this.#submitTo(printer, once);
        if (!refusal) return;
      }
      await this.#hold(once.job, refusal);
    } finally {
      await once.close();
    }
  }

  async installFirmware(): Promise<never> {
    throw operationFailed(`"${this.name}" is a queue of printers: name the printer that is to get the firmware.`);
  }

  jobs(): readonly QueuedJob[] {
    return this.#heldJobs().map((job) => ({
      id: job.id,
      name: job.name,
      materialCode: job.material_code,
      machineType: job.machine_type,
      printNow: job.print_now,
      state: this.#stateOf(job),
      reason: job.reason ?? this.#dispatcher?.lastRefusal(job.id),
      readyPrinters: this.#readyFor(job.machine_type, job.print_now).map((printer) => printer.id),
      totals: job.totals,
    }));
  }

  order(jobId: string, action: JobAction, printer?: string): void {
    const { held, uncleared, log } = this.#context;
    const { id, name, isPaused, startsByItself } = this;
    const dispatcher = this.#dispatcher;
    if (!held || !dispatcher) throw notFound(`The queue "${name}" holds no jobs: the server has no --job-dir.`);
    const jobs = (): readonly HeldJob[] => this.#heldJobs();
    const readyFor = (job: HeldJob): Printer[] => this.#readyFor(job.machine_type, job.print_now);
    const mayPrint = (one: string, job: HeldJob): boolean => this.#members.mayPrint(one, job.machine_type);
    const { names: members } = this.#members;
    const queue = { name, members, isPaused, startsByItself, held, dispatcher, uncleared, jobs, readyFor, mayPrint };
    const job = orderJob(queue, jobId, action, printer);
    log.write("job updated", { queue: id, job_id: job.id, job_name: job.name, action, printer });
    this.#dispatchHeldJobs();
  }

  /** Notes which printers are busy, and submits each held job that may go to a ready printer, in their order. */
  update(): void {
    const { receiving, uncleared } = this.#context;
    // Any print, whoever has started it, fills a platform.
    const busy = this.#members
      .connected()
      .filter((one) => !one.isReady() && !receiving.has(one.id) && one.isOnlyReceiving?.() !== true);
    if (!this.startsByItself) for (const printer of busy) uncleared.add(printer.id);
    this.#dispatchHeldJobs();
  }

  /** Resolves when no job is being submitted. */
  async settled(): Promise<void> {
    await this.#dispatcher?.settled();
  }

  #heldJobs(): HeldJob[] {
    return (this.#context.held?.list() ?? []).filter(({ queue_id }) => queue_id === this.id);
  }

  #readyFor(machineType: string, printNow: boolean): Printer[] {
    return this.isPaused ? [] : this.#members.free(printNow).filter((one) => one.machineTypes.includes(machineType));
  }

  /** Throws OPERATION_FAILED if all printers of the queue are of a kind that starts no prints. */
  #requireStarter(): void {
    this.#members.connected();
    if (this.#members.names.some((name) => this.#members.mayStart(name))) return;
    throw operationFailed(
      `The queue "${this.name}" has only folders, from which no print starts by itself: send the job with print_now false, and start it at the machine.`,
    );
  }

  /** The ready printers that may get a new job, in the order in which they are asked. */
  #printersFor({ machineType, printNow }: PrintJob): Printer[] {
    const ready = this.#readyFor(machineType, printNow);
    return printNow ? ready.filter(({ id }) => this.#mayStartOn(id)) : this.#members.leastRecentFirst(ready);
  }

  /** Whether held jobs go before a new one. A job without `printNow` does not wait for jobs that a person must release. */
  #hasEarlierJobs({ machineType, printNow }: PrintJob): boolean {
    return this.#heldJobs().some(
      (one) =>
        one.state === "waiting" && one.machine_type === machineType && (printNow || this.#releasedFor(one).length > 0),
    );
  }

  /** Whether a print may start on a printer without a person. Where no job can be held, the person who submits it takes care of that. */
  #mayStartOn(printer: string): boolean {
    return this.startsByItself || !this.#context.held || !this.#context.uncleared.has(printer);
  }

  /** The printers on which a person lets the job start; all printers where no person is needed. */
  #releasedFor({ print_now, released }: HeldJob): readonly string[] {
    const names = released ?? (this.startsByItself || !print_now ? this.#members.names : []);
    return names.filter((name) => !print_now || this.#mayStartOn(name));
  }

  #stateOf(job: HeldJob): QueuedJob["state"] {
    if (job.state === "sending" || this.#dispatcher?.isSubmitting(job.id)) return "SENDING";
    if (job.state === "set aside") return "SET_ASIDE";
    return this.#releasedFor(job).length > 0 ? "WAITING_FOR_PRINTER" : "WAITING_FOR_RELEASE";
  }

  /** Submits a job to a printer. Returns why it was refused, undefined where it was accepted. Throws where no other printer can get it. */
  async #submitTo(printer: Printer, { job, canGoOn }: SlicedOnce): Promise<ApiError | undefined> {
    const { receiving, uncleared, log } = this.#context;
    receiving.add(printer.id);
    if (!job.printNow) this.#members.noteSubmission(printer.id);
    try {
      await submitJob(printer, notingPrint(job, printer.id, uncleared), log, this.id);
      return undefined;
    } catch (thrown) {
      if (canGoOn() && thrown instanceof ApiError) return thrown;
      const reason = (thrown as Error).message;
      log.write("job failed", { queue: this.id, printer: printer.id, job_id: job.id, job_name: job.name, reason });
      throw thrown;
    } finally {
      receiving.delete(printer.id);
    }
  }

  /** `refusal` is that of the last printer. */
  async #hold(job: PrintJob, refusal: ApiError | undefined): Promise<void> {
    const { held, log } = this.#context;
    if (!held) {
      throw operationFailed(
        `No printer of the queue "${this.name}" can take the job now, and there is no folder to hold it in: wait until one is ready, ` +
          `or start the server with --job-dir FOLDER.${refusal ? ` The last that was asked: ${refusal.message}` : ""}`,
      );
    }
    await held.add(job, this.id);
    log.write("job held", { queue: this.id, job_id: job.id, job_name: job.name, print_now: job.printNow });
  }

  #dispatchHeldJobs(): void {
    const connected = this.isPaused ? [] : this.#members.connected();
    for (const job of this.#heldJobs()) this.#dispatch(job, connected);
  }

  /** Submits a held job to one of the connected printers that are free, where one may get it. */
  #dispatch(job: HeldJob, connected: readonly Printer[]): void {
    const members = this.#members;
    const candidates = members.names.filter(
      (name) => members.mayPrint(name, job.machine_type) && (!job.print_now || members.mayStart(name)),
    );
    if (candidates.length === 0) this.#logUnfit(job);
    const released = this.#releasedFor(job);
    const allowed = candidates.filter((name) => released.includes(name));
    if (allowed.length === 0) return;
    const suitable = connected.filter(
      (one) =>
        allowed.includes(one.id) && one.machineTypes.includes(job.machine_type) && members.isFree(one, job.print_now),
    );
    const inOrder = job.print_now ? suitable : members.leastRecentFirst(suitable);
    const printer = this.#dispatcher?.dispatch(inOrder, job, allowed);
    if (printer && !job.print_now) members.noteSubmission(printer.id);
  }

  /** Logs once per job that no printer of the queue can print it. */
  #logUnfit({ id, name, machine_type, state }: HeldJob): void {
    if (state !== "waiting" || this.#loggedAsUnfit.has(id)) return;
    this.#loggedAsUnfit.add(id);
    const reason = `No printer of the queue prints scenes for ${machine_type}.`;
    this.#context.log.write("job held", { queue: this.id, job_id: id, job_name: name, reason });
  }
}
