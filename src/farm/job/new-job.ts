import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { checkSteps } from "../../command/steps-file.ts";
import { ApiError, excerpt, inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import type { JobRequest, RequestedStep } from "../farm.ts";
import type { Lane, NewJob } from "../queue/job-queue.ts";
import type { FileHash, FileStore } from "../store/file-store.ts";
import { contentKey } from "./content-key.ts";
import { type JobContent, newPayload } from "./job-payload.ts";
import { filesOfSteps, isPrinting } from "./step-files.ts";

/** How a job is checked. */
export interface JobChecks {
  /** Extensions of the model files that workers convert. */
  readonly convertedExtensions?: readonly string[];
  /** Hashes of the files of own machines and resins. */
  readonly machines?: readonly FileHash[];
}

/** Longest time of an attempt by default, seconds. */
export const SECONDS: Readonly<Record<Lane, number>> = { quote: 60, plate: 7200 };

/**
 * Makes the job of a request: checks its steps as `run` does, stores the files that they read, and computes its key. Throws for wrong
 * steps, with the number of the step, and for files that are missing. Then no file is stored.
 */
export async function newJob(request: JobRequest, store: FileStore, checks: JobChecks = {}): Promise<NewJob> {
  const { steps, folder, lane = "plate", allowsPrint = false, priority, due, group } = request;
  const { convertedExtensions = [], machines = [] } = checks;
  const [wrong] = checkSteps(steps, resolve(folder), convertedExtensions).errors;
  if (wrong) {
    const { code, message } = wrong.error;
    throw new ApiError(code, `Step ${wrong.step.number} (${wrong.step.request}): ${message}`);
  }
  const files = filesOfSteps(steps, allowsPrint);
  const paths = inputPaths(files.inputs, request);
  const inputs: Record<string, FileHash> = {};
  for (const [name, path] of paths) inputs[name] = (await store.put(path)).hash;
  const content: JobContent = {
    steps: steps.map(plainStep),
    inputs,
    outputs: [...files.outputs],
    ...(allowsPrint && { allow_print: true }),
    ...(machines.length > 0 && { machines: [...machines].sort() }),
  };
  return {
    key: contentKey(content, request.isRepeated ? newId() : undefined),
    lane,
    payload: await newPayload(content, store, {
      seconds: request.seconds ?? SECONDS[lane],
      created: new Date().toISOString(),
    }),
    ...(priority !== undefined && { priority }),
    ...(due !== undefined && { due }),
    ...(group !== undefined && { group }),
    // What a printer has begun must not begin again.
    ...(steps.some(isPrinting) && { maxAttempts: 1 }),
  };
}

/** A step without the fields that say nothing, which some clients write and others leave out. */
function plainStep({ name, request, query = {}, body = {} }: RequestedStep): RequestedStep {
  return {
    ...(name !== undefined && { name }),
    request,
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(body).length > 0 && { body }),
  };
}

/** The paths of the files that the steps read, by their names. */
function inputPaths(names: readonly string[], { folder, inputs = {} }: JobRequest): (readonly [string, string])[] {
  const unused = Object.keys(inputs).find((name) => !names.includes(name));
  if (unused !== undefined) {
    const read = names.length === 0 ? "none" : names.join(", ");
    throw inputError(`no step reads a file "${excerpt(unused)}"; the files that the steps read: ${excerpt(read)}`);
  }
  return names.map((name) => {
    const given = inputs[name];
    const path = given === undefined ? resolve(folder, name) : resolve(given);
    if (!existsSync(path))
      throw inputError(
        `the steps read "${excerpt(name)}", and there is no file ${path}: name it with --input ${excerpt(name)}=FILE`,
      );
    if (!statSync(path).isFile()) throw inputError(`"${path}" is no file: the steps read "${excerpt(name)}"`);
    return [name, path] as const;
  });
}
