import { fileError } from "../../core/file-error.ts";
import type { Progress } from "../../core/progress.ts";
import { type OpenJob, openJob } from "../../job/job-readers.ts";
import { type ReadJob, readLayerCount } from "../../job/job-reader.ts";

/** A job without its layers, as plain data. */
export type JobHead = Omit<ReadJob, "layer" | "close"> & { readonly format: string };

interface HeadRequest {
  readonly file: string;
}

/** Reads everything but the layers of a job file. Throws as `openJob` does. */
export async function readJobHead({ file }: HeadRequest, progress: Progress): Promise<JobHead> {
  progress.report(0);
  const job = await openJob(file);
  try {
    const { layer: _layer, close: _close, ...head } = job;
    return head;
  } finally {
    job.close();
  }
}

/**
 * Opens a job file of which another task has read the head, and closes it after `use`. Throws as `openJob` does, and OPERATION_FAILED if
 * the file has another number of layers by now.
 */
export async function withJobFile<Result>(
  file: string,
  layerCount: number,
  use: (job: OpenJob) => Promise<Result>,
): Promise<Result> {
  const job = await openJob(file);
  try {
    if (readLayerCount(job) !== layerCount) {
      throw fileError("read", file, "another program changed it in the meantime; begin again");
    }
    return await use(job);
  } finally {
    job.close();
  }
}
