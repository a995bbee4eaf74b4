import { type GivenStep, findEndpoint, pathFields, shortName } from "../../command/steps-file.ts";
import { excerpt, inputError } from "../../core/api-error.ts";

/** The names of the files of a list of steps, relative to the folder of its job. */
export interface StepFiles {
  /** Files that must be there before the first step. */
  readonly inputs: readonly string[];
  /** Files that the steps write. `job/layers` writes files with further names. */
  readonly outputs: readonly string[];
}

/** The path fields of requests that name files to write; all other path fields name files to read. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  "scene/save": ["file"],
  "scene/export": ["file"],
  "scene/render": ["file"],
  "print-setting/save": ["file"],
  "job/convert": ["output_file"],
  "job/layers": ["output_file"],
  "calibration/plate": ["output_file", "form_file"],
  "calibration/fit": ["output_file"],
};

/** Requests about the process that carries them out, or about secrets; jobs that submit jobs would never end. */
const NEVER = /^(login|logout|user|operation\/.*|job\/(submit|list|get|cancel|retry)|device\/upload-firmware)$/;
/** Requests that reach printers. */
const PRINTING = /^(scene\/print|device\/.*|queue\/.*)$/;

export const isPrinting = ({ request }: Pick<GivenStep, "request">): boolean =>
  PRINTING.test(shortName(findEndpoint(request)));

/**
 * The files of steps. Throws INPUT_ERROR for steps that a job cannot have: requests about secrets or, unless `allowsPrint`, printers; names
 * of files that are not relative, or that another step computes; a file that is read before it is written over.
 */
export function filesOfSteps(steps: readonly GivenStep[], allowsPrint: boolean): StepFiles {
  const inputs = new Set<string>();
  const outputs = new Set<string>();
  for (const [index, { request, body = {} }] of steps.entries()) {
    const name = shortName(findEndpoint(request));
    const where = `Step ${index + 1} (${name})`;
    if (NEVER.test(name)) throw inputError(`${where}: a job cannot have this request: send it to a server.`);
    if (PRINTING.test(name) && !allowsPrint) {
      throw inputError(`${where} reaches printers: submit the job, and start its workers, with --allow-print.`);
    }
    for (const [field, value] of pathFields(body)) {
      if (value === undefined || value === "") continue;
      if (typeof value !== "string")
        throw inputError(`${where}: "/${field}" must be the name of a file, not a reference: jobs state their files.`);
      const why = whyNotRelative(value);
      if (why !== undefined)
        throw inputError(
          `${where}: "${excerpt(value)}" ${why}: name a file within the folder of the job, as parts/a.stl.`,
        );
      if (WRITTEN[name]?.includes(field)) outputs.add(value);
      else if (!outputs.has(value)) inputs.add(value);
    }
  }
  const both = [...inputs].find((name) => outputs.has(name));
  if (both !== undefined)
    throw inputError(`"${excerpt(both)}" is read and then written over: give the output another name.`);
  return { inputs: [...inputs], outputs: [...outputs] };
}

/** Why a name is none of a file within the folder of a job, on any system; undefined if it is. */
export function whyNotRelative(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name.includes("\0")) return "holds a NUL character";
  if (name.includes("\\")) return "holds a backslash";
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name)) return "is absolute";
  const parts = name.split("/");
  if (parts.includes("..")) return "leads out of the folder";
  if (parts.includes("") || parts.includes(".")) return "has an empty part";
  return undefined;
}
