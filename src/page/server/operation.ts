import { CANCELLED, ServerError, get, post } from "./call.ts";

/** Receives the progress of a long request, and cancels it. */
export interface ProgressContext {
  /** Called with the finished fraction of the work, 0 to 1. */
  progress(share: number): void;
  readonly signal: AbortSignal;
}

interface OperationRecord {
  readonly status: string;
  readonly progress: number;
  readonly result?: unknown;
}

/** Interval of polling an operation: short at first, since most operations end quickly, then longer. */
const FIRST_WAIT_MS = 40;
const LONGEST_WAIT_MS = 400;

/** Runs an endpoint as an operation and returns its answer. Throws a `ServerError`, also if it is cancelled. */
export async function runOperation<Reply>(path: string, body: unknown, context: ProgressContext): Promise<Reply> {
  if (context.signal.aborted) throw cancelled();
  const { operation_id } = await post<{ operation_id: string }>(`${path}?async=true`, body);
  return followOperation<Reply>(operation_id, context);
}

/** Waits for a started operation and returns its answer. */
export async function followOperation<Reply>(id: string, context: ProgressContext): Promise<Reply> {
  const cancel = (): void => void post("/v1/operation/cancel/", { operations: [id] }).catch(() => undefined);
  if (context.signal.aborted) cancel();
  context.signal.addEventListener("abort", cancel, { once: true });
  try {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 1.5)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const record = await get<OperationRecord>(`/v1/operation/get/?operation_id=${id}&mode=oneshot`);
      context.progress(record.progress);
      if (record.status === "SUCCEEDED") return record.result as Reply;
      if (record.status === "FAILED") throw failure(record.result);
    }
  } finally {
    context.signal.removeEventListener("abort", cancel);
  }
}

/** A file that the server writes for a download. */
export interface WrittenFile {
  readonly url: string;
  readonly name: string;
  readonly operation_id: string;
}

/** Waits until a file is written, and has the browser save it. Returns the answer of the operation. */
export async function saveWritten<Reply>({ url, operation_id }: WrittenFile, context: ProgressContext): Promise<Reply> {
  const reply = await followOperation<Reply>(operation_id, context);
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
  return reply;
}

export const cancelled = (): ServerError =>
  new ServerError(CANCELLED, "The operation was cancelled. Nothing was changed.");

function failure(result: unknown): ServerError {
  const { code, message } = (result as { error: { code: string; message: string } }).error;
  return code === CANCELLED ? cancelled() : new ServerError(code, message);
}
