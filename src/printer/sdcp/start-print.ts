import { CancelledError } from "../../core/progress.ts";
import type { Acknowledged } from "./dialogue.ts";
import type { Commands } from "./message.ts";
import type { JobTransfer } from "./job-transfer.ts";
import { type Status, isIdle, isPrinting, printError, statusText } from "./status.ts";
import { pause } from "../waiting.ts";

/** Acknowledgements of a start (specification). */
const ACCEPTED = 0;
const BUSY = 1;
const REFUSALS: Readonly<Record<number, string>> = {
  [BUSY]: "it stays busy: wait until it is ready and send the job again",
  2: "it does not find the file: send the job again",
  3: "the check sum of the file is wrong: send the job again",
  4: "it cannot read the file: restart it and send the job again",
  5: "the file is for another resolution: choose the scene's machine type after the printer",
  6: "it does not know the format of the file: update its firmware",
  7: "the file is for another machine: choose the scene's machine type after the printer",
};

/** The commands of a printer that a start needs. */
export interface Startable {
  /** Asks for the current status. Throws OPERATION_FAILED when the printer is lost. */
  fetchStatus(): Promise<Status>;
  /** Sends the start once. Rejects where no answer arrives. */
  start(data: Commands["start"]): Promise<Acknowledged>;
  /** Deletes the file, which was not started, from the printer; absent where the protocol has no command for that. */
  remove?(): void;
}

/**
 * Starts the print of a file on the printer and waits until it has begun. A printer is busy for some seconds after a transfer: only then is
 * the start sent again. Where no answer arrives, the printer may have begun, so it is only watched. Where the printer refuses the start,
 * another printer may get the job (`JobTask.withdraw`), and the file is deleted where that is possible.
 */
export async function startPrint(transfer: JobTransfer, fileName: string, printer: Startable): Promise<void> {
  const { job, enter, ordered } = transfer;
  const wayOut = printer.remove ? "it is being deleted there" : "delete it there";
  enter({ doing: "the job was to be started", left: `"${fileName}" is on it and was not started: ${wayOut}` });
  try {
    await order(transfer, fileName, printer);
  } catch (thrown) {
    job.task.withdraw?.();
    // The caller that transferred the file removes it after a cancel.
    if (!(thrown instanceof CancelledError)) printer.remove?.();
    throw thrown;
  }
  ordered();
  await confirm(transfer, fileName, printer);
}

/** Sends the start until the printer accepts it, or does not answer. Throws where the print has certainly not begun. */
async function order(
  { job, timing, signal, refused }: JobTransfer,
  fileName: string,
  printer: Startable,
): Promise<void> {
  if (isPrinting(await printer.fetchStatus())) throw refused(OTHER_PRINT);
  job.task.commit(fileName);
  const endMs = performance.now() + timing.startMs;
  for (;;) {
    const ack = await printer.start({ Filename: fileName, StartLayer: 0 }).then(
      (data) => Number(data.Ack),
      () => undefined,
    );
    if (ack === ACCEPTED || ack === undefined) return;
    if (ack !== BUSY || performance.now() + timing.startRetryMs > endMs) {
      throw refused(REFUSALS[ack] ?? `it answers the start with ${ack}: look at its screen`);
    }
    await pause(timing.startRetryMs, signal);
    const status = await printer.fetchStatus();
    if (hasBegun(status, fileName)) return;
    if (isPrinting(status)) throw refused(OTHER_PRINT);
  }
}

const OTHER_PRINT = "another print has begun on it: wait until that has ended and send the job again";

/** Advice where it is unknown whether a print has begun. */
const LOOK = "look whether it prints, before you start it there or send it again";

/** Waits until the status shows the print. */
async function confirm(
  { timing, signal, enter, refused }: JobTransfer,
  fileName: string,
  printer: Startable,
): Promise<void> {
  enter({
    doing: "the job was started",
    left: `"${fileName}" is on it`,
    wayOut: LOOK,
  });
  const endMs = performance.now() + timing.confirmMs;
  for (;;) {
    const status = await printer.fetchStatus();
    const error = status.print.fileName === fileName ? printError(status) : undefined;
    if (error !== undefined) throw refused(`it gave up the print: ${error}`);
    if (hasBegun(status, fileName)) return;
    if (performance.now() >= endMs) {
      const what = isIdle(status) ? "it did not begin to print" : `it does something else (${statusText(status)})`;
      throw refused(`${what}: ${LOOK}`);
    }
    await pause(timing.transferPollMs, signal);
  }
}

/** An idle printer keeps the file name of its last print, but not the id of its task. */
const hasBegun = (status: Status, fileName: string): boolean =>
  (isPrinting(status) || status.print.taskId !== "") && ["", fileName].includes(status.print.fileName);
