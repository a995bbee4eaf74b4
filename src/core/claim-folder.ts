import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileError, withFileErrors } from "./file-error.ts";
import { HOST, hasEnded } from "./temporary-file.ts";

const CLAIM = ".claim";

/**
 * Claims a folder for this process alone, until the returned function is called or the process ends. Throws OPERATION_FAILED if another
 * process of this machine has claimed it. Processes of other machines cannot be checked from here and count as ended.
 */
export function claimFolder(folder: string): () => void {
  const path = join(folder, CLAIM);
  const owner = ownerOf(path);
  if (owner !== undefined)
    throw fileError("write", folder, `the process ${owner} uses it; end that one or name another folder`);
  withFileErrors("write", path, () => {
    rmSync(path, { force: true });
    // If two processes find the folder free at the same time, the second write fails.
    writeFileSync(path, `${HOST} ${process.pid}`, { flag: "wx", mode: 0o600 });
  });
  return () => rmSync(path, { force: true });
}

/** The running process that has claimed a folder; undefined where there is none. */
function ownerOf(path: string): number | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const [host, pid] = readFileSync(path, "utf8").split(" ");
  const startOfSystemMs = Date.now() - uptime() * 1000;
  const isAlive = host === HOST && stat.mtimeMs > startOfSystemMs && !hasEnded(Number(pid), stat.mtimeMs);
  return isAlive ? Number(pid) : undefined;
}
