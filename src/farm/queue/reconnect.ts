import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, operationFailed } from "../../core/api-error.ts";

/** How long a call waits for a database that does not answer, as while it starts again. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;

/**
 * SQLSTATE of a server that cannot serve now: 57P0x it stops or starts, 53300 it has too many connections, 40 a conflict with another transaction, as when
 * two lock the same rows in a different order. Source: the appendix "PostgreSQL Error Codes" of its manual.
 */
const SERVER_IS_BUSY = /^(57P0[1-5]|53300|40001|40P01)$/;
/** Codes of an address at which nobody answers. */
const NOBODY = /^(ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const NOBODY_MESSAGE = /timeout/i;
/** Codes of a connection that broke, and what the client says without a code. */
const BROKEN = /^(08...|ECONNRESET|ECONNABORTED|EPIPE)$/;
const BROKEN_MESSAGE = /connection (terminated|ended|error)|closed/i;

/** The queue is not reached: it may be later. */
export class QueueUnreachable extends ApiError {
  constructor(message: string) {
    super("OPERATION_FAILED", message);
  }
}

/**
 * Calls `work`, which must be safe to repeat, until the database answers, for a minute at most; then throws {@link QueueUnreachable}, or another OPERATION_FAILED for what another
 * try would not mend. A transaction whose end is unknown, because the connection broke, is repeated: submitted jobs are found by their keys, an ended job has no claim,
 * and a claim that nobody knows of runs out. `isPassing` says which errors are worth another try.
 */
export async function withReconnect<T>(shown: string, work: () => Promise<T>, isPassing = mayPass): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof ApiError) throw thrown;
      if (!isPassing(thrown) || Date.now() > end) throw queueError(shown, thrown);
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

const codeOf = (thrown: unknown): string => String((thrown as { readonly code?: unknown } | undefined)?.code ?? "");

const isLike = (thrown: unknown, codes: RegExp, messages: RegExp): boolean => {
  const code = codeOf(thrown);
  return code === "" ? thrown instanceof Error && messages.test(thrown.message) : codes.test(code);
};

/** Whether somebody answered, and may take the same statements later. */
export const mayPassOnceAnswered = (thrown: unknown): boolean =>
  SERVER_IS_BUSY.test(codeOf(thrown)) || isLike(thrown, BROKEN, BROKEN_MESSAGE);

const isUnanswered = (thrown: unknown): boolean => isLike(thrown, NOBODY, NOBODY_MESSAGE);

const mayPass = (thrown: unknown): boolean => mayPassOnceAnswered(thrown) || isUnanswered(thrown);

function queueError(shown: string, thrown: unknown): ApiError {
  const why = messageOf(thrown);
  if (isUnanswered(thrown))
    return new QueueUnreachable(
      `Nobody answers at the queue ${shown}: ${why}. Start its server, or correct the address: that of --queue, PRINTWRIGHT_QUEUE or PRINTWRIGHT_QUEUE_FILE.`,
    );
  if (mayPassOnceAnswered(thrown))
    return new QueueUnreachable(`The server of the queue ${shown} has not served for a minute: ${why}. See its log.`);
  return operationFailed(
    `The queue ${shown} does not answer as it should: ${why}. Check its address, its certificate and your rights.`,
  );
}

/** Node.js gives an AggregateError without a message if a name has several addresses. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map((one) => messageOf(one)).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
