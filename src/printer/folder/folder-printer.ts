import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { newTemporaryName } from "../../core/temporary-file.ts";
import { CancelledError } from "../../core/progress.ts";
import type { GenericDevice } from "../device.ts";
import { jobNameOnPrinter } from "../job-name-on-printer.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { SLICED_SHARE, type SpooledJob, withSpooledJob } from "../spooled-job.ts";
import { untilAborted } from "../waiting.ts";
import type { MediumFacts, MediumOrder, MediumRefusal } from "./medium-work.ts";
import type { Medium } from "./medium.ts";

/** A folder on a medium that people carry to a machine, or that the machine reads: it takes jobs, and a person starts them. */
export class FolderPrinter implements Printer {
  readonly id: string;
  readonly otherNames: readonly string[];
  readonly printerType: PrinterType;
  readonly machineTypes: readonly string[];
  readonly startsNoPrints = true;
  readonly folder: string;
  readonly #medium: Medium;
  #facts: MediumFacts | undefined;
  /** Whether a mounted medium was there before: then the bare folder is not it. */
  #wasMounted = false;
  #jobCount = 0;
  #failure: string | undefined;

  constructor(folder: string, name: string | undefined, printerType: PrinterType, medium: Medium) {
    this.folder = folder;
    this.id = name ?? folder;
    this.otherNames = [folder];
    this.printerType = printerType;
    this.machineTypes = printableMachineTypes(printerType.machineType);
    this.#medium = medium;
  }

  get label(): string {
    return this.printerType.label;
  }

  /** Whether the folder was there and writable at the last check. */
  isConnected(): boolean {
    return this.#facts !== undefined;
  }

  /** Whether a job is being written, so that a check would have to wait. */
  isWriting(): boolean {
    return this.#jobCount > 0;
  }

  /** Looks whether the folder is there and writable. Rejects with the reason in words, without a full stop. */
  async check(): Promise<MediumFacts> {
    try {
      const result = await this.#medium.order({ kind: "check", folder: this.folder, isFirst: !this.#facts });
      if ("refusal" in result) throw new Error(result.refusal.why);
      const facts = result.facts!;
      this.#wasMounted ||= facts.isMounted;
      if (this.#wasMounted && !facts.isMounted) throw new Error("the medium was removed: plug it in again");
      return (this.#facts = facts);
    } catch (thrown) {
      this.#noteFailure(thrown as Error);
      throw thrown;
    }
  }

  /** Why the medium was last not there; without a full stop. */
  failure(): string | undefined {
    return this.#failure;
  }

  describe(): GenericDevice {
    return {
      id: this.id,
      product_name: this.printerType.productNames[0],
      status: this.#statusText(),
      is_connected: this.isConnected(),
      connection_type: "UNKNOWN",
      firmware_version: "",
      ready_to_print_now: false,
    };
  }

  isReady(): boolean {
    return false;
  }

  acceptsJobs(): boolean {
    return this.isConnected();
  }

  isOnlyReceiving(): boolean {
    return true;
  }

  async submit(job: PrintJob): Promise<void> {
    if (job.printNow) throw this.#startsNothing();
    await this.#requireThere(job);
    job.task.enterPhase(0, SLICED_SHARE);
    await withSpooledJob(job, async (spooled) => {
      job.task.enterPhase(SLICED_SHARE, 1);
      this.#jobCount++;
      try {
        await this.#write(job, spooled);
      } finally {
        this.#jobCount--;
      }
    });
  }

  async installFirmware(): Promise<never> {
    throw operationFailed(
      `"${this.id}" is a folder, which takes no firmware: copy the maker's file there and update the machine on its screen.`,
    );
  }

  #statusText(): string {
    if (!this.#facts) return "Not there";
    if (this.isWriting()) return "Receiving a job";
    const { freeBytes } = this.#facts;
    const free = freeBytes === undefined ? "" : `; ${Math.floor(freeBytes / 1e6)} MB free`;
    return `Takes jobs, which a person starts at the machine${free}`;
  }

  #noteFailure({ message }: Error): void {
    this.#facts = undefined;
    this.#failure = message;
  }

  #startsNothing(): ApiError {
    return operationFailed(
      `"${this.id}" is a folder, from which no print starts by itself: send the job with print_now false, and start it at the machine.`,
    );
  }

