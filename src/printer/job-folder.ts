import { join } from "node:path";
import { removeStaleTemporaryFiles } from "../core/temporary-file.ts";
import { makePrivateFolder, removeStaleFolders } from "../core/private-folder.ts";

const FOLDER_USE = "job";

/** Makes a temporary folder for the archive of a job on its way to printers. */
export const makeJobFolder = (): Promise<string> => makePrivateFolder(FOLDER_USE);

/** Removes such folders of servers that were killed. */
export const removeStaleJobFolders = (): Promise<void> => removeStaleFolders(FOLDER_USE);

/** The folder of held jobs inside the folder of all jobs. */
export const heldFolderOf = (jobFolder: string): string => join(jobFolder, "held");

/** Removes the unfinished files that killed servers have left in the folders of jobs. */
export function removeUnfinishedJobs(jobFolder: string): void {
  for (const folder of [jobFolder, heldFolderOf(jobFolder)]) {
    try {
      removeStaleTemporaryFiles(folder);
    } catch {
      // The folder does not exist yet, or the next write to it reports what is wrong.
    }
  }
}
