import { printableMachineTypes } from "../../catalog/catalog.ts";
import { operationFailed } from "../../core/api-error.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { withSpooledJob } from "../spooled-job.ts";
import { SLICED, type SdcpPrinterOptions, firmwareByUsb } from "../sdcp/sdcp-printer.ts";
import { newStartWatch } from "../start-watch.ts";
import { newJobTransfer } from "../sdcp/job-transfer.ts";
import { type Status, isIdle, statusText } from "../sdcp/status.ts";
import { transferV1Job } from "./transfer-v1-job.ts";

interface V1PrinterOptions extends SdcpPrinterOptions {
  /** The address of this machine from which the printer may fetch jobs; undefined where that is not allowed. */
  readonly v1Host: string | undefined;
}

/**
 * A printer with version 1 of the protocol, such as the Saturn 3 Ultra: it reports its status in replies to discovery over UDP, and fetches
 * jobs from a server to which it connects.
 */
export function newV1Printer({ host, printerType, timing, names, v1Host }: V1PrinterOptions): Printer {
  /** Whether a job is being submitted. */
  let isReserved = false;
  const startWatch = newStartWatch(timing.busyPollMs);
  host.onStatus((reported) => startWatch.saw(isIdle(reported)));
  const status = (): Status | undefined => host.discoveryReply().status;
  const isReady = (): boolean => {
    const reported = status();
    return reported !== undefined && isIdle(reported) && !isReserved && !startWatch.mayPrint();
  };

  async function submit(job: PrintJob): Promise<void> {
    const { id } = names();
    if (v1Host === undefined) {
      throw operationFailed(
        `The printer "${id}" would fetch the job from this machine, which is allowed by --sdcp-v1-host at the start. Or export the ` +
          `scene with /v1/scene/export/ to a "${job.extension}" file on a USB stick and start it on the printer's screen.`,
      );
    }
    if (!isReady()) {
      throw operationFailed(`The printer "${id}" is not ready: ${describeStatus()}. Wait until it is.`);
    }
    isReserved = true;
    try {
      job.task.enterPhase(0, SLICED);
      await withSpooledJob(job, (archive) =>
        transferV1Job(newJobTransfer({ id, host, timing, ordered: startWatch.ordered }, job), v1Host, archive),
      );
    } finally {
      isReserved = false;
    }
  }

  const describeStatus = (): string => {
    const reported = status();
    if (isReserved) return "Receiving a job";
    if (startWatch.mayPrint() && (!reported || isIdle(reported))) return "Was told to print, and does not show it yet";
    return reported ? statusText(reported) : "Connected";
  };

  return {
    get id() {
      return names().id;
    },
    label: printerType.label,
    get otherNames() {
      return names().others;
    },
    printerType,
    machineTypes: printableMachineTypes(printerType.machineType),
    describe() {
      return {
        id: names().id,
        product_name: printerType.productNames[0],
        status: describeStatus(),
        is_connected: true,
        connection_type: "UNKNOWN",
        ip_address: host.ipAddress(),
        firmware_version: host.discoveryReply().firmwareVersion,
        ready_to_print_now: isReady(),
      };
    },
    isReady,
    submit,
    installFirmware: () => Promise.reject(firmwareByUsb(names().id)),
  };
}
