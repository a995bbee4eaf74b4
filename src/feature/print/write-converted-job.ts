import { createReadStream } from "node:fs";
import type { PrinterType } from "../../catalog/setting.ts";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { streamFileAtomically } from "../../core/write-file.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import type { PrintJobTotals } from "../../printer/printer.ts";
import type { Scene } from "../../scene/project.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { checkConvertedJobTask } from "./task.ts";
import { type JobRequest, writeJob } from "./write-job.ts";

/** Shares of the progress at which the readable job is written, and at which it is converted. */
const [WRITTEN_SHARE, CONVERTED_SHARE] = [0.6, 0.9];

/** Throws OPERATION_FAILED for a machine whose jobs are made by a program of the owner, if there is none. */
export function requireJobConverter(
  { setting: { printerType } }: Pick<Scene, "setting">,
  { jobConverters }: RequestContext,
): void {
  const { jobConvertedFrom, jobExtension, label } = printerType;
  if (jobConvertedFrom !== undefined) jobConverters.require(jobExtension, label);
}

/**
 * Writes the job of a scene as its machine takes it, as {@link writeJob} does; a program of the owner makes it of the readable job if this
 * program does not write it. Throws OPERATION_FAILED if that fails, or if its result is none of this job.
 */
export const writeMachineJob = (
  scene: Scene,
  job: JobRequest,
  path: string,
  context: RequestContext,
  beforeRename: () => void,
): Promise<PrintJobTotals> =>
  writeAsTaken(
    scene.setting.printerType,
    job.name,
    { write: (readable, commit) => writeJob(scene, job, readable, context, commit), path, beforeRename },
    context,
  );

/** A job that `write` makes as this program writes it, and where it is written as its machine takes it. */
interface TakenJob {
  readonly write: (path: string, beforeRename: () => void) => Promise<PrintJobTotals>;
  readonly path: string;
  readonly beforeRename: () => void;
}

/** Writes a job as {@link writeMachineJob} does. `name`: that of the job. */
export async function writeAsTaken(
  { jobConvertedFrom, jobExtension, label, raster }: PrinterType,
  name: string,
  { write, path, beforeRename }: TakenJob,
  context: RequestContext,
): Promise<PrintJobTotals> {
  if (jobConvertedFrom === undefined) return write(path, beforeRename);
  context.enterPhase(0, WRITTEN_SHARE);
  const converted = {
    name,
    printerLabel: label,
    extension: jobExtension,
    readableExtension: jobConvertedFrom,
  };
  return context.jobConverters.convert(
    converted,
    context,
    async (readable) => {
      const totals = await write(readable, () => {});
      context.enterPhase(WRITTEN_SHARE, CONVERTED_SHARE);
      return totals;
    },
    async (file, readable, totals) => {
      context.enterPhase(CONVERTED_SHARE, 1);
      const { pixels } = layerImageSize(raster);
      await context.compute(checkConvertedJobTask, { file, readable, pixels, layerCount: totals.layerCount });
      await copyFileAtomically(file, path, context, beforeRename);
      return totals;
    },
  );
}

/** Copies a file, all or nothing; `beforeRename` as in `streamFileAtomically`. */
const copyFileAtomically = (
  from: string,
  to: string,
  { throwIfCancelled }: Pick<RequestContext, "throwIfCancelled">,
  beforeRename: () => void,
): Promise<void> =>
  streamFileAtomically(
    to,
    (file) =>
      withFileErrorsAsync("read", from, async () => {
        for await (const chunk of createReadStream(from) as AsyncIterable<Uint8Array>) {
          throwIfCancelled();
          await file.append(chunk);
        }
      }),
    beforeRename,
  );
