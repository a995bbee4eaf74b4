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
/** Codes of a broken connection, and what the client says without a code. */
const NO_CONNECTION = /^(08...|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
const NO_CONNECTION_MESSAGE =
  /connection (terminated|timeout|ended|error)|already settled|timeout exceeded when trying to connect|closed/i;

/**
 * Calls `work`, which must be safe to repeat, until the database answers, for a minute at most; then throws OPERATION_FAILED. A transaction whose end is unknown,
 * because the connection broke, is repeated: submitted jobs are found by their keys, an ended job has no claim, and a claim that nobody knows of runs out.
 * `isPassing` says which errors are worth another try.
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

/** Whether the server answered, and may take the same statements later. */
export const isBusy = (thrown: unknown): boolean => SERVER_IS_BUSY.test(codeOf(thrown));

const mayPass = (thrown: unknown): boolean => {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  return isBusy(thrown) || (code === "" ? NO_CONNECTION_MESSAGE.test(thrown.message) : NO_CONNECTION.test(code));
};

const codeOf = (thrown: unknown): string => String((thrown as { readonly code?: unknown } | undefined)?.code ?? "");

const queueError = (shown: string, thrown: unknown): ApiError =>
  operationFailed(
    `The queue ${shown} does not answer as it should: ${messageOf(thrown)}. Check its address, that it runs, and your rights.`,
  );

/** Node.js gives an AggregateError without a message if a name has several addresses. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map((one) => messageOf(one)).join("; ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
