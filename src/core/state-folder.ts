import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

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