  #refused(what: string, why: string): ApiError {
    return operationFailed(`The job was not put into the folder "${this.id}": ${why}. ${what}.`);
  }

  async #requireThere({ task }: PrintJob): Promise<MediumFacts> {
    try {
      return await untilAborted(this.check(), task.signal);
    } catch (thrown) {
      if (thrown instanceof CancelledError) throw thrown;
      throw this.#refused("Nothing was written", (thrown as Error).message);
    }
  }

  /** Writes the job under a name that no file there has. */
  async #write(job: PrintJob, spooled: SpooledJob): Promise<void> {
    const { bytes } = spooled;
    const { freeBytes = Infinity } = await this.#requireThere(job);
    if (freeBytes < bytes)
      throw this.#refused(
        "Nothing was written",
        `it has room for ${freeBytes} bytes, and the job has ${bytes}: delete files on it`,
      );
    const taken = new Set<string>();
    while (taken.size < MAX_NAMES) {
      const name = jobNameOnPrinter(job, taken);
      if (await this.#writeAs(name, job, spooled)) return;
      taken.add(name);
    }
    throw this.#refused("Nothing was written", "files there have all names of the job: delete them");
  }

  /** Writes the job under a temporary name, then gives it its own. False where another file has that. */
  async #writeAs(name: string, { task }: PrintJob, { path, bytes }: SpooledJob): Promise<boolean> {
    const { folder } = this;
    const temporary = newTemporaryName();
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const cancel = (): void => void Atomics.store(cancelled, 0, 1);
    task.signal.addEventListener("abort", cancel);
    try {
      task.throwIfCancelled();
      const onBytes = (copied: number): void => {
        if (!task.signal.aborted) task.report(copied / bytes);
      };
      const order: MediumOrder = { kind: "copy", source: path, folder, temporary, name, cancelled };
      const refusal = await untilAborted(this.#carryOut(order, unfinished(temporary), onBytes), task.signal);
      if (refusal?.kind === "cancelled" || task.signal.aborted) throw new CancelledError();
      if (refusal) return this.#isTaken(refusal);
      task.commit(name);
    } catch (thrown) {
      // A copy that a dead share blocks removes its file once it goes on.
      cancel();
      void this.#medium.order({ kind: "remove", folder, temporary }).catch(() => {});
      throw thrown;
    } finally {
      task.signal.removeEventListener("abort", cancel);
    }
    const inDoubt = `Whether ${JSON.stringify(name)} is there is not known: look into the folder`;
    const refusal = await this.#carryOut({ kind: "publish", folder, temporary, name }, inDoubt);
    if (!refusal) return true;
    task.withdraw?.();
    void this.#medium.order({ kind: "remove", folder, temporary }).catch(() => {});
    return this.#isTaken(refusal);
  }

  /** False for a name that is taken; else throws why nothing was written. */
  #isTaken({ kind, why }: MediumRefusal): false {
    if (kind === "taken") return false;
    throw this.#refused("Nothing of it is left there", why);
  }

  /** `left` says what is left where the medium does not answer. */
  async #carryOut(
    order: MediumOrder,
    left: string,
    onBytes?: (bytes: number) => void,
  ): Promise<MediumRefusal | undefined> {
    try {
      const result = await this.#medium.order(order, onBytes);
      return "refusal" in result ? result.refusal : undefined;
    } catch (thrown) {
      this.#noteFailure(thrown as Error);
      throw this.#refused(left, (thrown as Error).message);
    }
  }
}

/** As many names as one id gives. */
const MAX_NAMES = 5;

const unfinished = (temporary: string): string =>
  `An unfinished file ${JSON.stringify(temporary)}, which no machine lists, may be left there`;
