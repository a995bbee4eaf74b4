import { join } from "node:path";
import { removeStaleTemporaryFiles } from "../core/temporary-file.ts";
import { makePrivateFolder, removeStaleFolders } from "../core/private-folder.ts";

const FOLDER_USE = "job";

/** Makes a folder among the temporary files for the archive of a job on its way to printers. */
export const makeJobFolder = (): Promise<string> => makePrivateFolder(FOLDER_USE);

/** Removes those of servers that were killed meanwhile. */
export const removeStaleJobFolders = (): Promise<void> => removeStaleFolders(FOLDER_USE);

/** Where queues hold jobs in the folder of all jobs. */
export const heldFolderOf = (jobFolder: string): string => join(jobFolder, "held");

/** Removes the files that servers, which were killed meanwhile, have left unfinished where jobs are put and held. */
export function removeUnfinishedJobs(jobFolder: string): void {
  for (const folder of [jobFolder, heldFolderOf(jobFolder)]) {
    try {
      removeStaleTemporaryFiles(folder);
    } catch {
      // It is not there yet, or whoever writes to it next says what is wrong with it.
    }
  }
}
