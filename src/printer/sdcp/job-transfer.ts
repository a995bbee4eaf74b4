import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { CancelledError } from "../../core/progress.ts";
import type { PrintJob } from "../printer.ts";
import type { Connection } from "./connection.ts";
import type { HostView } from "./watched-host.ts";
import type { Timing } from "./timing.ts";
import { pause, untilAborted } from "../waiting.ts";

/** The printer that a job goes to. */
export interface TransferTarget {
  readonly id: string;
  readonly site: HostView;
  readonly timing: Timing;
  /** Told when the printer has agreed to print, or may have. */
  ordered(): void;
}

/** A job on its way to a printer. */
export interface JobTransfer extends TransferTarget {
  readonly job: PrintJob;
  /** Aborted once the request is cancelled or the server stops. */
  readonly signal: AbortSignal;
  /** Says how far the job is. */
  enter(stage: Stage): void;
  /**
   * Asks what may be asked twice: over the next connection, where one is lost. Throws {@link lost} when none comes about or no answer comes,
   * and `CancelledError` when the signal is aborted.
   */
  ask<T>(question: (connection: Connection) => Promise<T>): Promise<T>;
  /** The error for a job that the printer refuses, with what is left of it there. `why` is the cause and, after a colon, what to do. */
  refused(why: string): ApiError;
  /** The error for a printer that does not answer any more. */
  lost(why: string): ApiError;
}

/** What is done with a job, and what of it is on the printer if that fails; parts of messages. */
interface Stage {
  readonly doing: string;
  readonly left: string;
  /** What to do where the printer is lost: refusals have ways out of their own. */
  readonly wayOut?: string;
}

export function newJobTransfer(to: TransferTarget, job: PrintJob): JobTransfer {
  const { id, site, timing } = to;
  const signal = AbortSignal.any([job.task.signal, site.closing]);
  let stage: Stage = { doing: "it was asked whether it can take the job", left: "Nothing was sent" };
  const lost = (why: string): ApiError =>
    operationFailed(
      `The printer "${id}" was lost while ${stage.doing}: ${why}. ${stage.left}${stage.wayOut === undefined ? "" : `: ${stage.wayOut}`}.`,
    );
  return {
    ...to,
    job,
    signal,
    enter(next) {
      stage = next;
    },
    async ask(question) {
      const endMs = performance.now() + timing.reconnectMs;
      for (;;) {
        const connection = await connectionBefore(endMs, site, signal);
        if (!connection) throw lost("the connection to it ended and it does not take another");
        try {
          return await untilAborted(question(connection), signal);
        } catch (thrown) {
          if (thrown instanceof CancelledError) throw thrown;
          if (connection === site.connection()) throw lost((thrown as Error).message);
        }
      }
    },
    lost,
    refused: (why) => operationFailed(`The printer "${id}" did not take the job: ${why}. ${stage.left}.`),
  };
}

const RECONNECT_POLL_MS = 50;

/** The connection to the printer, waiting for one until then. */
async function connectionBefore(endMs: number, site: HostView, signal: AbortSignal): Promise<Connection | undefined> {
  for (;;) {
    if (signal.aborted) throw new CancelledError();
    const connection = site.connection();
    if (connection || performance.now() >= endMs) return connection;
    await pause(RECONNECT_POLL_MS, signal);
  }
}
