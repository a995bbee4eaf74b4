import { Buffer } from "node:buffer";
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { fileError, withFileErrors } from "./file-error.ts";

/** The events that the operator of an unattended shop wants to read afterwards. */
export type LogEvent =
  | "printer found"
  | "printer lost"
  | "printer not reached"
  /** A printer answered, and cannot be used. */
  | "printer unusable"
  /** A file of `--machines` has a printer or a resin with the `id` of a known one. */
  | "machine data replaced"
  | "job sent"
  | "job held"
  /** A printer of a queue refused the job; the queue continues with it. */
  | "job refused"
  | "job failed"
  | "job set aside"
  /** A person changed the job; `action` says how. */
  | "job updated"
  | "login"
  | "login refused"
  | "logout"
  | "account failed";

/** Details of an event: `printer` (an id), `job_id` and `job_name`, `reason` (the message of the error). No secrets. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The log of the server (`--log FILE`). A protocol gets it from `openProtocols`. The protocol writes "printer found" when a printer that it
 * lists connects, and "printer lost" with the reason when the connection ends: once per change, not per try. For a printer that was named
 * at the start and is not reached, it writes "printer not reached" once, with the reason, and for one that answers and cannot be used
 * "printer unusable" once. The code that submits a job logs the job.
 */
export interface EventLog {
  /** Appends a line of JSON: `time`, `event` and the details. Never throws; events that cannot be written are counted. */
  write(event: LogEvent, details?: LogDetails): void;
  close(): void;
}

/** A log that discards all events. */
export const noLog: EventLog = { write() {}, close() {} };

/** Only the user may read it, since it shows what is printed when. */
const OWNER_ONLY = 0o600;
/** Without O_NONBLOCK, opening a named pipe waits for a reader. Windows has neither named pipes nor the flag. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a log to append to, and removes the access rights of other users. Throws OPERATION_FAILED if that fails, for example for a missing
 * folder.
 */
export function openEventLog(
  path: string,
  writeBytes: (fd: number, bytes: Uint8Array) => number = writeSync,
): EventLog {
  const fd = withFileErrors("write", path, () => openSync(path, APPEND, OWNER_ONLY));
  try {
    if (!fstatSync(fd).isFile()) throw fileError("write", path, "it is not a regular file; give the path of one");
    withFileErrors("write", path, () => fchmodSync(fd, OWNER_ONLY));
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
  return newEventLog(
    (bytes) => writeBytes(fd, bytes),
    () => closeSync(fd),
  );
}

function newEventLog(append: (bytes: Uint8Array) => number, close: () => void): EventLog {
  let lost = 0;
  let isCutOff = false;
  /** Returns whether the whole text was written. */
  const tryToAppend = (text: string): boolean => {
    const bytes = Buffer.from(isCutOff ? `\n${text}` : text);
    try {
      const written = append(bytes);
      // If a line does not fit, its beginning is in the file: the next text starts with a line break.
      isCutOff = written < bytes.length && (isCutOff || written > 0);
      return written === bytes.length;
    } catch {
      return false;
    }
  };
  return {
    write(event, details = {}) {
      // A full disk may have room again later: then the log first records how many lines it lost.
      if (lost > 0 && tryToAppend(lineOf("lines lost", { count: lost }))) lost = 0;
      if (lost > 0 || !tryToAppend(lineOf(event, details))) lost++;
    },
    close,
  };
}

const lineOf = (event: string, details: LogDetails): string =>
  `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`;
