import { type ApiError, operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { HttpFailure } from "../http-failure.ts";
import { SLICED_SHARE, type SpooledJob, withSpooledJob } from "../spooled-job.ts";
import { NOT_CERTAIN, type StartWatch } from "../start-watch.ts";
import type { MachineFacts, MachineStatus, PollTiming } from "./machine.ts";
import type { TransferEvents } from "./transfer-to-machine.ts";

interface PolledPrinterOptions {
  readonly machine: MachineFacts;
  readonly ipAddress: string | undefined;
  /** What the machine just answered. */
  readonly status: MachineStatus;
  /** Asks for its status. Throws `HttpFailure`. */
  askStatus(signal: AbortSignal): Promise<MachineStatus>;
  /** Throws, before a job is sliced, if the machine would not take it. Absent if it takes every job of its type. */
  requireFit?(job: PrintJob, signal: AbortSignal): Promise<void> | undefined;
  /** Transfers a job and, with `printNow`, starts it, as `Printer.submit`. */
  transfer(job: PrintJob, spooled: SpooledJob, events: TransferEvents): Promise<void>;
  /** Belongs to the host, since it outlives the connections to the machine. */
  readonly startWatch: StartWatch;
  readonly timing: PollTiming;
  /** Called when a job was submitted, or was not: the time of the next question may be another one now. */
  onSubmitted(): void;
}

/** How the last call reached the machine; `silent`: it did not answer; `refused`: it took no connection. */
type Reach = "reached" | "silent" | "refused";

/** A machine that was identified, and its state. */
export class PolledPrinter {
  readonly machine: MachineFacts;
  readonly printer: Printer;
  readonly #options: PolledPrinterOptions;
  #status: MachineStatus;
  /** When the machine reported its status. */
  #statusMs = 0;
  #reach: Reach = "reached";
  #failure: string | undefined;
  /** Whether a job to be printed is being submitted. */
  #isReserved = false;

  constructor(options: PolledPrinterOptions) {
    this.#options = options;
    this.machine = options.machine;
    this.#status = options.status;
    this.noteStatus(options.status);
    this.printer = this.#newPrinter();
  }

  /** Asks the machine for its status. Throws what `askStatus` throws. */
  async poll(signal: AbortSignal): Promise<void> {
    try {
      this.noteStatus(await this.#options.askStatus(signal));
    } catch (thrown) {
      this.noteFailure(thrown);
      throw thrown;
    }
  }

  /** Notes what the machine has just answered. */
  noteStatus(status: MachineStatus): void {
    this.#options.startWatch.saw(status.isReady);
    this.#status = status;
    this.#statusMs = performance.now();
    this.#reach = "reached";
  }

  /** Notes that a call to the machine failed. */
  noteFailure(thrown: unknown): void {
    if (!(thrown instanceof HttpFailure) || thrown.kind === "unusable") return;
    const isRefused = thrown.kind === "unreached" && !thrown.isLate;
    if (isRefused || this.#reach !== "refused") this.#reach = isRefused ? "refused" : "silent";
    this.#failure = thrown.message;
  }

  /** Whether it answered lately, or is receiving a job to be printed, during which it may have no time for questions. */
  isConnected(): boolean {
    const isRecent = performance.now() - this.#statusMs < this.#options.timing.lostMs;
    return this.#isReserved || (this.#reach !== "refused" && isRecent);
  }

  /** Why it was last not reached; undefined where it always was. */
  failure(): string | undefined {
    return this.#failure;
  }

  /** How long its status is valid, ms. */
  pollAfterMs(): number {
    const { timing } = this.#options;
    return this.#isFree() && this.#reach === "reached" ? timing.idlePollMs : timing.busyPollMs;
  }

  #newPrinter(): Printer {
    const { id, otherNames, printerType, unknownModel, machineTypes, takesModels, firmwareWay, problem } = this.machine;
    return {
      id,
      label: unknownModel ?? printerType.label,
      unknownModel,
      otherNames,
      printerType,
      machineTypes,
      ...(takesModels && { takesModels }),
      describe: () => this.#describe(),
      isReady: () => this.#isReady(),
      acceptsJobs: () => this.isConnected() && this.#reach === "reached" && !problem,
      isOnlyReceiving: () => this.#isReserved && this.#reach === "reached" && this.#isFree(),
      submit: (job) => this.#submit(job),
      async installFirmware() {
        throw operationFailed(`The printer "${id}" takes no firmware over the network: ${firmwareWay}.`);
      },
    };
  }

  /** Whether it was ordered to print and does not show it yet. */
  #isStarting(): boolean {
    return this.#status.isReady && this.#options.startWatch.mayPrint();
  }

  #isFree(): boolean {
    return this.#status.isReady && !this.#options.startWatch.mayPrint();
  }

  #isReady(): boolean {
    return this.isConnected() && !this.#isReserved && this.#reach === "reached" && this.#isFree();
  }

  #statusText(): string {
    return this.#isStarting() ? NOT_CERTAIN : this.#status.text;
  }

  async #submit(job: PrintJob): Promise<void> {
    try {
      await this.#submitUnlessBusy(job);
    } finally {
      this.#options.onSubmitted();
    }
  }

  async #submitUnlessBusy(job: PrintJob): Promise<void> {
    if (!job.printNow) return this.#acceptAndTransfer(job);
    if (this.#isReserved) throw this.#busyError("it receives a job");
    this.#isReserved = true;
    try {
      await this.#acceptAndTransfer(job);
    } finally {
      this.#isReserved = false;
    }
  }

  async #acceptAndTransfer(job: PrintJob): Promise<void> {
    const { startWatch, transfer } = this.#options;
    await this.#requireAccepted(job);
    job.task.enterPhase(0, SLICED_SHARE);
    const failed = (thrown: unknown): void => this.noteFailure(thrown);
    await withSpooledJob(job, (spooled) => transfer(job, spooled, { failed, ordered: startWatch.ordered }));
    if (job.printNow) await this.poll(job.task.signal).catch(() => {});
  }

  /** Throws OPERATION_FAILED where the machine cannot accept the job. Asks for its status, since slicing takes minutes. */
  async #requireAccepted(job: PrintJob): Promise<void> {
    const { printNow, task } = job;
    const { id, problem } = this.machine;
    if (problem) throw operationFailed(`The printer "${id}" takes no jobs: ${problem.message}.`);
    await withErrorPrefixAsync(`The printer "${id}" does not report its state`, async () => {
      await this.poll(task.signal);
      // A second report decides whether an order to print was carried out.
      if (printNow && this.#isStarting()) await this.poll(task.signal);
    });
    if (printNow && !this.#isFree()) throw this.#busyError(this.#statusText());
    await withErrorPrefixAsync(`The printer "${id}" does not take the job`, async () =>
      this.#options.requireFit?.(job, task.signal),
    );
  }

  #busyError(what: string): ApiError {
    return operationFailed(
      `The printer "${this.machine.id}" is not ready (${what}): wait until it is, or send the job to be held, with print_now false.`,
    );
  }

  #describe(): GenericDevice {
    const { id, printerType, productName, unknownModel, firmwareVersion } = this.machine;
    const { ipAddress } = this.#options;
    const shown = this.#reach === "reached" ? this.#statusText() : "Does not answer";
    return {
      id,
      product_name: unknownModel ?? productName ?? printerType.productNames[0],
      status: this.#isReserved ? "Receiving a job" : shown,
      is_connected: this.isConnected(),
      connection_type: "UNKNOWN",
      ...(ipAddress !== undefined && { ip_address: ipAddress }),
      firmware_version: firmwareVersion,
      ready_to_print_now: this.#isReady(),
    };
  }
}
