import { rm } from "node:fs/promises";
import { join } from "node:path";
import { printerTypes } from "../catalog/catalog.ts";
import { newId } from "../core/id.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import type { Printer } from "../printer/printer.ts";
import { type Printers, newPrinters } from "../printer/printers.ts";
import { newVirtualPrinter } from "../printer/virtual/virtual-printer.ts";

const FOLDER_USE = "built-in-jobs";

export interface BuiltInOptions {
  /** The folder of jobs. If it is undefined, jobs are written completely to a private folder and then deleted. */
  readonly jobFolder?: string | undefined;
}

/**
 * The printers of the server, and one virtual printer per printer type, which is named by the label of the type: examples of 0.9 print to
 * "Form 4" on a server that was started with only `--port`.
 */
export function withBuiltInPrinters(own: Printers, { jobFolder }: BuiltInOptions): Printers {
  let folder: Promise<string> | undefined;
  void removeStaleFolders(FOLDER_USE);

  const keepsNoJobs = (printer: Printer): Printer => ({
    ...printer,
    submit: (job) =>
      printer.submit({
        ...job,
        async writeTo(_, beforeRename) {
          folder ??= makePrivateFolder(FOLDER_USE);
          const path = join(await folder, `${newId()}${job.extension}`);
          const totals = await job.writeTo(path, beforeRename);
          await rm(path, { force: true });
          return totals;
        },
      }),
  });

  const builtIn = printerTypes().map((printerType) => {
    const config = { id: printerType.label, printerType, machineTypes: [printerType.machineType] };
    return jobFolder === undefined ? keepsNoJobs(newVirtualPrinter(config, "")) : newVirtualPrinter(config, jobFolder);
  });
  const all = newPrinters([own.list, () => builtIn].map((connected) => ({ connected, close: async () => {} })));
  return {
    ...own,
    list: all.list,
    find: all.find,
    findWithin: async (target, ...search) => all.find(target) ?? (await own.findWithin(target, ...search)),
    async close() {
      if (folder) await folder.then(removeFolder, () => {});
    },
  };
}
