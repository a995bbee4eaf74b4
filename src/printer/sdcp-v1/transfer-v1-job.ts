import { ApiError } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import { jobNameOnPrinter } from "../job-name-on-printer.ts";
import type { SpooledJob } from "../spooled-job.ts";
import { SEND_AGAIN, requireReceptive } from "../sdcp/transfer-sdcp-job.ts";
import type { JobTransfer } from "../sdcp/job-transfer.ts";
import { type Startable, startPrint } from "../sdcp/start-print.ts";
import { type Status, isTransferring } from "../sdcp/status.ts";
import { md5OfFile } from "../sdcp/upload.ts";
import { pause, untilAborted } from "../waiting.ts";
import { type FileListener, serveFile } from "./file-listener.ts";
import { type V1Connection, openV1Connection } from "./v1-connection.ts";

/** Values of `FileTransferInfo.Status`. */
const DONE = 2;
const FAILED = 3;

/** The printer's progress with a file that it fetches. */
interface Fetch {
  readonly fileName: string;
  readonly bytes: number;
  /** Bytes that were sent, and bytes that the printer reported to have. */
  sentBytes: number;
  reportedBytes: number;
  /** When either last grew (`performance.now`). */
  movedMs: number;
  /** How the fetch ended, once the printer has reported it. It may report the end only once. */
  end?: typeof DONE | typeof FAILED;
}

/**
 * Has a printer of version 1 fetch the archive of a job from this machine at `ownAddress` and, with `printNow`, start it. Nothing listens
 * afterwards.
 */
export async function transferV1Job(transfer: JobTransfer, ownAddress: string, archive: SpooledJob): Promise<void> {
  const { id, job, host, timing, signal } = transfer;
  const { path, bytes } = archive;
  const fileName = jobNameOnPrinter(job, new Set());
  const fetch: Fetch = { fileName, bytes, sentBytes: 0, reportedBytes: 0, movedMs: performance.now() };
  const onStatus = (status: Status): void => noteStatus(fetch, status);
  const md5 = await md5OfFile(path, job.task);
  const connection = await openV1Connection({ host, ownAddress, timing, onStatus }, signal).catch((thrown: Error) => {
    // Where this machine cannot listen, the printer was not asked.
    throw thrown instanceof ApiError ? thrown : lostError(transfer, thrown);
  });
  let listener: FileListener | undefined;
  try {
    // Minutes may have passed since its last status.
    requireReceptive(id, connection.status(), true);
    const clientAddress = host.ipAddress();
    const extension = job.extension.toLowerCase();
    const sent = (count: number): void => noteSent(fetch, count);
    listener = await serveFile({ host: ownAddress, clientAddress, path, bytes, md5, extension, sent });
    await orderFetch(transfer, connection, { ...fetch, md5, listener });
    await untilFetched(transfer, connection, fetch);
    job.task.enterPhase(0.9, 1);
    listener.close();
    if (job.printNow) await startPrint(transfer, fileName, startableOver(transfer, connection));
    else job.task.commit(fileName);
    await connection.send("disconnect", {}).catch(() => {});
  } finally {
    listener?.close();
    connection.close();
  }
}

/** The error for a failure of the connection: of a printer that was lost, unless the request was cancelled. */
const lostError = ({ signal, lost }: JobTransfer, thrown: Error): Error =>
  signal.aborted ? thrown : lost(thrown.message);

const startableOver = (transfer: JobTransfer, connection: V1Connection): Startable => ({
  fetchStatus: () => answered(transfer, connection.fetchStatus()),
  start: (data) => connection.send("start", data),
});

/** Waits for an answer of the printer. Throws {@link lostError}. */
const answered = <T>(transfer: JobTransfer, answer: Promise<T>): Promise<T> =>
  untilAborted(answer, transfer.signal).catch((thrown: Error) => {
    throw lostError(transfer, thrown);
  });

interface FetchOrder extends Fetch {
  readonly md5: string;
  readonly listener: FileListener;
}

/** Orders the printer to fetch the file. Throws OPERATION_FAILED where it refuses. */
async function orderFetch(
  transfer: JobTransfer,
  connection: V1Connection,
  { fileName, bytes, md5, listener }: FetchOrder,
): Promise<void> {
  const { job, enter, refused } = transfer;
  enter({
    doing: "it fetched the job",
    left: `"${fileName}", whole or a part of it, may be left on it, and nothing starts it`,
    wayOut: SEND_AGAIN,
  });
  job.task.enterPhase(0.6, 0.9);
  const order = {
    Check: 0,
    CleanCache: 1,
    Compress: 0,
    FileSize: bytes,
    Filename: fileName,
    MD5: md5,
    // The printer inserts the address to which it has connected.
    URL: `http://\${ipaddr}:${listener.port}${listener.path}`,
  };
  const { Ack: ack } = await answered(transfer, connection.send("fetchFile", order));
  if (ack !== 0) throw refused(`it answers the request to fetch it with ${JSON.stringify(ack)}: look at its screen`);
}

async function untilFetched(
  { job, timing, signal, refused, lost }: JobTransfer,
  connection: V1Connection,
  fetch: Fetch,
): Promise<void> {
  let isLost = false;
  void connection.ended.then(() => (isLost = true));
  for (;;) {
    if (signal.aborted) throw new CancelledError();
    if (fetch.end === DONE) return;
    if (fetch.end === FAILED) throw refused(`the check sum of what it fetched is wrong: ${SEND_AGAIN}`);
    if (isLost) throw lost("it ended the connection");
    if (performance.now() - fetch.movedMs > timing.stalledMs) {
      throw lost(
        `it fetched ${fetch.sentBytes} of ${fetch.bytes} bytes and no more within ${timing.stalledMs / 1000} s`,
      );
    }
    job.task.report(fetch.sentBytes / fetch.bytes);
    await pause(timing.transferPollMs, signal);
    // The printer reports its status rarely by itself, so it is asked. Late answers are ignored: any report of the end counts.
    await untilAborted(connection.fetchStatus(), signal).catch(() => {});
  }
}

function noteSent(fetch: Fetch, count: number): void {
  fetch.sentBytes = Math.max(fetch.sentBytes, count);
  fetch.movedMs = performance.now();
}

function noteStatus(fetch: Fetch, status: Status): void {
  const { status: state, fileName, bytes } = status.transfer;
  if (fileName !== fetch.fileName) return;
  if (state === FAILED || (state === DONE && !isTransferring(status))) fetch.end = state;
  if (isTransferring(status) && bytes > fetch.reportedBytes) {
    fetch.reportedBytes = bytes;
    fetch.movedMs = performance.now();
  }
}
