import { ApiError, operationFailed } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { CancelledError } from "../../core/progress.ts";
import { HttpFailure } from "../http-failure.ts";
import { jobNameOnPrinter } from "../job-name-on-printer.ts";
import type { PrintJob } from "../printer.ts";
import { SLICED_SHARE, type SpooledJob } from "../spooled-job.ts";
import { type Machine, MachineRefusal, type MachineStatus, type PollTiming } from "./machine.ts";
import { pause } from "../waiting.ts";

type Step =
  | "asking for its free storage"
  | "sending the job"
  | "looking whether the job arrived"
  | "starting the print";

/** Share of a request's progress at which the job is transferred. */
const SENT_SHARE = 0.95;

export interface TransferEvents {
  /** Called at once with the failure. */
  failed(thrown: unknown): void;
  /** Called when the machine has accepted the order to print, or may have. */
  ordered(): void;
}

/**
 * Transfers an archive to a machine, checks that it arrived and, with `printNow`, starts it once: an order to start is not repeated where
 * it is unknown whether it arrived. Throws OPERATION_FAILED, which names the step and what is left on the machine, and `CancelledError`;
 * then nothing of the job is left on a machine that still answers. Where the machine refused the start, another printer may get the job
 * (`JobTask.withdraw`).
 */
export async function transferToMachine(
  machine: Machine,
  job: PrintJob,
  spooled: SpooledJob,
  timing: PollTiming,
  { failed, ordered }: TransferEvents,
): Promise<void> {
  const { task } = job;
  const { signal } = task;
  let step: Step = "asking for its free storage";
  let fileName: string | undefined;
  let mayPrint = false;
  try {
    task.enterPhase(SLICED_SHARE, SENT_SHARE);
    await requireSpace(machine, spooled.bytes, signal);
    step = "sending the job";
    await whileBusy(timing, signal, () => uploadUnderFreeName(machine, job, spooled, (name) => (fileName = name)));
    task.enterPhase(SENT_SHARE, 1);
    step = "looking whether the job arrived";
    if (!(await machine.api.has(fileName!, spooled.bytes, signal)))
      throw operationFailed("its list of files lacks the job");
    task.commit(fileName);
    if (!job.printNow) return;
    step = "starting the print";
    const { api } = machine;
    const start = (never: AbortSignal): Promise<void> => api.start(fileName!, never);
    await startOnce({ start, status: (never) => api.status(never) }, timing, () => {
      mayPrint = true;
      ordered();
    });
  } catch (thrown) {
    failed(thrown);
    if (fileName !== undefined && mayPrint) throw withStep(machine.id, step, thrown, inDoubt(fileName));
    const left = fileName === undefined ? NOTHING_LEFT : await clearUp(machine, fileName, timing);
    task.withdraw?.();
    if (thrown instanceof CancelledError || signal.aborted) throw new CancelledError();
    throw withStep(machine.id, step, thrown, left);
  }
}

async function requireSpace(machine: Machine, bytes: number, signal: AbortSignal): Promise<void> {
  const free = await machine.api.freeBytes(signal);
  if (free === undefined || free >= bytes) return;
  throw operationFailed(`it has room for ${free} bytes, and the job has ${bytes}: delete files on it`);
}

/** Retries with a fresh name where the machine already has a file of this name. `onName` is called before a name is used. */
async function uploadUnderFreeName(
  machine: Machine,
  job: PrintJob,
  spooled: SpooledJob,
  onName: (fileName: string) => void,
): Promise<void> {
  const { task } = job;
  const upload = (id: string): Promise<void> => {
    const fileName = jobNameOnPrinter({ ...job, id }, new Set());
    onName(fileName);
    const onSent = (bytes: number): void => task.report(Math.min(1, bytes / spooled.bytes));
    return machine.api.upload(fileName, spooled, task.signal, onSent, job);
  };
  try {
    await upload(job.id);
  } catch (thrown) {
    if (!(thrown instanceof MachineRefusal) || thrown.kind !== "name taken") throw thrown;
    await upload(newId());
  }
}

/** Repeats the work while the machine is busy, as it is for some seconds after it has received a file. */
async function whileBusy(
  timing: PollTiming,
  signal: AbortSignal | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + timing.retriesMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const mayAgreeLater = thrown instanceof MachineRefusal && thrown.kind === "busy";
      if (!mayAgreeLater || performance.now() >= end) throw thrown;
    }
    await pause(timing.retryMs, signal);
    if (signal?.aborted) throw new CancelledError();
  }
}

/**
 * Orders the print and waits until the status shows it. `onOrdered` is called once the machine may have begun. A cancel comes too late
 * here: only deadlines end the wait.
 */
export async function startOnce(
  machine: {
    start(never: AbortSignal): Promise<void>;
    status(never: AbortSignal): Promise<MachineStatus>;
  },
  timing: PollTiming,
  onOrdered: () => void,
): Promise<void> {
  const { signal } = new AbortController();
  let failure: HttpFailure | undefined;
  try {
    await whileBusy(timing, undefined, () => machine.start(signal));
  } catch (thrown) {
    if (!(thrown instanceof HttpFailure) || thrown.kind === "unreached") throw thrown;
    failure = thrown;
  }
  onOrdered();
  for (const end = performance.now() + timing.confirmMs; performance.now() < end; await pause(timing.retryMs / 2)) {
    const status = await machine.status(signal).catch(() => undefined);
    // Once the machine has accepted the order, an unreadable status is no failure of the job.
    if (status ? !status.isReady : !failure) return;
  }
  throw failure ?? operationFailed("it agreed, but shows no print");
}

export const NOTHING_LEFT = "Nothing of it is left there.";

/** Removes what is left of a job that certainly is not printed. Returns the sentence that says what is left then. */
async function clearUp(machine: Machine, fileName: string, timing: PollTiming): Promise<string> {
  try {
    await machine.api.remove(fileName, AbortSignal.timeout(timing.cleanupMs));
    return NOTHING_LEFT;
  } catch {
    return `What it has of ${JSON.stringify(fileName)} may be left there, which nothing starts: delete it at the printer.`;
  }
}

const inDoubt = (fileName: string): string =>
  `Whether it prints ${JSON.stringify(fileName)} is not known, and nothing orders it again: look at the printer.`;

/** The failure of a job, with the step in which it happened and with what is left of the job on the machine. */
export function withStep(id: string, step: string, thrown: unknown, left: string): unknown {
  if (!(thrown instanceof ApiError)) return thrown;
  return operationFailed(
    `The printer "${id}" did not take the job. While ${step}: ${thrown.message.replace(/\.$/, "")}. ${left}`,
  );
}
