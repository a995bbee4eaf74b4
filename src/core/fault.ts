import { Cancelled } from "./watch.ts";

/** Every error code a client can meet, with its HTTP status. Source: the interface, "Codes shown", and its supplement. */
export const FAULT_STATUS = {
  JSON_PARSE_ERROR: 400,
  JSON_SCHEMA_MATCH_ERROR: 400,
  MISSING_PARAMETER: 400,
  MISSING_QUERY_PARAMETER: 400,
  INVALID_QUERY_PARAMETER: 400,
  INPUT_ERROR: 400,
  OPERATION_FAILED: 400,
  FORBIDDEN_ORIGIN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  BUILD_VOLUME_LIMIT_EXCEEDED: 409,
  OPERATION_IN_PROGRESS: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_SCENE: 422,
  UNKNOWN_FAILURE: 500,
  INTERNAL_ERROR: 500,
  TIMED_OUT: 500,
} as const;

export type FaultCode = keyof typeof FAULT_STATUS;

/** The body of every error answer. */
export interface ErrorEnvelope {
  error: { code: FaultCode; message: string };
}

/** A failure that a client is told about: a code to program against and a message that names the cause and the way out. */
export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.name = "Fault";
    this.code = code;
  }

  get status(): number {
    return FAULT_STATUS[this.code];
  }
}

/** What a client is told of any thrown value: faults as they are, anything else as `UNKNOWN_FAILURE`. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  // Whoever cancels tells the client himself; only a server that stops leaves that to the request.
  if (thrown instanceof Cancelled) return operationFailed("The server stopped before the request was done: start it and send the request again.");
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  // The client learns that it happened; whoever looks after the server must be able to learn where.
  console.error(thrown instanceof Error ? thrown.stack : thrown);
  return new Fault("UNKNOWN_FAILURE", `The server met an unexpected failure: ${reason}`);
}

export function toEnvelope(fault: Fault): ErrorEnvelope {
  return { error: { code: fault.code, message: fault.message } };
}

/** Runs `work`; a fault of it becomes one of `code` whose message begins with `what`. */
export function withinFault<T>(code: FaultCode, what: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof Fault ? new Fault(code, `${what}: ${thrown.message}`) : thrown;
  }
}

/** What `work` comes to; a fault of it keeps its code, and its message begins with `what`. */
export async function withinFaultOf<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof Fault ? new Fault(thrown.code, `${what}: ${thrown.message}`) : thrown;
  }
}

/** The fault of a file or value under examination, once it is known why. */
export type Refuse = (why: string) => Fault;

export const inputError = (message: string): Fault => new Fault("INPUT_ERROR", message);
export const operationFailed = (message: string): Fault => new Fault("OPERATION_FAILED", message);
export const notFound = (message: string): Fault => new Fault("NOT_FOUND", message);
