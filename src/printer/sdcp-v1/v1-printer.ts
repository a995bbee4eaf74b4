import { operationFailed } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob } from "../printer.ts";
import { SLICED_SHARE, withSpooledJob } from "../spooled-job.ts";
import { HostPrinter, type HostPrinterOptions } from "../sdcp/host-printer.ts";
import { NOT_CERTAIN } from "../start-watch.ts";
import { newJobTransfer } from "../sdcp/job-transfer.ts";
import { type Status, isIdle, statusText } from "../sdcp/status.ts";
import { transferV1Job } from "./transfer-v1-job.ts";

interface V1PrinterOptions extends HostPrinterOptions {
  /** The address of this machine from which the printer may fetch jobs; undefined where that is not allowed. */
  readonly v1Host: string | undefined;
}

/**
 * A printer with version 1 of the protocol, such as the Saturn 3 Ultra: it reports its status in replies to discovery over UDP, and fetches jobs
 * from a server to which it connects.
 */
export class V1Printer extends HostPrinter<V1PrinterOptions> {
  /** Whether a job is being submitted. */
  #isReserved = false;

  /** Why it gets no jobs, with the way out; undefined if it may fetch them. */
  get problem(): string | undefined {
    return this.options.v1Host === undefined ? NOT_ALLOWED : undefined;
  }

  describe(): GenericDevice {
    const { host, printerType } = this.options;
    return {
      id: this.id,
      product_name: printerType.productNames[0],
      status: this.#statusText(),
      is_connected: true,
      connection_type: "UNKNOWN",
      ip_address: host.ipAddress(),
      firmware_version: host.discoveryReply().firmwareVersion,
      ready_to_print_now: this.isReady(),
    };
  }

  isReady(): boolean {
    const status = this.#status();
    return status !== undefined && isIdle(status) && !this.#isReserved && !this.startWatch.mayPrint();
  }

  async submit(job: PrintJob): Promise<void> {
    const { host, timing, v1Host } = this.options;
    const { id } = this;
    if (v1Host === undefined) {
      throw operationFailed(`The printer "${id}" gets no jobs: ${NOT_ALLOWED}.`);
    }
    if (!this.isReady()) {
      throw operationFailed(`The printer "${id}" is not ready: ${this.#statusText()}. Wait until it is.`);
    }
    this.#isReserved = true;
    try {
      job.task.enterPhase(0, SLICED_SHARE);
      await withSpooledJob(job, (archive) =>
        transferV1Job(newJobTransfer({ id, host, timing, ordered: this.startWatch.ordered }, job), v1Host, archive),
      );
    } finally {
      this.#isReserved = false;
    }
  }

  #status(): Status | undefined {
    return this.options.host.discoveryReply().status;
  }

  #statusText(): string {
    const status = this.#status();
    if (this.#isReserved) return "Receiving a job";
    if (this.startWatch.mayPrint() && (!status || isIdle(status))) return NOT_CERTAIN;
    return status ? statusText(status) : "Connected";
  }
}

const NOT_ALLOWED =
  "it would fetch them from this machine, which is allowed by --sdcp-v1-host at the start; or write the job as a .goo file onto a USB stick, " +
  "with /v1/scene/export/, and start it on the printer's screen";
