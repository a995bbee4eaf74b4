import process from "node:process";
import type { Endpoint, Request } from "../api/endpoint.ts";
import { ApiError } from "../core/api-error.ts";
import { readProgress } from "../core/progress.ts";
import { type Runner, startRequest } from "../http/run-request.ts";

/** The object that carries out requests, without a port. */
export interface RequestRunner {
  readonly runner: Runner;
  /** A runner with a project of its own, on the same threads; `created` as in `Server`. */
  newProject(created?: Date): Runner;
  close(): Promise<void>;
}

/** Shows whether a user or the system wants the command to end. */
export interface Interrupt {
  /** Aborted by the first signal of the system. */
  readonly signal: AbortSignal;
  /** The exit status after a signal: 128 plus its number, as in shells. Undefined without a signal. */
  status(): number | undefined;
}

const STATUS_OF_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;

/** From now on, Ctrl-C and SIGTERM end the work instead of the process, so that nothing is left half written. */
export function catchInterrupts(): Interrupt {
  const aborting = new AbortController();
  let status: number | undefined;
  for (const [signal, itsStatus] of Object.entries(STATUS_OF_SIGNAL)) {
    process.on(signal, () => {
      status ??= itsStatus;
      aborting.abort();
    });
  }
  return { signal: aborting.signal, status: () => status };
}

/** Milliseconds between two readings of the progress. */
const LOOK_EVERY_MS = 100;

/** Runs a request to its end, however long that takes, and returns its answer. Throws OPERATION_CANCELLED once it is interrupted. */
export async function perform(
  runner: Runner,
  endpoint: Endpoint,
  request: Request,
  { signal }: Interrupt,
  onProgress: (share: number) => void,
): Promise<unknown> {
  const interrupted = new ApiError("OPERATION_CANCELLED", "Interrupted; what had begun was cancelled.");
  if (signal.aborted) throw interrupted;
  const running = startRequest(runner, endpoint, request);
  const cancel = (): void => running.cancel(interrupted);
  signal.addEventListener("abort", cancel);
  const timer = setInterval(() => onProgress(readProgress(running.state)), LOOK_EVERY_MS);
  try {
    return await running.answer;
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", cancel);
  }
}
