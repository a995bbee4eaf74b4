import type { Acknowledged } from "./dialogue.ts";
import type { Commands } from "./message.ts";
import type { Sending } from "./sending.ts";
import { type Status, isIdle, isPrinting, printError, statusText } from "./status.ts";
import { pause } from "../waiting.ts";

/** What the acknowledgement of a start says (specification). */
const ACCEPTED = 0;
const BUSY = 1;
const REFUSALS: Readonly<Record<number, string>> = {
  [BUSY]: "it stays busy",
  2: "it does not find the file",
  3: "the check sum of the file is wrong",
  4: "it cannot read the file",
  5: "the file is for another resolution",
  6: "it does not know the format of the file",
  7: "the file is for another machine",
};

/** The printer that a print is started on. */
export interface Startable {
  /** Asks for what it does now. Throws OPERATION_FAILED when it is lost. */
  fetchStatus(): Promise<Status>;
  /** Sends the command once. Rejects where no answer comes. */
  start(data: Commands["start"]): Promise<Acknowledged>;
}

/**
 * Starts the print of a file that is on the printer and waits until it has begun. A printer is busy for some seconds after a file arrived: the
 * start is sent again then, and only then. Where no answer comes, the printer may have begun all the same, so it is only watched.
 */
export async function startPrint(sending: Sending, fileName: string, printer: Startable): Promise<void> {
  const { job, timing, signal, enter, refused } = sending;
  enter({ doing: "the job was to be started", left: `"${fileName}" is on it and was not started: start it there.` });
  if (isPrinting(await printer.fetchStatus())) throw refused("another print has begun on it");
  job.task.commit(fileName);
  const endMs = performance.now() + timing.startMs;
  for (;;) {
    const ack = await printer.start({ Filename: fileName, StartLayer: 0 }).then(
      (data) => Number(data.Ack),
      () => undefined,
    );
    if (ack === ACCEPTED || ack === undefined) break;
    if (ack !== BUSY || performance.now() + timing.startRetryMs > endMs) {
      throw refused(REFUSALS[ack] ?? `it answers the start with ${ack}`);
    }
    await pause(timing.startRetryMs, signal);
    const status = await printer.fetchStatus();
    if (hasBegun(status, fileName)) return;
    if (isPrinting(status)) throw refused("another print has begun on it");
  }
  await confirm(sending, fileName, printer);
}

/** Waits until the print shows in the status. */
async function confirm(
  { timing, signal, enter, refused }: Sending,
  fileName: string,
  printer: Startable,
): Promise<void> {
  enter({
    doing: "the job was started",
    left: `"${fileName}" is on it: look whether it prints, before you start it there or send it again.`,
  });
  const endMs = performance.now() + timing.confirmMs;
  for (;;) {
    const status = await printer.fetchStatus();
    const error = status.print.fileName === fileName ? printError(status) : undefined;
    if (error !== undefined) throw refused(`it gave up the print: ${error}`);
    if (hasBegun(status, fileName)) return;
    if (performance.now() >= endMs) {
      const what = isIdle(status) ? "it did not begin to print" : `it does something else: ${statusText(status)}`;
      throw refused(what);
    }
    await pause(timing.transferPollMs, signal);
  }
}

/** An idle printer keeps the file name of its last print, but no id of a task. */
const hasBegun = (status: Status, fileName: string): boolean =>
  (isPrinting(status) || status.print.taskId !== "") && ["", fileName].includes(status.print.fileName);
