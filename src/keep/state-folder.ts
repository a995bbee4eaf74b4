import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { claimFolder } from "../core/claim-folder.ts";
import { withFileErrors } from "../core/file-error.ts";

/** Where a server keeps its scenes. */
export interface KeepOptions {
  readonly folder: string;
  /** Whether a person named the folder: then the server does not start without it. */
  readonly isRequired: boolean;
}

/** The folder for the state of programs of this user: by the XDG base directories, or as Windows and macOS have it. */
export function defaultStateFolder(): string {
  if (process.platform === "win32") {
    return join(process.env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "Printwright");
  }
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "Printwright");
  // The specification ignores paths that are not absolute.
  const given = process.env["XDG_STATE_HOME"];
  return join(given?.startsWith("/") ? given : join(homedir(), ".local", "state"), "printwright");
}

/** Makes the folder where it is missing, and claims it for this process. Throws OPERATION_FAILED if another process uses it. */
export function openStateFolder(folder: string): () => void {
  withFileErrors("write", folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
  return claimFolder(folder);
}
