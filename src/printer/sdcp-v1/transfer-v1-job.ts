import { ApiError } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import { jobNameOnPrinter } from "../job-name-on-printer.ts";
import type { SpooledJob } from "../spooled-job.ts";
import { SEND_AGAIN, requireReceptive } from "../sdcp/transfer-job.ts";
import type { JobTransfer } from "../sdcp/job-transfer.ts";
import { startPrint } from "../sdcp/start-print.ts";
import { type Status, isTransferring } from "../sdcp/status.ts";
import { md5OfFile } from "../sdcp/upload.ts";
import { pause, untilAborted } from "../waiting.ts";
import { type FileListener, serveFile } from "./file-listener.ts";
import { type V1Connection, openV1Connection } from "./v1-connection.ts";

/** `FileTransferInfo.Status`. */
const DONE = 2;
const FAILED = 3;

/** How the printer gets on with a file. */
interface Fetching {
  /** Bytes that have gone out, and that it has told to have. */
  sent: number;
  told: number;
  /** When it moved last (`performance.now`). */
  movedMs: number;
  /** What it has told of the end: it may tell that once only. */
  end?: typeof DONE | typeof FAILED;
}

/** Has a printer of version 1 fetch the archive of a job from this machine and, with `printNow`, start it. Nothing listens afterwards. */
export async function transferV1Job(sending: JobTransfer, host: string, { path, bytes }: SpooledJob): Promise<void> {
  const { id, job, site, timing, signal, enter, refused, lost } = sending;
  const fileName = jobNameOnPrinter(job, new Set());
  const fetching: Fetching = { sent: 0, told: 0, movedMs: performance.now() };
  const heard = (status: Status): void => note(fetching, status, fileName);
  const md5 = await md5OfFile(path, job.task);
  const lostBy = (thrown: Error): never => {
    throw signal.aborted ? thrown : lost(thrown.message);
  };
  const connection = await openV1Connection({ site, host, timing, heard }, signal).catch((thrown: Error) => {
    // Where this machine cannot listen, the printer was not asked.
    throw thrown instanceof ApiError ? thrown : lostBy(thrown);
  });
  let listener: FileListener | undefined;
  try {
    // Minutes may have passed since it told its status.
    requireReceptive(id, connection.status(), true);
    const sent = (count: number): void => {
      fetching.sent = Math.max(fetching.sent, count);
      fetching.movedMs = performance.now();
    };
    listener = await serveFile({
      host,
      clientAddress: site.address(),
      path,
      bytes,
      md5,
      extension: job.extension.toLowerCase(),
      sent,
    });
    enter({
      doing: "it fetched the job",
      left: `"${fileName}", whole or a part of it, may be left on it, and nothing starts it`,
      wayOut: SEND_AGAIN,
    });
    job.task.enterPhase(0.6, 0.9);
    const { Ack: ack } = await untilAborted(
      connection.send("fetchFile", {
        Check: 0,
        CleanCache: 1,
        Compress: 0,
        FileSize: bytes,
        Filename: fileName,
        MD5: md5,
        // The printer puts in the address to which it has connected.
        URL: `http://\${ipaddr}:${listener.port}${listener.path}`,
      }),
      signal,
    ).catch(lostBy);
    if (ack !== 0) throw refused(`it answers the request to fetch it with ${JSON.stringify(ack)}: look at its screen`);
    await untilFetched(sending, connection, fetching, bytes);
    job.task.enterPhase(0.9, 1);
    listener.close();
    if (job.printNow) {
      await startPrint(sending, fileName, {
        fetchStatus: () => untilAborted(connection.fetchStatus(), signal).catch(lostBy),
        start: (data) => connection.send("start", data),
      });
    } else job.task.commit(fileName);
    await connection.send("disconnect", {}).catch(() => {});
  } finally {
    listener?.close();
    connection.close();
  }
}

async function untilFetched(
  { job, timing, signal, refused, lost }: JobTransfer,
  connection: V1Connection,
  fetching: Fetching,
  bytes: number,
): Promise<void> {
  let isLost = false;
  void connection.ended.then(() => (isLost = true));
  for (;;) {
    if (signal.aborted) throw new CancelledError();
    if (fetching.end === DONE) return;
    if (fetching.end === FAILED) throw refused(`the check sum of what it fetched is wrong: ${SEND_AGAIN}`);
    if (isLost) throw lost("it ended the connection");
    if (performance.now() - fetching.movedMs > timing.stalledMs) {
      throw lost(`it fetched ${fetching.sent} of ${bytes} bytes and no more within ${timing.stalledMs / 1000} s`);
    }
    job.task.report(fetching.sent / bytes);
    await pause(timing.transferPollMs, signal);
    // It tells its status by itself, but seldom. A late answer is no harm: the end is told by whatever comes.
    await untilAborted(connection.fetchStatus(), signal).catch(() => {});
  }
}

function note(fetching: Fetching, status: Status, fileName: string): void {
  const { status: state, fileName: told } = status.transfer;
  if (told !== fileName) return;
  if (state === FAILED || (state === DONE && !isTransferring(status))) fetching.end = state;
  if (isTransferring(status) && status.transfer.bytes > fetching.told) {
    fetching.told = status.transfer.bytes;
    fetching.movedMs = performance.now();
  }
}
