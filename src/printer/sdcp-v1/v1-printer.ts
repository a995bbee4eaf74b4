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
  /** The address of this machine from which it may fetch jobs; undefined where that is not allowed. */
  readonly v1Host: string | undefined;
}

/**
 * A printer that speaks version 1 of the protocol, as the Saturn 3 Ultra: it answers questions over UDP, in which it tells its status, and
 * fetches jobs from a server that it connects to.
 */
export function newV1Printer({ site, printerType, timing, names, v1Host }: V1PrinterOptions): Printer {
  /** Whether a job is on its way. */
  let isTaken = false;
  const startWatch = newStartWatch(timing.busyPollMs);
  site.onStatus((told) => startWatch.saw(isIdle(told)));
  const status = (): Status | undefined => site.announcement().status;
  const isReady = (): boolean => {
    const told = status();
    return told !== undefined && isIdle(told) && !isTaken && !startWatch.mayPrint();
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
    isTaken = true;
    try {
      job.task.enterPhase(0, SLICED);
      await withSpooledJob(job, (archive) =>
        transferV1Job(newJobTransfer({ id, site, timing, ordered: startWatch.ordered }, job), v1Host, archive),
      );
    } finally {
      isTaken = false;
    }
  }

  const describeStatus = (): string => {
    const told = status();
    if (isTaken) return "Receiving a job";
    if (startWatch.mayPrint() && (!told || isIdle(told))) return "Was told to print, and does not show it yet";
    return told ? statusText(told) : "Connected";
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
        ip_address: site.address(),
        firmware_version: site.announcement().firmwareVersion,
        ready_to_print_now: isReady(),
      };
    },
    isReady,
    submit,
    installFirmware: () => Promise.reject(firmwareByUsb(names().id)),
  };
}
