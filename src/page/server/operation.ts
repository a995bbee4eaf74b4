import { CANCELLED, ServerError, get, post } from "./call.ts";

/** How a request that runs long tells how far it is, and learns that it is not wanted any more. */
export interface Following {
  /** Called with the share of the work that is done, 0 to 1. */
  progress(share: number): void;
  readonly signal: AbortSignal;
}

interface OperationRecord {
  readonly status: string;
  readonly progress: number;
  readonly result?: unknown;
}

/** An operation is asked for often at first, since most end at once, then less often. */
const FIRST_WAIT_MS = 40;
const LONGEST_WAIT_MS = 400;

/** Runs an endpoint as an operation and returns its answer. Throws a `ServerError`, also when it was cancelled. */
export async function runOperation<Reply>(path: string, body: unknown, following: Following): Promise<Reply> {
  if (following.signal.aborted) throw cancelled();
  const { operation_id } = await post<{ operation_id: string }>(`${path}?async=true`, body);
  return followOperation<Reply>(operation_id, following);
}

/** Waits for an operation that was started, and returns its answer. */
export async function followOperation<Reply>(id: string, following: Following): Promise<Reply> {
  const cancel = (): void => void post("/v1/operation/cancel/", { operations: [id] }).catch(() => undefined);
  if (following.signal.aborted) cancel();
  following.signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 1.5)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const record = await get<OperationRecord>(`/v1/operation/get/?operation_id=${id}&mode=oneshot`);
      following.progress(record.progress);
      if (record.status === "SUCCEEDED") return record.result as Reply;
      if (record.status === "FAILED") throw failure(record.result);
    }
  } finally {
    following.signal.removeEventListener("abort", cancel);
  }
}

export const cancelled = (): ServerError => new ServerError(CANCELLED, "It was cancelled, and nothing was changed.");

function failure(result: unknown): ServerError {
  const { code, message } = (result as { error: { code: string; message: string } }).error;
  return code === CANCELLED ? cancelled() : new ServerError(code, message);
}
