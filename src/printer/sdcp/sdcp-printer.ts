import { printableMachineTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type ApiError, operationFailed } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { withSpooledJob } from "../spooled-job.ts";
import { newStartWatch } from "../start-watch.ts";
import { requireReceptive, transferJob } from "./transfer-job.ts";
import { newJobTransfer } from "./job-transfer.ts";
import type { HostView } from "./watched-host.ts";
import { type Status, canReceive, isIdle, isTransferring, statusText } from "./status.ts";
import type { Timing } from "./timing.ts";
import { untilAborted } from "../waiting.ts";

/** What its protocol knows of a printer beside its site. */
export interface SdcpPrinterOptions {
  readonly site: HostView;
  readonly printerType: PrinterType;
  readonly timing: Timing;
  /** The name under which it is listed, and others for it; they depend on which other printers there are. */
  names(): { readonly id: string; readonly others: readonly string[] };
}

/** Share of a request's progress until the archive is written; then it is sent and checked. */
export const SLICED = 0.6;

/** A printer that speaks version 3 of the protocol. */
export function newSdcpPrinter({ site, printerType, timing, names }: SdcpPrinterOptions): Printer {
  /** Whether a job with `printNow` is on its way. */
  let isTaken = false;
  let transfers: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const startWatch = newStartWatch(timing.busyPollMs);
  site.onStatus((status) => startWatch.saw(isIdle(status)));

  /** One job after the other is sent. */
  function inTurn(job: PrintJob, work: () => Promise<void>): Promise<void> {
    waiting++;
    const mine = transfers.then(() => {
      job.task.throwIfCancelled();
      return work();
    });
    transfers = mine.catch(() => {}).finally(() => waiting--);
    return untilAborted(mine, AbortSignal.any([job.task.signal, site.closing]));
  }

  const isReady = (): boolean => {
    const connection = site.connection();
    const isFree = !isTaken && waiting === 0 && !startWatch.mayPrint();
    return connection !== undefined && isFree && isIdle(connection.status());
  };

  async function send(job: PrintJob): Promise<void> {
    const sending = newJobTransfer({ id: names().id, site, timing, ordered: startWatch.ordered }, job);
    job.task.enterPhase(0, SLICED);
    const askStatus = (): Promise<Status> => sending.ask((connection) => connection.fetchStatus());
    let status = await askStatus();
    if (job.printNow && isIdle(status) && startWatch.mayPrint()) status = await askStatus();
    // While another job of ours is sent, it is asked when this one's turn comes.
    if (waiting === 0) requireReceptive(sending.id, status, job.printNow);
    if (job.printNow && startWatch.mayPrint()) throw notSeenYet(sending.id);
    await withSpooledJob(job, (archive) => inTurn(job, () => transferJob(sending, archive)));
  }

  async function print(job: PrintJob): Promise<void> {
    if (isTaken || waiting > 0) {
      throw operationFailed(
        `The printer "${names().id}" is busy with another job that is sent to it: wait until it is ready, or send the job to be held, ` +
          "with print_now false.",
      );
    }
    isTaken = true;
    try {
      await send(job);
    } finally {
      isTaken = false;
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
    describe: () => describe(names().id, printerType, site, isTaken || waiting > 0, isReady()),
    isReady,
    acceptsJobs() {
      const connection = site.connection();
      return connection !== undefined && canReceive(connection.status());
    },
    submit: (job) => (job.printNow ? print(job) : send(job)),
    installFirmware: () => Promise.reject(firmwareByUsb(names().id)),
  };
}

/** The refusal of a printer that was told to print and does not show it. */
export const notSeenYet = (id: string): ApiError =>
  operationFailed(
    `The printer "${id}" is not ready: it was told to print just now. Wait until its state shows what it does.`,
  );

/** Neither version of the protocol has a command for firmware. */
export const firmwareByUsb = (id: string): ApiError =>
  operationFailed(
    `The printer "${id}" takes no firmware over the network: copy the maker's file to a USB stick and update it on its screen.`,
  );

function describe(
  id: string,
  printerType: PrinterType,
  site: HostView,
  isReceiving: boolean,
  isReady: boolean,
): GenericDevice {
  const connection = site.connection();
  const status = connection?.status();
  const doing = status ? statusText(status) : "Not connected";
  const isToldSo = !status || isTransferring(status) || !isReceiving;
  return {
    id,
    product_name: printerType.productNames[0],
    status: isToldSo ? doing : `${doing}; a job is on its way`,
    is_connected: connection !== undefined,
    connection_type: connection?.attributes().connectionType ?? "UNKNOWN",
    ip_address: site.address(),
    firmware_version: connection?.attributes().firmwareVersion || site.announcement().firmwareVersion,
    ready_to_print_now: isReady,
  };
}
