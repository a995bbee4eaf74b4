import type { ErrorCode } from "../../core/api-error.ts";
import type { JobError, Verdict } from "../queue/job-queue.ts";

/** How an attempt of a job ended. */
export type Ending =
  /** The steps ended with the status of `run`, 0 for success; the error is that of the last step. */
  | { readonly kind: "ended"; readonly status: number; readonly error?: JobError | undefined }
  /** The process ended before the steps. */
  | { readonly kind: "crashed"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  /** The attempt took longer than it may. */
  | { readonly kind: "late"; readonly seconds: number }
  /** A person cancelled the job. */
  | { readonly kind: "cancelled" }
  /** The worker ends. */
  | { readonly kind: "drained" };

/** Errors that another attempt may not meet: they depend on the machine or on other work. */
const PASSING = new Set<string>([
  "UNKNOWN_FAILURE",
  "INTERNAL_ERROR",
  "TIMED_OUT",
  "REQUEST_TIMEOUT",
  "OPERATION_IN_PROGRESS",
  "OPERATION_CANCELLED",
  "STALE_STATE",
  "TOO_MANY_CONNECTIONS",
] satisfies ErrorCode[]);
/** Either the parts, or a full disk or too little memory: one more attempt tells. */
const DOUBTFUL: ErrorCode = "OPERATION_FAILED";

const WRONG_STEPS = 2;
/** 128 and the number of the signal, as shells have it. */
const KILLED = 137;

/** What becomes of a job after the attempt `attempt` (1-based); undefined where it is done. */
export function verdictOf(ending: Ending, attempt: number): Verdict | undefined {
  switch (ending.kind) {
    case "cancelled":
      return { kind: "cancelled" };
    case "drained":
      return { kind: "give-back" };
    case "late": {
      const message = `The attempt took longer than the ${ending.seconds} s that it may take.`;
      return { kind: "retry", error: { code: "TIMED_OUT", message } };
    }
    case "ended":
      return ending.status === 0 ? undefined : ofStatus(ending.status, ending.error ?? NO_ERROR, attempt);
    case "crashed":
      return ofCrash(ending.code, ending.signal, attempt);
  }
}

const NO_ERROR: JobError = { code: "UNKNOWN_FAILURE", message: "The steps ended without a reason." };

function ofStatus(status: number, error: JobError, attempt: number): Verdict {
  // The file of the steps may be out of reach for a moment.
  if (status === WRONG_STEPS && error.code !== DOUBTFUL) return { kind: "dead", error };
  const isRetried = PASSING.has(error.code) || (error.code === DOUBTFUL && attempt === 1);
  return { kind: isRetried ? "retry" : "failed", error };
}

function ofCrash(code: number | null, signal: NodeJS.Signals | null, attempt: number): Verdict {
  const isKilled = signal === "SIGKILL" || code === KILLED;
  if (isKilled && attempt > 1) {
    const message =
      "The system killed the process of the job twice, as it does when memory runs out: give the worker more.";
    return { kind: "dead", error: { code: DOUBTFUL, message } };
  }
  const how = signal === null ? `with the status ${code}` : `by the signal ${signal}`;
  return { kind: "retry", error: { code: "UNKNOWN_FAILURE", message: `The process of the job ended ${how}.` } };
}
