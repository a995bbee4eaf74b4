import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { workerData } from "node:worker_threads";
import { newId } from "./id.ts";

// Unfinished files are named `.UUID.part`. The last group of the UUID, the node of RFC 9562 (version 8), identifies the process that writes
// the file.

/** Identifies this machine or container, since a process of another one cannot be checked from here. Four hexadecimal digits. */
export const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 4);
const HEX_DIGITS_OF_PID = 8;

const TEMPORARY_NAME = /^\.[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[0-9a-f]{4}-([0-9a-f]{4})([0-9a-f]{8})\.part$/;

/** A new name for a temporary file of this process. */
export function newTemporaryName(): string {
  const [a, b, c = "", d] = newId().split("-");
  const pid = process.pid.toString(16).padStart(HEX_DIGITS_OF_PID, "0");
  return `.${a}-${b}-8${c.slice(1)}-${d}-${HOST}${pid}.part`;
}

/** When this process started, ms since 1970. Threads get it in their `workerData`, since their own clocks start with the thread. */
export const PROCESS_STARTED_MS: number =
  (workerData as { readonly startedMs?: number } | null | undefined)?.startedMs ?? Date.now() - 1000 * process.uptime();

/** Temporary files of other machines are kept for a day, since their processes cannot be checked. */
const FOREIGN_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * Removes the temporary files that killed processes have left in a folder: those whose process on this machine has ended, or had the id of
 * this process and ran before it; and those of other machines that were not written to for a day.
 */
export function removeStaleTemporaryFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, host, pid] = TEMPORARY_NAME.exec(name) ?? [];
    if (host === undefined || pid === undefined) continue;
    const path = join(folder, name);
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    const isStale =
      host === HOST ? hasEnded(Number.parseInt(pid, 16), writtenMs) : Date.now() - writtenMs > FOREIGN_AGE_MS;
    if (isStale) rmSync(path, { force: true });
  }
}

/** Whether the process with this id, which last wrote a file at `writtenMs`, has ended. */
export function hasEnded(pid: number, writtenMs: number): boolean {
  if (pid === process.pid) return writtenMs < PROCESS_STARTED_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ESRCH";
  }
}
