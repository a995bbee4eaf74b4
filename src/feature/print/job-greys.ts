import type { PrinterType } from "../../catalog/setting.ts";
import { greyTable } from "../../job/grey-table.ts";
import { JOB_WRITERS } from "../../job/job-writers.ts";
import type { JobWriter } from "../../job/job.ts";

/**
 * The greys of coverages in the jobs of a printer, from what is known of its light; undefined if nothing is known, and for files without
 * grey: a pixel then has its coverage.
 */
export function jobGreys({ optics, job, raster }: PrinterType): Uint8Array | undefined {
  const { greyLevels }: JobWriter = JOB_WRITERS[job];
  if (optics === undefined || greyLevels === 2) return undefined;
  const blurMm = optics.blur_mm?.value;
  return greyTable({
    response: optics.response.value,
    greyLevels: Math.min(greyLevels, optics.grey_levels?.value ?? 256),
    leastGrey: optics.least_grey?.value ?? 1,
    blurPx: blurMm === undefined ? undefined : [blurMm / raster.pixelMm[0], blurMm / raster.pixelMm[1]],
  });
}
