import { copyFile, link } from "node:fs/promises";
import { join } from "node:path";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { removeFolder } from "../../core/private-folder.ts";
import { makeJobFolder } from "../job-folder.ts";
import type { PrintJob, PrintJobTotals } from "../printer.ts";
import { copyArchive } from "./copy-archive.ts";

/** A job that is submitted to one printer after the other and sliced only for the first. */
export interface SlicedOnce {
  readonly job: PrintJob;
  /** Whether it can be submitted to another printer: no printer may have it, and its archive could be written. */
  canGoOn(): boolean;
  /** Removes the archive that was kept for the next printer. */
  close(): Promise<void>;
}

/** Keeps the archive of a job in a temporary folder, from its first printer on, until no other printer can get it. */
export function slicedOnce(job: PrintJob): SlicedOnce {
  let kept: { readonly folder: string; readonly path: string; readonly totals: PrintJobTotals } | undefined;
  let isCommitted = false;
  let isBroken = false;

  async function keep(path: string, totals: PrintJobTotals): Promise<void> {
    const folder = await makeJobFolder();
    kept = { folder, path: join(folder, "job"), totals };
    const { path: to } = kept;
    // A link costs nothing, but not every file system supports links, and none can point to another disk.
    await link(path, to).catch(() => withFileErrorsAsync("write", to, () => copyFile(path, to)));
  }

  async function write(path: string, beforeRename: () => void): Promise<PrintJobTotals> {
    if (kept) {
      await copyArchive(kept.path, path, beforeRename);
      return kept.totals;
    }
    const totals = await job.writeTo(path, beforeRename);
    if (!isCommitted) await keep(path, totals);
    return totals;
  }

  return {
    job: {
      ...job,
      async writeTo(path, beforeRename) {
        isBroken = true;
        const totals = await write(path, beforeRename);
        isBroken = false;
        return totals;
      },
      task: {
        ...job.task,
        commit(fileName) {
          job.task.commit(fileName);
          isCommitted = true;
        },
        withdraw() {
          isCommitted = false;
        },
      },
    },
    canGoOn: () => !isCommitted && !isBroken,
    async close() {
      if (kept) await removeFolder(kept.folder);
    },
  };
}
