import { stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../core/private-folder.ts";
import { makeJobFolder } from "./job-folder.ts";
import type { PrintJob, PrintJobTotals } from "./printer.ts";

/** The archive of a job on disk, from which it is streamed to a printer. */
export interface SpooledJob {
  readonly path: string;
  readonly bytes: number;
  readonly totals: PrintJobTotals;
}

/**
 * Writes the archive of a job to a folder of its own in the system's folder for temporary files, passes it to `send` and removes it, however
 * that ends. The request can be cancelled until `send` commits it.
 */
export async function withSpooledJob<T>(job: PrintJob, send: (spooled: SpooledJob) => Promise<T>): Promise<T> {
  const folder = await makeJobFolder();
  try {
    const path = join(folder, `job${job.extension}`);
    const totals = await job.writeTo(path, job.task.throwIfCancelled);
    const { size: bytes } = await stat(path);
    return await send({ path, bytes, totals });
  } finally {
    await removeFolder(folder);
  }
}
