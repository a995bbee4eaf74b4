import { operationFailed } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import { HttpFailure } from "../http-failure.ts";
import type { SpooledJob } from "../spooled-job.ts";
import { jobNameOnPrinter } from "../job-name-on-printer.ts";
import type { JobTransfer } from "./job-transfer.ts";
import type { Connection } from "./connection.ts";
import { type Startable, startPrint } from "./start-print.ts";
import { type Status, canReceive, isIdle, isPrinting, isTransferring, statusText } from "./status.ts";
import { PartRefused, type Upload, md5OfFile, sendFile } from "./upload.ts";
import { pause } from "../waiting.ts";

/** Folder of the files on a printer. */
const FOLDER = "/local";

/** Throws OPERATION_FAILED where the status of a printer shows that it cannot accept a job now. */
export function requireReceptive(id: string, status: Status, printNow: boolean): void {
  if (printNow ? isIdle(status) : canReceive(status)) return;
  const wayOut = printNow && canReceive(status) ? ", or send the job to be held, with print_now false" : "";
  throw operationFailed(`The printer "${id}" is not ready: ${statusText(status)}. Wait until it is${wayOut}.`);
}

/**
 * Transfers the archive of a job to a printer and, with `printNow`, starts it there. Only the list of files shows whether it arrived: the
 * printer accepts every upload, and silently drops files that it cannot use.
 */
export async function transferSdcpJob(transfer: JobTransfer, archive: SpooledJob): Promise<void> {
  const { job } = transfer;
  /** The name of the file, while it may be on the printer and nothing has started it. */
  let unstarted: string | undefined;
  try {
    const fileName = await requireAccepted(transfer, archive.bytes);
    const beganMs = performance.now();
    // Set before the upload, since a request may be cancelled while the answer to the last part is on its way.
    unstarted = fileName;
    await upload(transfer, archive, fileName);
    await untilChecked(transfer, fileName, archive.bytes, beganMs);
    await requireListed(transfer, fileName);
    if (!job.printNow) return job.task.commit(fileName);
    await startPrint(transfer, fileName, startable(transfer, fileName));
  } catch (thrown) {
    // A cancelled request must change nothing.
    if (thrown instanceof CancelledError && unstarted !== undefined) void removeFile(transfer, unstarted);
    throw thrown;
  }
}

function startable(transfer: JobTransfer, fileName: string): Startable {
  const { host, ask } = transfer;
  return {
    remove: () => void removeFile(transfer, fileName),
    fetchStatus: () => ask((connection) => connection.fetchStatus()),
    async start(data) {
      const connection = host.connection();
      if (!connection) throw new Error("there is no connection");
      return connection.send("start", data);
    },
  };
}

/** Checks whether the printer accepts the file. Returns the name for it. */
async function requireAccepted({ id, job, ask }: JobTransfer, bytes: number): Promise<string> {
  // Minutes may have passed since the last status.
  requireReceptive(id, await ask((connection) => connection.fetchStatus()), job.printNow);
  const { freeBytes = Infinity, fileTypes } = await ask((connection) => connection.fetchAttributes());
  if (freeBytes <= bytes) {
    throw operationFailed(
      `The printer "${id}" has ${freeBytes} bytes free, and the job has ${bytes}: delete files on it. Nothing was sent.`,
    );
  }
  const type = job.extension.slice(1).toUpperCase();
  if (fileTypes.length > 0 && !fileTypes.includes(type)) {
    throw operationFailed(
      `The printer "${id}" takes files of the types ${fileTypes.join(", ").slice(0, 200)}, and the job is ${type}: update its firmware. Nothing was sent.`,
    );
  }
  return jobNameOnPrinter(job, await ask(fileNamesOf));
}

/** Advice where a printer was lost and nothing of the job can start there. */
export const SEND_AGAIN = "send the job again";

/** How often a broken upload is repeated. */
const RETRIES = 1;

