import { Buffer } from "node:buffer";
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { fileError, withFileErrors } from "./file-error.ts";

/** What a shop that nobody watches wants to read afterwards. */
export type LogEvent =
  | "printer found"
  | "printer lost"
  | "printer not reached"
  | "job sent"
  | "job held"
  /** By a printer of a queue, which goes on with it. */
  | "job refused"
  | "job failed"
  | "job set aside"
  /** By a person, whose `action` it tells. */
  | "job updated"
  | "login"
  | "login refused"
  | "logout"
  | "account failed";

/** Of an event: a `printer` by its id, a `job_id` and a `job_name`, a `reason` in the words of the error's message. No secrets. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The log of the server (`--log FILE`). A protocol gets it from `openProtocols` and writes to it when a printer that it lists connects
 * ("printer found") and when that ends ("printer lost", with the reason), once for each change and not for each try, and once for a
 * printer named at the start that it does not reach ("printer not reached", with the reason): jobs are logged by those who send them.
 */
export interface EventLog {
  /** Appends a line of JSON: `time`, `event` and the details. Never throws: what cannot be written is counted. */
  write(event: LogEvent, details?: LogDetails): void;
  close(): void;
}

/** Where no log is kept. */
export const noLog: EventLog = { write() {}, close() {} };

/** The file is the user's own: it tells what is printed when. */
const OWNER_ONLY = 0o600;
/** Without O_NONBLOCK, opening a named pipe waits for a reader. Windows has neither. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** Opens a log to append to; others lose their rights to it. Throws OPERATION_FAILED where that cannot be, as for a missing folder. */
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
  /** Whether all of it was written. */
  const tryToAppend = (text: string): boolean => {
    const bytes = Buffer.from(isCutOff ? `\n${text}` : text);
    try {
      const written = append(bytes);
      // Of a line that did not fit, the beginning stays.
      isCutOff = written < bytes.length && (isCutOff || written > 0);
      return written === bytes.length;
    } catch {
      return false;
    }
  };
  return {
    write(event, details = {}) {
      // A disk that is full now may have room later: then the log says what it lacks.
      if (lost > 0 && tryToAppend(lineOf("lines lost", { count: lost }))) lost = 0;
      if (lost > 0 || !tryToAppend(lineOf(event, details))) lost++;
    },
    close,
  };
}

const lineOf = (event: string, details: LogDetails): string =>
  `${JSON.stringify({ time: new Date().toISOString(), event, ...details })}\n`;
