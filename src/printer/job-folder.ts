import { makePrivateFolder, removeStaleFolders } from "../core/private-folder.ts";

const FOLDER_USE = "job";

/** Makes a folder among the temporary files for the archive of a job on its way to printers. */
export const makeJobFolder = (): Promise<string> => makePrivateFolder(FOLDER_USE);

/** Removes those of servers that were killed meanwhile. */
export const removeStaleJobFolders = (): Promise<void> => removeStaleFolders(FOLDER_USE);
