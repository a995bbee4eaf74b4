import type { ErrorFactory } from "../../core/api-error.ts";
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
    requireSoundNumbers(head, (why) => fileError("read", file, why));
    return { ...head, totals: soundTotals(head.totals) };
  } finally {
    job.close();
  }
}

/** Throws the error of `refuse` for heights that do not ascend, and for times and motions that are no numbers or negative. */
function requireSoundNumbers({ boundariesMm, exposuresS, exposure }: JobHead, refuse: ErrorFactory): void {
  const isAbove = (topMm: number, k: number): boolean =>
    Number.isFinite(topMm) && (k === 0 || topMm > (boundariesMm[k - 1] ?? 0));
  const badHeight = boundariesMm.findIndex((topMm, k) => !isAbove(topMm, k));
  if (badHeight >= 0)
    throw refuse(`its layer ${badHeight - 1} has no height: the file is damaged; take another copy of it`);
  const badTime = exposuresS.findIndex((seconds) => !isAmount(seconds));
  if (badTime >= 0) throw refuse(`its layer ${badTime} has no exposure: the file is damaged; take another copy of it`);
  if (!numbersIn(exposure).every(isAmount))
    throw refuse("its times and motions are no numbers: the file is damaged; take another copy of it");
}

const isAmount = (value: number): boolean => Number.isFinite(value) && value >= 0;

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** The totals that are amounts: nothing but what people read depends on them. */
const soundTotals = (totals: JobHead["totals"]): JobHead["totals"] =>
  Object.fromEntries(Object.entries(totals).filter(([, value]) => isAmount(value)));

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
