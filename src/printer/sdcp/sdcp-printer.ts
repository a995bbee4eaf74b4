import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type ApiError, operationFailed } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { withSpooledJob } from "../spooled-job.ts";
import { newStartWatch } from "../start-watch.ts";
import { requireReceptive, transferJob } from "./transfer-job.ts";
import { newJobTransfer } from "./job-transfer.ts";
import type { HostView } from "./host-view.ts";
import { type Status, canReceive, isIdle, isTransferring, statusText } from "./status.ts";
import type { Timing } from "./timing.ts";
import { untilAborted } from "../waiting.ts";

/** What a printer object needs to know of its printer. */
export interface SdcpPrinterOptions {
  readonly host: HostView;
  readonly printerType: PrinterType;
  readonly timing: Timing;
  /** Its id and its other names, which depend on the other printers. */
  names(): { readonly id: string; readonly others: readonly string[] };
}

/** Share of a request's progress at which the archive is written; transfer and check follow. */
export const SLICED = 0.6;

/** A printer with version 3 of the protocol. */
export function newSdcpPrinter({ host, printerType, timing, names }: SdcpPrinterOptions): Printer {
  /** Whether a job with `printNow` is being submitted. */
  let isReserved = false;
  let transfers: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const startWatch = newStartWatch(timing.busyPollMs);
  host.onStatus((status) => startWatch.saw(isIdle(status)));

  /** Transfers one job after the other. */
  function inTurn(job: PrintJob, work: () => Promise<void>): Promise<void> {
    waiting++;
    const mine = transfers.then(() => {
      job.task.throwIfCancelled();
      return work();
    });
    transfers = mine.catch(() => {}).finally(() => waiting--);
    return untilAborted(mine, AbortSignal.any([job.task.signal, host.closing]));
  }

  const isReady = (): boolean => {
    const connection = host.connection();
    const isFree = !isReserved && waiting === 0 && !startWatch.mayPrint();
    return connection !== undefined && isFree && isIdle(connection.status());
  };

  async function submitToPrinter(job: PrintJob): Promise<void> {
    const transfer = newJobTransfer({ id: names().id, host, timing, ordered: startWatch.ordered }, job);
    job.task.enterPhase(0, SLICED);
    const askStatus = (): Promise<Status> => transfer.ask((connection) => connection.fetchStatus());
    let status = await askStatus();
    if (job.printNow && isIdle(status) && startWatch.mayPrint()) status = await askStatus();
    // While another job is being transferred, the printer is asked again when the turn of this job comes.
    if (waiting === 0) requireReceptive(transfer.id, status, job.printNow);
    if (job.printNow && startWatch.mayPrint()) throw notSeenYet(transfer.id);
    await withSpooledJob(job, (archive) => inTurn(job, () => transferJob(transfer, archive)));
  }

  async function print(job: PrintJob): Promise<void> {
    if (isReserved || waiting > 0) {
      throw operationFailed(
        `The printer "${names().id}" is busy with another job that is sent to it: wait until it is ready, or send the job to be held, ` +
          "with print_now false.",
      );
    }
    isReserved = true;
    try {
      await submitToPrinter(job);
    } finally {
      isReserved = false;
    }
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
    describe: () => describe(names().id, printerType, host, isReserved || waiting > 0, isReady()),
    isReady,
    acceptsJobs() {
      const connection = host.connection();
      return connection !== undefined && canReceive(connection.status());
    },
    submit: (job) => (job.printNow ? print(job) : submitToPrinter(job)),
    installFirmware: () => Promise.reject(firmwareByUsb(names().id)),
  };
}

/** The error for a printer that was ordered to print and does not show it yet. */
export const notSeenYet = (id: string): ApiError =>
  operationFailed(
    `The printer "${id}" is not ready: it was told to print just now. Wait until its state shows what it does.`,
  );

/** The error for firmware: no version of the protocol has a command for it. */
export const firmwareByUsb = (id: string): ApiError =>
  operationFailed(
    `The printer "${id}" takes no firmware over the network: copy the maker's file to a USB stick and update it on its screen.`,
  );

function describe(
  id: string,
  printerType: PrinterType,
  host: HostView,
  isReceiving: boolean,
  isReady: boolean,
): GenericDevice {
  const connection = host.connection();
  const status = connection?.status();
  const doing = status ? statusText(status) : "Not connected";
  const isComplete = !status || isTransferring(status) || !isReceiving;
  return {
    id,
    product_name: printerType.productNames[0],
    status: isComplete ? doing : `${doing}; a job is on its way`,
    is_connected: connection !== undefined,
    connection_type: connection?.attributes().connectionType ?? "UNKNOWN",
    ip_address: host.ipAddress(),
    firmware_version: connection?.attributes().firmwareVersion || host.discoveryReply().firmwareVersion,
    ready_to_print_now: isReady,
  };
}