/** Sends the file. */
async function upload(transfer: JobTransfer, { path, bytes }: SpooledJob, fileName: string): Promise<void> {
  const { job, host, timing, signal, enter, refused, lost } = transfer;
  const file: Upload = {
    host: host.ipAddress(),
    port: host.address.port,
    path,
    bytes,
    md5: await md5OfFile(path, job.task),
    fileName,
  };
  enter({
    doing: "the job was sent to it",
    left: `"${fileName}", whole or a part of it, may be left on it, and nothing starts it`,
    wayOut: SEND_AGAIN,
  });
  job.task.enterPhase(0.6, 0.9);
  for (let retry = 0; ; retry++) {
    try {
      return await sendFile(file, timing, job.task, signal);
    } catch (thrown) {
      if (thrown instanceof PartRefused) throw refused(thrown.message);
      if (!(thrown instanceof HttpFailure)) throw thrown;
      if (retry === RETRIES) throw lost(thrown.message);
      // The upload is repeated from its beginning: continuing in the middle is not known to work.
      await pause(timing.retryMs, signal);
    }
  }
}

/** Reasons that a printer reports for dropping a file. */
const TRANSFER_ERRORS: Readonly<Record<number, string>> = {
  1: `what arrived is not what was sent, by its check sum: ${SEND_AGAIN}`,
  2: "it does not know the format of the file: update its firmware",
};

/** Waits until the printer has checked the file. Errors of transfers before `sentMs` are ignored. */
async function untilChecked(transfer: JobTransfer, fileName: string, bytes: number, sentMs: number): Promise<void> {
  const { job, host, timing, signal, enter, ask, refused, lost } = transfer;
  enter({
    doing: "it checked the job",
    left: `"${fileName}" may be left on it and was not started`,
    wayOut: SEND_AGAIN,
  });
  job.task.enterPhase(0.9, 1);
  const beganMs = performance.now();
  const checkMs = timing.transferMs + (timing.transferPerMibMs * bytes) / 2 ** 20;
  for (;;) {
    const status = await ask((connection) => connection.fetchStatus()).catch((thrown: Error) => {
      // It may be too busy with the check to answer.
      if (thrown instanceof CancelledError || !host.connection()) throw thrown;
      return undefined;
    });
    const error = host.connection()?.transferError();
    if (error && error.atMs >= sentMs) {
      throw refused(
        TRANSFER_ERRORS[error.code] ?? `it reports the error ${error.code} of the transfer: look at its screen`,
      );
    }
    if (status && !isTransferring(status)) return;
    const passedMs = performance.now() - beganMs;
    if (passedMs > checkMs) throw lost(`it did not end within ${Math.round(checkMs / 1000)} s`);
    job.task.report(passedMs / checkMs);
    await pause(timing.transferPollMs, signal);
  }
}

async function requireListed({ ask, refused }: JobTransfer, fileName: string): Promise<void> {
  if ((await ask(fileNamesOf)).has(fileName)) return;
  throw refused("it dropped the file when it checked it: choose the scene's machine type after the printer");
}

/** Most entries of a list of files that are read. */
const MAX_FILES = 100_000;

/** Reads the names of the files on a printer. */
async function fileNamesOf(connection: Connection): Promise<ReadonlySet<string>> {
  const { Ack: ack, FileList: files } = await connection.send("list", { Url: FOLDER });
  if (ack !== 0 || !Array.isArray(files)) throw new Error("it does not list its files");
  const names = files.slice(0, MAX_FILES).flatMap((file: { name?: unknown } | null) => {
    // Some firmware gives paths, some gives names.
    const name = String(file?.name);
    return name.slice(name.lastIndexOf("/") + 1);
  });
  return new Set(names);
}

/**
 * How often a file is removed: a printer that has just received the last part may look idle before it checks the file, and the file appears
 * again after that check.
 */
const REMOVALS = 2;

/** Removes a transferred file that the printer may still check, unless the printer prints by then. Asks again where no answer arrives. */
async function removeFile({ host, timing }: JobTransfer, fileName: string): Promise<void> {
  const endMs = performance.now() + timing.transferMs;
  let removals = 0;
  while (performance.now() < endMs && !host.closing.aborted) {
    const connection = host.connection();
    const status = await connection?.fetchStatus().catch(() => undefined);
    if (status && isPrinting(status)) return;
    if (connection && status && !isTransferring(status)) {
      const removed = connection.send("remove", { FileList: [`${FOLDER}/${fileName}`], FolderList: [] });
      if (await removed.catch(() => undefined)) removals++;
      if (removals === REMOVALS) return;
    }
    await pause(timing.transferPollMs, host.closing);
  }
}
