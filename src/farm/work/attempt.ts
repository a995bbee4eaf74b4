import { readdir, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ApiError, excerpt, inputError, toApiError } from "../../core/api-error.ts";
import { makePrivateFolder, removeFolder } from "../../core/private-folder.ts";
import { type JobContent, type JobResult, contentOf, putText, readPayload } from "../job/job-payload.ts";
import { filesOfSteps, whyNotRelative } from "../job/step-files.ts";
import type { JobError, JobProgress, QueuedJob, Verdict } from "../queue/job-queue.ts";
import type { FileCache } from "../store/file-cache.ts";
import type { FileHash, FileStore } from "../store/file-store.ts";
import { type StopReason, untilReached } from "./lease.ts";
import type { RunEnding, StepList } from "./step-runner.ts";
import { type Ending, verdictOf } from "./verdict.ts";

/** What a worker does attempts with. */
export interface AttemptTools {
  readonly store: FileStore;
  readonly cache: FileCache;
  /** The folder in which each attempt has a folder of its own. */
  readonly workFolder: string;
  readonly allowsPrint: boolean;
  /** Hashes of the files of own machines and resins of this worker. */
  readonly machines: readonly FileHash[];
  /** Carries out the steps of a job. */
  run(
    job: QueuedJob,
    list: StepList,
    signal: AbortSignal,
    onProgress: (progress: JobProgress) => void,
  ): Promise<RunEnding>;
}

/** Ends an attempt before its steps, with the first reason that it gets. */
export class Stop {
  readonly #aborting = new AbortController();
  readonly signal = this.#aborting.signal;
  reason: StopReason | undefined;

  now(reason: StopReason): void {
    this.reason ??= reason;
    this.#aborting.abort();
  }
}

/** The end of an attempt: the result of the job, or why there is none; `blocked` says why this worker cannot begin any. */
export type AttemptEnd =
  | { readonly result: JobResult }
  | { readonly verdict: Verdict; readonly blocked?: string | undefined };

/** Folders of attempts; see `makePrivateFolder`. */
export const FOLDER_USE = "farm";
/** Results of steps whose JSON is longer are a file of the store. */
const MAX_RESULT_BYTES = 16_384;
/** A store that is not reached is tried so often, over about four minutes: then the attempt fails. */
const STORE_TRIES = 10;

/**
 * Makes one attempt of a job: fetches its files, carries out its steps, and stores what they wrote. Files are stored before the caller ends
 * the job, so that no job names a file that is missing.
 */
export async function makeAttempt(
  job: QueuedJob,
  tools: AttemptTools,
  stop: Stop,
  onProgress: (progress: JobProgress) => void,
): Promise<AttemptEnd> {
  let folder: string;
  try {
    folder = await makePrivateFolder(FOLDER_USE, tools.workFolder);
  } catch (thrown) {
    return { verdict: { kind: "give-back" }, blocked: toApiError(thrown).message };
  }
  let limitS = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    const payload = readPayload(job.payload);
    limitS = payload.seconds;
    timer = setTimeout(() => stop.now("late"), 1000 * limitS);
    const content = await untilReached(() => contentOf(payload, tools.store), {
      signal: stop.signal,
      tries: STORE_TRIES,
    });
    requireAllowed(content, tools);
    const files = join(folder, "files");
    await placeInputs(content, files, tools, stop.signal);
    const file = join(folder, "steps.json");
    await writeFile(file, JSON.stringify(content.steps));
    const startedMs = performance.now();
    const list = { id: job.id, file, folder: files, created: payload.created, stepCount: content.steps.length };
    const { ending, results, usage } = await tools.run(job, list, stop.signal, onProgress);
    clearTimeout(timer);
    const verdict = verdictOf(stoppedEnding(ending, stop, limitS), job.attempt);
    if (verdict) return { verdict: inFolderWords(verdict, files) };
    const seconds = Math.round(performance.now() - startedMs) / 1000;
    return { result: { ...(await storeResult(content, files, results, tools.store)), seconds, ...usage } };
  } catch (thrown) {
    const { code, message } = toApiError(thrown);
    const ending: Ending = { kind: "ended", status: 1, error: { code, message } };
    const verdict = verdictOf(stoppedEnding(ending, stop, limitS), job.attempt);
    return { verdict: verdict ?? { kind: "give-back" } };
  } finally {
    clearTimeout(timer);
    await removeFolder(folder);
  }
}

