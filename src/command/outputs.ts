import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import type { PrinterType } from "../catalog/setting.ts";
import { inputError } from "../core/api-error.ts";
import { JOB_WRITERS } from "../job/job-writers.ts";
import type { GivenStep } from "./steps-file.ts";

/** Those of job archives, with the dot. */
const JOB_EXTENSIONS: ReadonlySet<string> = new Set(Object.values(JOB_WRITERS).map(({ extension }) => extension));
const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set([".png", ".webp"]);

/**
 * The steps that write a scene to files, by their extensions. Throws INPUT_ERROR for those that could not be written after all the
 * work: in a folder that is not there, or jobs for other machines.
 */
export function outputSteps(
  files: readonly string[],
  scene: object,
  printerType: PrinterType | undefined,
): GivenStep[] {
  return files.map((file) => {
    requireFolderOf(file);
    const extension = extname(file).toLowerCase();
    if (JOB_EXTENSIONS.has(extension)) requireJobOf(printerType, file, extension);
    if (extension === ".form") return { request: "scene/save", body: { scene_ids: [scene], file } };
    if (PICTURE_EXTENSIONS.has(extension)) return { request: "scene/render", body: { scene_id: scene, file } };
    return { request: "scene/export", body: { scene_id: scene, file } };
  });
}

/** Throws INPUT_ERROR where the folder of a file is not there. */
export function requireFolderOf(file: string): void {
  const folder = dirname(resolve(file));
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw inputError(`"${file}" cannot be written: there is no folder ${folder}`);
}

function requireJobOf(printerType: PrinterType | undefined, file: string, extension: string): void {
  if (!printerType) return;
  const own = JOB_WRITERS[printerType.job].extension;
  if (extension !== own) throw inputError(`jobs for ${printerType.label} are ${own} files: "${file}" is none`);
}

/** The name of the job where none is given: that of the first part, in the present folder. */
export function defaultOutput(part: string, printerType: PrinterType | undefined): string {
  if (!printerType) throw inputError("name the file to write with -o");
  return `${basename(part, extname(part))}${JOB_WRITERS[printerType.job].extension}`;
}
