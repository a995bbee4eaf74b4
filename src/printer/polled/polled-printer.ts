import { operationFailed, withErrorPrefixAsync } from "../../core/api-error.ts";
import type { GenericDevice } from "../device.ts";
import type { PrintJob, Printer } from "../printer.ts";
import { HttpFailure } from "../http-failure.ts";
import { withSpooledJob } from "../spooled-job.ts";
import { SLICED, deliverJob } from "./deliver-job.ts";
import type { Machine, MachineStatus, Pace } from "./machine.ts";

/** The printer at the other end of a link, and the questions for its state. */
export interface PolledPrinter {
  readonly printer: Printer;
  readonly machine: Machine;
  /** Asks the machine for its state, which `printer` tells from then on. Throws what `MachineApi.status` throws. */
  poll(signal: AbortSignal): Promise<void>;
  /** Whether it answered lately, or is being sent a job that it shall print. */
  isConnected(): boolean;
  /** How long its state holds, ms. */
  pollAfterMs(): number;
}

/** `status` is what the machine just answered. */
export function newPolledPrinter(
  machine: Machine,
  ipAddress: string | undefined,
  status: MachineStatus,
  pace: Pace,
): PolledPrinter {
  let state = { status, heardMs: performance.now() };
  /** Whether a job has not reached it since it told its state last. */
  let isSilent = false;
  /** From the moment that a job to be printed is taken until that is done. */
  let isTaken = false;
  const { id, otherNames, printerType, firmwareVersion, firmwareWay, api } = machine;
  // One that receives a file may have no time for questions.
  const isConnected = (): boolean => isTaken || performance.now() - state.heardMs < pace.lostMs;
  const isReady = (): boolean => isConnected() && !isTaken && !isSilent && state.status.isReady;
  const poll = async (signal: AbortSignal): Promise<void> => {
    state = { status: await api.status(signal), heardMs: performance.now() };
    isSilent = false;
  };
  const noteFailure = (thrown: unknown): void => {
    if (thrown instanceof HttpFailure && thrown.kind !== "unusable") isSilent = true;
  };
  const busy = (what: string): Error =>
    operationFailed(
      `The printer "${id}" is not ready (${what}): wait until it is, or send the job to be held, with print_now false.`,
    );

  async function deliver(job: PrintJob): Promise<void> {
    if (machine.problem) throw operationFailed(`The printer "${id}" takes no jobs: ${machine.problem.message}.`);
    // What is known may be old, and slicing takes minutes.
    await withErrorPrefixAsync(`The printer "${id}" does not tell its state`, () =>
      poll(job.task.signal).catch((thrown: unknown) => {
        noteFailure(thrown);
        throw thrown;
      }),
    );
    if (job.printNow && !state.status.isReady) throw busy(state.status.text);
    job.task.enterPhase(0, SLICED);
    await withSpooledJob(job, (spooled) => deliverJob(machine, job, spooled, pace, noteFailure));
    if (job.printNow) await poll(job.task.signal).catch(() => {});
  }

  const describe = (): GenericDevice => ({
    id,
    product_name: machine.unknownModel ?? printerType.productNames[0],
    status: isTaken ? "Receiving a job" : isSilent ? "Does not answer" : state.status.text,
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
    takesJobs: () => isConnected() && !isSilent && !machine.problem,
    async take(job) {
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
    pollAfterMs: () => (state.status.isReady ? pace.idlePollMs : pace.busyPollMs),
  };
}
