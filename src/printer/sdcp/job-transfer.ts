import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import type { PrintJob } from "../printer.ts";
import type { Connection } from "./connection.ts";
import type { HostView } from "./host-view.ts";
import type { Timing } from "./timing.ts";
import { pause, untilAborted } from "../waiting.ts";

/** The printer that gets a job. */
export interface TransferTarget {
  readonly id: string;
  readonly host: HostView;
  readonly timing: Timing;
  /** Called when the printer has accepted the order to print, or may have. */
  ordered(): void;
}

/** The transfer of a job to a printer. */
export interface JobTransfer extends TransferTarget {
  readonly job: PrintJob;
  /** Aborted once the request is cancelled or the server stops. */
  readonly signal: AbortSignal;
  /** Notes which stage begins, for the messages of errors. */
  enter(stage: Stage): void;
  /**
   * Asks a question that may be repeated: over the next connection where one is lost. Throws {@link lost} when no new connection is made or
   * no answer arrives, and `CancelledError` when the signal is aborted.
   */
  ask<T>(question: (connection: Connection) => Promise<T>): Promise<T>;
  /** The error for a refused job, with what is left of it on the printer. `why` is the cause and, after a colon, what to do. */
  refused(why: string): ApiError;
  /** The error for a printer that no longer answers. */
  lost(why: string): ApiError;
}

/** What is being done with a job, and what is left on the printer if it fails; parts of messages. */
interface Stage {
  readonly doing: string;
  readonly left: string;
  /** What to do if the printer is lost. Refusals have their own advice. */
  readonly wayOut?: string;
}

export function newJobTransfer(target: TransferTarget, job: PrintJob): JobTransfer {
  const { id, host, timing } = target;
  const signal = AbortSignal.any([job.task.signal, host.closing]);
  let stage: Stage = { doing: "it was asked whether it can take the job", left: "Nothing was sent" };
  const lost = (why: string): ApiError =>
    operationFailed(
      `The printer "${id}" was lost while ${stage.doing}: ${why}. ${stage.left}${stage.wayOut === undefined ? "" : `: ${stage.wayOut}`}.`,
    );
  return {
    ...target,
    job,
    signal,
    enter(next) {
      stage = next;
    },
    async ask(question) {
      const endMs = performance.now() + timing.reconnectMs;
      for (;;) {
        const connection = await connectionBefore(endMs, host, signal);
        if (!connection) throw lost("the connection to it ended and it does not take another");
        try {
          return await untilAborted(question(connection), signal);
        } catch (thrown) {
          if (thrown instanceof CancelledError) throw thrown;
          if (connection === host.connection()) throw lost((thrown as Error).message);
        }
      }
    },
    lost,
    refused: (why) => operationFailed(`The printer "${id}" did not take the job: ${why}. ${stage.left}.`),
  };
}

const RECONNECT_POLL_MS = 50;

/** The connection to the printer; waits for one until `endMs`. */
async function connectionBefore(endMs: number, host: HostView, signal: AbortSignal): Promise<Connection | undefined> {
  for (;;) {
    if (signal.aborted) throw new CancelledError();
    const connection = host.connection();
    if (connection || performance.now() >= endMs) return connection;
    await pause(RECONNECT_POLL_MS, signal);
  }
}
