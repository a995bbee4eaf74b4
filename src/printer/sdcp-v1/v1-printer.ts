import { printableMachineTypes } from "../../catalog/catalog.ts";
import { operationFailed } from "../../core/api-error.ts";
import type { PrintJob, Printer } from "../printer.ts";
import type { SdcpPrinterOptions } from "../sdcp/sdcp-printer.ts";
import { isIdle, statusText } from "../sdcp/status.ts";

/**
 * A printer that speaks version 1 of the protocol, as the Saturn 3 Ultra: it answers questions over UDP, in which it tells its status, and
 * fetches jobs from a server that it connects to.
 */
export function newV1Printer({ site, printerType, names }: SdcpPrinterOptions): Printer {
  const status = () => site.announcement().status;
  const isReady = (): boolean => {
    const told = status();
    return told !== undefined && isIdle(told);
  };

  async function take(job: PrintJob): Promise<void> {
    throw operationFailed(
      `The printer "${names().id}" takes no files over the network: it would fetch them from this machine. Write the job with ` +
        `scene/export to a "${job.extension}" file, copy that to a USB stick and start it on the printer's screen.`,
    );
  }

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
      const told = status();
      return {
        id: names().id,
        product_name: printerType.productNames[0],
        status: told ? statusText(told) : "Connected",
        is_connected: true,
        connection_type: "UNKNOWN",
        ip_address: site.address(),
        firmware_version: site.announcement().firmwareVersion,
        ready_to_print_now: isReady(),
      };
    },
    isReady,
    take,
    async installFirmware() {
      throw operationFailed(
        `The printer "${names().id}" takes no firmware over the network: copy the maker's file to a USB stick and update it on its screen.`,
      );
    },
  };
}
