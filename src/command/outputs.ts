import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { jobExtensions } from "../catalog/catalog.ts";
import type { PrinterType } from "../catalog/setting.ts";
import { inputError } from "../core/api-error.ts";
import { requireWritable } from "../core/write-file.ts";
import type { GivenStep } from "./steps-file.ts";

const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set([".png", ".webp"]);

/**
 * The steps that write a scene to files, by their extensions. Throws early for files that could not be written after all the work: without
 * permission, or jobs for other machines. Also refuses a file of a part in `sources`, which would be lost. A project is saved to its own
 * file. `ofJobs` are further fields of the requests that write jobs.
 */
export function outputSteps(
  files: readonly string[],
  sources: readonly string[],
  scene: object | string,
  printerType: PrinterType | undefined,
  ofJobs: object,
): GivenStep[] {
  return files.map((file) => {
    requireWritableOutput(file);
    const extension = extname(file).toLowerCase();
    const isJob = jobExtensions().has(extension);
    if (isJob) requireJobOf(printerType, file, extension);
    if (extension === ".form") return { request: "scene/save", body: { scene_ids: [scene], file } };
    if (sources.some((source) => isSameFile(source, file)))
      throw inputError(`"${file}" is the file of a part and would be lost: give the output another name`);
    if (PICTURE_EXTENSIONS.has(extension)) return { request: "scene/render", body: { scene_id: scene, file } };
    return { request: "scene/export", body: { scene_id: scene, file, ...(isJob && ofJobs) } };
  });
}

/** Throws where the folder of a file is missing, or a file in it could not be written. */
export function requireWritableOutput(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw inputError(`"${file}" cannot be written: there is no folder ${folder}: make it first`);
  requireWritable(resolve(file));
}

const isSameFile = (a: string, b: string): boolean =>
  existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);

function requireJobOf(printerType: PrinterType | undefined, file: string, extension: string): void {
  if (!printerType) return;
  const own = printerType.jobExtension;
  if (extension !== own) throw inputError(`jobs for ${printerType.label} are ${own} files: "${file}" is none`);
}

/** Where results without a file name of their own are written. */
interface ResultPlace {
  /** Extension of the results, with its dot; undefined for the job of the printer. */
  readonly extension?: string | undefined;
  readonly printerType?: PrinterType | undefined;
}

/**
 * The file of a result: a given file unchanged; in a given folder, a file with the name of the part; without either, a file with that name
 * in the current folder.
 */
export function resultFile(file: string | undefined, part: string, { extension, printerType }: ResultPlace): string {
  if (file !== undefined && !isFolder(file)) return file;
  return join(file ?? "", `${basename(part, extname(part))}${resultExtension({ extension, printerType })}`);
}

/** The extension of a result whose name has none. */
export function resultExtension({ extension, printerType }: ResultPlace): string {
  if (extension !== undefined) return extension;
  if (!printerType) throw inputError("name the file to write with -o");
  return printerType.jobExtension;
}

/** Whether results are written to a folder of this name: it ends like a folder, or a folder of that name exists and it has no extension. */
export const isFolder = (file: string): boolean =>
  /[/\\]$/.test(file) || (extname(file) === "" && statSync(file, { throwIfNoEntry: false })?.isDirectory() === true);
