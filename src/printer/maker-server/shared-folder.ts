import { createReadStream, createWriteStream } from "node:fs";
import { chmod } from "node:fs/promises";
import { basename, join, posix, win32 } from "node:path";
import { pipeline } from "node:stream/promises";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../../core/private-folder.ts";
import { CancelledError } from "../../core/progress.ts";
import type { FileRange } from "../http-client.ts";

/** A folder that this program and the maker's server both see. */
export interface SharedFolder {
  /** Its path here; undefined for temporary folders of this machine. */
  readonly here: string | undefined;
  /** Its path on the machine of the server, where it is another one than here. */
  readonly there: string | undefined;
}

/** The files of a job that the server reads. */
export interface JobFiles {
  /** Writes a file, and returns its path on the machine of the server. Throws OPERATION_FAILED, and `CancelledError` with the signal. */
  add(name: string, content: FileRange, signal: AbortSignal): Promise<string>;
  /** Removes all files. Never throws. */
  remove(): Promise<void>;
}

const FOLDER_USE = "models";
/** The server may run as another user. */
const READABLE_BY_ALL = 0o755;

/** Makes a folder for the files of a job. Throws OPERATION_FAILED where that is not possible. */
export async function makeJobFiles({ here, there }: SharedFolder): Promise<JobFiles> {
  const folder = await makePrivateFolder(FOLDER_USE, here);
  if (here !== undefined) await withFileErrorsAsync("write", folder, () => chmod(folder, READABLE_BY_ALL));
  const folderThere = there === undefined ? folder : pathsOf(there).join(there, basename(folder));
  return {
    async add(name, { path, from, to }, signal) {
      const target = join(folder, name);
      try {
        const source = createReadStream(path, { start: from, end: to - 1 });
        await withFileErrorsAsync("write", target, () => pipeline(source, createWriteStream(target), { signal }));
      } catch (thrown) {
        throw signal.aborted ? new CancelledError() : thrown;
      }
      return pathsOf(folderThere).join(folderThere, name);
    },
    remove: () => removeFolder(folder),
  };
}

/** Removes such folders of servers that were killed. */
export const removeStaleJobFiles = ({ here }: SharedFolder): Promise<void> => removeStaleFolders(FOLDER_USE, here);

/** The rules for paths of the system that a path is from. */
const pathsOf = (path: string): typeof posix => (/^[a-z]:|^\\\\/i.test(path) ? win32 : posix);
