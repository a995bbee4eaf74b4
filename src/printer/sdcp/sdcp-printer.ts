import { type ApiError, operationFailed } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob } from "../printer.ts";
import { SLICED_SHARE, withSpooledJob } from "../spooled-job.ts";
import { NOT_CERTAIN } from "../start-watch.ts";
import { requireReceptive, transferSdcpJob } from "./transfer-sdcp-job.ts";
import { type JobTransfer, newJobTransfer } from "./job-transfer.ts";
import { HostPrinter } from "./host-printer.ts";
import { type Status, canReceive, isIdle, isOnlyReceiving, isTransferring, statusText } from "./status.ts";
import { untilAborted } from "../waiting.ts";

/** A printer with version 3 of the protocol. */
export class SdcpPrinter extends HostPrinter {
  /** Whether a job with `printNow` is being submitted. */
  #isReserved = false;
  /** Ends when the last of the jobs that are being transferred, or wait for that, is done. */
  #transfers: Promise<unknown> = Promise.resolve();
  #transferCount = 0;

  describe(): GenericDevice {
    const { host, printerType } = this.options;
    const connection = host.connection();
    return {
      id: this.id,
      product_name: printerType.productNames[0],
      status: this.#statusText(connection?.status()),
      is_connected: connection !== undefined,
      connection_type: connection?.attributes().connectionType ?? "UNKNOWN",
      ip_address: host.ipAddress(),
      firmware_version: connection?.attributes().firmwareVersion || host.discoveryReply().firmwareVersion,
      ready_to_print_now: this.isReady(),
    };
  }

  isReady(): boolean {
    const connection = this.options.host.connection();
    const isFree = !this.#isReceiving() && !this.startWatch.mayPrint();
    return connection !== undefined && isFree && isIdle(connection.status());
  }

  acceptsJobs(): boolean {
    const connection = this.options.host.connection();
    return connection !== undefined && canReceive(connection.status());
  }

  isOnlyReceiving(): boolean {
    const connection = this.options.host.connection();
    return connection !== undefined && isOnlyReceiving(connection.status()) && !this.startWatch.mayPrint();
  }

  async submit(job: PrintJob): Promise<void> {
    if (!job.printNow) return this.#acceptAndTransfer(job);
    if (this.#isReceiving()) {
      throw operationFailed(
        `The printer "${this.id}" is busy with another job that is sent to it: wait until it is ready, or send the job to be held, ` +
          "with print_now false.",
      );
    }
    this.#isReserved = true;
    try {
      await this.#acceptAndTransfer(job);
    } finally {
      this.#isReserved = false;
    }
  }

  #isReceiving(): boolean {
    return this.#isReserved || this.#transferCount > 0;
  }

  #statusText(status: Status | undefined): string {
    if (!status) return "Not connected";
    const text = isIdle(status) && this.startWatch.mayPrint() ? NOT_CERTAIN : statusText(status);
    const isComplete = isTransferring(status) || !this.#isReceiving();
    return isComplete ? text : `${text}; a job is on its way`;
  }

  async #acceptAndTransfer(job: PrintJob): Promise<void> {
    const { host, timing } = this.options;
    const transfer = newJobTransfer({ id: this.id, host, timing, ordered: this.startWatch.ordered }, job);
    job.task.enterPhase(0, SLICED_SHARE);
    await this.#requireAccepted(transfer);
    await withSpooledJob(job, (archive) => this.#inTurn(job, () => transferSdcpJob(transfer, archive)));
  }

  /** Throws OPERATION_FAILED where the printer cannot accept the job. */
  async #requireAccepted({ id, job, ask }: JobTransfer): Promise<void> {
    const askStatus = (): Promise<Status> => ask((connection) => connection.fetchStatus());
    let status = await askStatus();
    if (job.printNow && isIdle(status) && this.startWatch.mayPrint()) status = await askStatus();
    // While another job is being transferred, the printer is asked again when the turn of this job comes.
    if (this.#transferCount === 0) requireReceptive(id, status, job.printNow);
    if (job.printNow && this.startWatch.mayPrint()) throw notSeenYet(id);
  }

  /** Transfers one job after the other. */
  #inTurn(job: PrintJob, transfer: () => Promise<void>): Promise<void> {
    this.#transferCount++;
    const own = this.#transfers.then(() => {
      job.task.throwIfCancelled();
      return transfer();
    });
    this.#transfers = own.catch(() => {}).finally(() => this.#transferCount--);
    return untilAborted(own, AbortSignal.any([job.task.signal, this.options.host.closing]));
  }
}

/** The error for a printer that was ordered to print and does not show it yet. */
const notSeenYet = (id: string): ApiError =>
  operationFailed(
    `The printer "${id}" is not ready: it was ordered to print just now. Wait until its state shows what it does.`,
  );
