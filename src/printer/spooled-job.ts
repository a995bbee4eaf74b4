import { stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../core/private-folder.ts";
import { makeJobFolder } from "./job-folder.ts";
import type { PrintJob, PrintJobTotals } from "./printer.ts";

/** Share of a request's progress at which the archive is written; transfer and check follow. */
export const SLICED_SHARE = 0.6;

/** The archive of a job on disk, from which it is transferred to a printer. */
export interface SpooledJob {
  readonly path: string;
  readonly bytes: number;
  readonly totals: PrintJobTotals;
}

/**
 * Writes the archive of a job to a new temporary folder, passes it to `transfer` and removes it, however that ends. The request can be
 * cancelled until `transfer` commits it.
 */
export async function withSpooledJob<T>(job: PrintJob, transfer: (spooled: SpooledJob) => Promise<T>): Promise<T> {
  const folder = await makeJobFolder();
  try {
    const path = join(folder, `job${job.extension}`);
    const totals = await job.writeTo(path, job.task.throwIfCancelled);
    const { size: bytes } = await stat(path);
    return await transfer({ path, bytes, totals });
  } finally {
    await removeFolder(folder);
  }
}
