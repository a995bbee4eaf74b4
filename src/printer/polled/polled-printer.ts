import { operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { HttpFailure } from "../http-failure.ts";
import { withSpooledJob } from "../spooled-job.ts";
import type { StartWatch } from "../start-watch.ts";
import { SLICED, transferJob } from "./transfer-job.ts";
import type { Machine, MachineStatus, PollTiming } from "./machine.ts";

/** The printer at the other end of a link, and the questions for its state. */
export interface PolledPrinter {
  readonly printer: Printer;
  readonly machine: Machine;
  /** Asks the machine for its state, which `printer` tells from then on. Throws what `MachineApi.status` throws. */
  poll(signal: AbortSignal): Promise<void>;
  /** Whether it answered lately, or is being sent a job that it shall print. */
  isConnected(): boolean;
  /** Why it was not reached last; undefined where it always was. */
  failure(): string | undefined;
  /** How long its state holds, ms. */
  pollAfterMs(): number;
}

interface PolledPrinterOptions {
  readonly machine: Machine;
  readonly ipAddress: string | undefined;
  /** What the machine just answered. */
  readonly status: MachineStatus;
  /** Of the host, since it outlives the connections to the machine. */
  readonly startWatch: StartWatch;
  readonly timing: PollTiming;
}

export function newPolledPrinter({
  machine,
  ipAddress,
  status,
  startWatch,
  timing,
}: PolledPrinterOptions): PolledPrinter {
  const heard = (now: MachineStatus): { readonly status: MachineStatus; readonly heardMs: number } => {
    startWatch.saw(now.isReady);
    return { status: now, heardMs: performance.now() };
  };
  let state = heard(status);
  /** Whether the last call of a job, or for the state, did not reach it. */
  let isSilent = false;
  /** Whether it took no connection then. */
  let isRefused = false;
  let failure: string | undefined;
  /** From the moment that a job to be printed is taken until that is done. */
  let isTaken = false;
  const { id, otherNames, printerType, firmwareVersion, firmwareWay, api } = machine;
  // One that receives a file may have no time for questions.
  const isConnected = (): boolean => isTaken || (!isRefused && performance.now() - state.heardMs < timing.lostMs);
  const isFree = (): boolean => state.status.isReady && !startWatch.mayPrint();
  const isReady = (): boolean => isConnected() && !isTaken && !isSilent && isFree();
  /** What it does, as far as it is known. */
  const statusText = (): string =>
    state.status.isReady && startWatch.mayPrint() ? "Was told to print, and does not show it yet" : state.status.text;
  const noteFailure = (thrown: unknown): void => {
    if (!(thrown instanceof HttpFailure) || thrown.kind === "unusable") return;
    isSilent = true;
    failure = thrown.message;
    if (thrown.kind === "unreached" && !thrown.isLate) isRefused = true;
  };
  const poll = async (signal: AbortSignal): Promise<void> => {
    try {
      state = heard(await api.status(signal));
      [isSilent, isRefused] = [false, false];
    } catch (thrown) {
      noteFailure(thrown);
      throw thrown;
    }
  };
  const busy = (what: string): Error =>
    operationFailed(
      `The printer "${id}" is not ready (${what}): wait until it is, or send the job to be held, with print_now false.`,
    );

  async function deliver(job: PrintJob): Promise<void> {
    if (machine.problem) throw operationFailed(`The printer "${id}" takes no jobs: ${machine.problem.message}.`);
    // What is known may be old, and slicing takes minutes.
    await withErrorPrefixAsync(`The printer "${id}" does not tell its state`, async () => {
      await poll(job.task.signal);
      if (job.printNow && state.status.isReady && startWatch.mayPrint()) await poll(job.task.signal);
    });
    if (job.printNow && !isFree()) throw busy(statusText());
    job.task.enterPhase(0, SLICED);
    await withSpooledJob(job, (spooled) =>
      transferJob(machine, job, spooled, timing, { failed: noteFailure, ordered: startWatch.ordered }),
    );
    if (job.printNow) await poll(job.task.signal).catch(() => {});
  }

  const describe = (): GenericDevice => ({
    id,
    product_name: machine.unknownModel ?? printerType.productNames[0],
    status: isTaken ? "Receiving a job" : isSilent ? "Does not answer" : statusText(),
    is_connected: isConnected(),
    connection_type: "UNKNOWN",
    ...(ipAddress !== undefined && { ip_address: ipAddress }),
    firmware_version: firmwareVersion,
    ready_to_print_now: isReady(),
  });

  const printer: Printer = {
    id,
    label: machine.unknownModel ?? printerType.label,
    unknownModel: machine.unknownModel,
    otherNames,
    printerType,
    machineTypes: machine.machineTypes,
    describe,
    isReady,
    acceptsJobs: () => isConnected() && !isSilent && !machine.problem,
    async submit(job) {
      if (!job.printNow) return deliver(job);
      if (isTaken) throw busy("it receives a job");
      isTaken = true;
      try {
        await deliver(job);
      } finally {
        isTaken = false;
      }
    },
    async installFirmware() {
      throw operationFailed(`The printer "${id}" takes no firmware over the network: ${firmwareWay}.`);
    },
  };
  return {
    printer,
    machine,
    poll,
    isConnected,
    failure: () => failure,
    pollAfterMs: () => (isFree() ? timing.idlePollMs : timing.busyPollMs),
  };
}