/** How an attempt ended, where it may have been stopped before its steps ended. Steps that ended count. */
function stoppedEnding(ending: Ending, { reason }: Stop, limitS: number): Ending {
  if (reason === undefined || (ending.kind === "ended" && ending.status === 0)) return ending;
  if (reason === "late") return { kind: "late", seconds: limitS };
  return reason === "cancelled" ? { kind: "cancelled" } : { kind: "drained" };
}

/** Throws for a job that this worker must not or cannot carry out. Jobs may come from clients that check nothing. */
function requireAllowed({ steps, inputs, allow_print, machines = [] }: JobContent, tools: AttemptTools): void {
  if (allow_print && !tools.allowsPrint)
    throw inputError("The job reaches printers, which this worker does not: start it with --allow-print.");
  filesOfSteps(steps, allow_print === true);
  for (const name of Object.keys(inputs)) {
    const why = whyNotRelative(name);
    if (why !== undefined) throw inputError(`The input "${excerpt(name)}" ${why}.`);
  }
  if (machines.toString() !== [...tools.machines].sort().toString()) {
    // Another worker may have them.
    throw new ApiError(
      "UNKNOWN_FAILURE",
      "The job was submitted with other --machines or --resin than those of this worker: give both the same files.",
    );
  }
}

async function placeInputs(
  { inputs, outputs }: JobContent,
  files: string,
  { cache }: AttemptTools,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(files, { mode: 0o700 });
  for (const name of [...Object.keys(inputs), ...outputs]) await mkdir(dirname(join(files, name)), { recursive: true });
  for (const [name, hash] of Object.entries(inputs))
    await untilReached(() => placeInput(cache, hash, join(files, name)), { signal, tries: STORE_TRIES });
}

async function placeInput(cache: FileCache, hash: FileHash, path: string): Promise<void> {
  try {
    await cache.place(hash, path);
  } catch (thrown) {
    // Where this worker has another store mounted, another worker may find the file.
    const isMissing = thrown instanceof ApiError && thrown.code === "NOT_FOUND";
    throw isMissing ? new ApiError("UNKNOWN_FAILURE", thrown.message) : thrown;
  }
}

async function storeResult(
  { inputs }: JobContent,
  files: string,
  results: Readonly<Record<string, unknown>>,
  store: FileStore,
): Promise<Pick<JobResult, "outputs" | "results">> {
  const outputs: Record<string, { hash: FileHash; bytes: number }> = {};
  const patience = { tries: STORE_TRIES };
  for (const entry of await readdir(files, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(files, path).replaceAll("\\", "/");
    if (entry.isFile() && !Object.hasOwn(inputs, name))
      outputs[name] = await untilReached(() => store.put(path), patience);
  }
  const text = JSON.stringify(withoutFolder(results, files));
  const kept = JSON.parse(text) as Record<string, unknown>;
  const isShort = text.length <= MAX_RESULT_BYTES;
  return { outputs, results: isShort ? kept : await untilReached(() => putText(text, store), patience) };
}

/** Results with names of files in place of their paths, which are gone when somebody reads them. */
const withoutFolder = (value: unknown, folder: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(`${folder}${sep}`).slice(1, -1), ""));

function inFolderWords(verdict: Verdict, files: string): Verdict {
  if (!("error" in verdict)) return verdict;
  const error: JobError = { ...verdict.error, message: verdict.error.message.replaceAll(`${files}${sep}`, "") };
  return { ...verdict, error };
}
