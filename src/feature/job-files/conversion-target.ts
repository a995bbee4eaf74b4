import { extname } from "node:path";
import { canonicalMachineType, printerTypes } from "../../catalog/catalog.ts";
import { type JobKind, type PrinterType, writtenJobExtension } from "../../catalog/setting.ts";
import { excerpt, inputError, notFound, operationFailed } from "../../core/api-error.ts";
import { must } from "../../core/must.ts";
import type { JobPrinter } from "../../job/job.ts";
import { gridOfJob, printersNamed } from "./job-place.ts";
import type { JobHead } from "./read-job.ts";

/** The machine for which a job is written. */
export interface ConversionTarget {
  readonly printer: JobPrinter;
  readonly format: JobKind;
  /** Its entry in the catalog, if it has one. */
  readonly type: PrinterType | undefined;
}

/** The extension of jobs for a machine type, with the dot. Throws NOT_FOUND for an unknown one. */
export const extensionOfJobsFor = (machineType: string): string =>
  writtenJobExtension(must(typesOf(machineType)[0], "A type that was found"));

interface TargetRequest {
  readonly file: string;
  readonly outputFile: string;
  readonly machineType: string | undefined;
}

/**
 * The machine of a request: the one that it names, or that of the job. Throws NOT_FOUND for an unknown one, INPUT_ERROR if its jobs have
 * another extension, and OPERATION_FAILED if the job does not say for which machine it is.
 */
export function conversionTarget(head: JobHead, { file, outputFile, machineType }: TargetRequest): ConversionTarget {
  const extension = extname(outputFile).toLowerCase();
  const types = machineType === undefined ? printersNamed(head.printerName) : typesOf(machineType);
  const fitting = types.filter((type) => writtenJobExtension(type) === extension);
  const [{ x, y }] = [{ x: head.pixels[0], y: head.pixels[1] }];
  const isOfSize = ({ raster }: PrinterType): boolean => raster.pixels.includes(x) && raster.pixels.includes(y);
  const type = fitting.find(isOfSize) ?? fitting[0];
  if (type) return { printer: jobPrinterOf(type), format: type.job, type };
  if (machineType === undefined && extname(file).toLowerCase() === extension) return targetOfHead(head, extension);
  const [other] = types;
  if (other?.jobConvertedFrom !== undefined) {
    throw inputError(
      `The ${other.label} takes ${other.jobExtension} files that a program of yours makes of ${other.jobConvertedFrom} files: give the file that extension, and run the program on it.`,
    );
  }
  if (other) {
    throw inputError(
      `Jobs for ${other.label} are ${writtenJobExtension(other)} files: give the file this extension, or name another machine.`,
    );
  }
  throw operationFailed(
    `"${excerpt(file)}" is for ${machineOf(head)}: name the machine for which it is converted (machine_type, or --printer in a shell).`,
  );
}

const machineOf = ({ printerName }: JobHead): string =>
  printerName === undefined
    ? "a machine that it does not name"
    : `the machine ${JSON.stringify(excerpt(printerName))}, which is not in the catalog`;

function typesOf(machineType: string): PrinterType[] {
  const id = canonicalMachineType(machineType.toUpperCase());
  const types = printerTypes().filter((type) => type.machineType === id && type.family === "resin");
  if (types.length > 0) return types;
  throw notFound(
    `No resin printer of the catalog is a "${excerpt(machineType)}": print-setting/list has their machine types.`,
  );
}

const jobPrinterOf = ({ label, nameInJobs, jobMaxVersion, machineType, volume, raster }: PrinterType): JobPrinter => ({
  label,
  nameInJobs,
  maxVersion: jobMaxVersion,
  machineType,
  volumeMm: volume.dimensionsMm,
  ...raster,
});

/** The machine of a job for which the catalog has no jobs of its kind: the file says all that another such job needs. */
function targetOfHead(head: JobHead, extension: string): ConversionTarget {
  const grid = gridOfJob(head);
  const format = printerTypes().find((type) => writtenJobExtension(type) === extension)?.job;
  if (!grid || !format) {
    throw operationFailed(
      `The job is for ${machineOf(head)}, and its file does not say enough about it: name a machine (machine_type, or --printer in a shell).`,
    );
  }
  const name = head.printerName ?? "";
  const [x, y] = [grid.pixels[0] * grid.pixelMm[0], grid.pixels[1] * grid.pixelMm[1]];
  const volumeMm = [x, y, Math.max(head.volumeMm?.[2] ?? 0, head.boundariesMm.at(-1) ?? 0)] as const;
  return { printer: { label: name, nameInJobs: name, machineType: name, volumeMm, ...grid }, format, type: undefined };
}
