import { CancelledError } from "../../core/progress.ts";
import type { Acknowledged } from "./dialogue.ts";
import type { Commands } from "./message.ts";
import type { JobTransfer } from "./job-transfer.ts";
import { type Status, isIdle, isPrinting, printError, statusText } from "./status.ts";
import { pause } from "../waiting.ts";

/** What the acknowledgement of a start says (specification). */
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

/** The printer that a print is started on. */
export interface Startable {
  /** Asks for what it does now. Throws OPERATION_FAILED when it is lost. */
  fetchStatus(): Promise<Status>;
  /** Sends the command once. Rejects where no answer comes. */
  start(data: Commands["start"]): Promise<Acknowledged>;
  /** Deletes the file, which was not started, from the printer; absent where it has no command for that. */
  remove?(): void;
}

/**
 * Starts the print of a file that is on the printer and waits until it has begun. A printer is busy for some seconds after a file arrived: the
 * start is sent again then, and only then. Where no answer comes, the printer may have begun all the same, so it is only watched. A start that
 * the printer refused leaves the job to others (`JobTask.withdraw`), and no file behind where it can be deleted.
 */
export async function startPrint(sending: JobTransfer, fileName: string, printer: Startable): Promise<void> {
  const { job, enter, ordered } = sending;
  const wayOut = printer.remove ? "it is being deleted there" : "delete it there";
  enter({ doing: "the job was to be started", left: `"${fileName}" is on it and was not started: ${wayOut}` });
  try {
    await order(sending, fileName, printer);
  } catch (thrown) {
    job.task.withdraw?.();
    // What is cancelled is removed by whoever has sent it.
    if (!(thrown instanceof CancelledError)) printer.remove?.();
    throw thrown;
  }
  ordered();
  await confirm(sending, fileName, printer);
}

/** Sends the start until the printer agrees, or does not answer to it. Throws where it surely has not begun. */
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

/** Where nobody knows whether a print has begun. */
const LOOK = "look whether it prints, before you start it there or send it again";

/** Waits until the print shows in the status. */
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

/** An idle printer keeps the file name of its last print, but no id of a task. */
const hasBegun = (status: Status, fileName: string): boolean =>
  (isPrinting(status) || status.print.taskId !== "") && ["", fileName].includes(status.print.fileName);
