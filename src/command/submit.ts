import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { excerpt, inputError } from "../core/api-error.ts";
import { parseConverters } from "../convert/parse-converters.ts";
import { fetchOutputs } from "../farm/job/fetch-outputs.ts";
import { type JobResult, resultsOf } from "../farm/job/job-payload.ts";
import { machineHashes } from "../farm/job/machine-hashes.ts";
import type { JobRequest } from "../farm/farm.ts";
import { newJob } from "../farm/job/new-job.ts";
import { filesOfSteps } from "../farm/job/step-files.ts";
import {
  type JobQueue,
  type JobState,
  LANES,
  MAX_PRIORITY,
  type NewJob,
  type QueuedJob,
} from "../farm/queue/job-queue.ts";
import { openQueue } from "../farm/queue/open-queue.ts";
import type { FileStore } from "../farm/store/file-store.ts";
import { openStore } from "../farm/store/open-store.ts";
import type { CommandModule } from "./command-module.ts";
import { MACHINES_OPTION } from "./machines-option.ts";
import type { Output } from "./output.ts";
import { parseWords } from "./parse-words.ts";
import { type Interrupt, catchInterrupts } from "./perform.ts";
import { newProgressDisplay } from "./progress-display.ts";
import { readStepsFile } from "./steps-file.ts";
import { wholeNumber } from "./work-arguments.ts";

const USAGE = `Usage: printwright submit STEPS.json… [FOLDER…] [options]

Puts lists of steps, as printwright run takes them, into the queue of workers (printwright worker), and prints the id of each
job. Names of files in the steps are relative to a folder, without "..": the present one, or each of those that are named.

  printwright submit plate.json orders/*     one job for each folder in orders/, with the steps of plate.json

The steps are checked before anything is put into the queue, and the files that they read are stored. Steps and files that are
in the queue or done already give the job that exists.

  --input NAME=FILE   the file that the steps call NAME, where it lies elsewhere (repeatable)
  --wait              wait until the jobs have ended, and write their files into their folders
  --lane quote|plate  quotes are short: 60 s at most (default plate)
  --priority N        -100 to 100, higher first (default 0)
  --due TIME          when it is needed, as 2026-12-01T08:00: among the same priority the earliest is first
  --group NAME        a name for jobs that belong together, such as the order
  --seconds N         longest time of an attempt (default 60 for quotes, 7200 for plates)
  --again             make it again although it is done
  --allow-print       allow steps that reach printers; workers need it, too
  --queue ADDRESS, --store FOLDER
                      as of printwright worker
  --converter "EXT=COMMAND {in} {out}.step", --machines FILE, --resin FILE
                      as of the workers, for the check of the steps
  -q, --quiet         print no progress
  --json              print a line of JSON for each job

Exit status: 0 submitted, or with --wait all jobs are done; 1 a job failed or is dead; 2 the words, the steps or the files are
wrong (no job was submitted); 143 a job was cancelled; 130 and 143 interrupted (the jobs go on).`;

const OPTIONS = {
  input: { type: "string", multiple: true, default: [] as string[] },
  wait: { type: "boolean", default: false },
  lane: { type: "string", default: "plate" },
  priority: { type: "string", default: "0" },
  due: { type: "string" },
  group: { type: "string" },
  seconds: { type: "string" },
  again: { type: "boolean", default: false },
  "allow-print": { type: "boolean", default: false },
  queue: { type: "string" },
  store: { type: "string" },
  converter: { type: "string", multiple: true, default: [] as string[] },
  quiet: { type: "boolean", short: "q", default: false },
  json: { type: "boolean", default: false },
  ...MACHINES_OPTION,
} as const;
type Values = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

/** `printwright submit`: puts jobs into the queue of workers. */
export const submitCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, _open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const requests = requestsOf(positionals, values);
    const [queue, store] = await Promise.all([openQueue({ queue: values.queue }), openStore(values.store)]);
    try {
      const jobs = await newJobs(requests, values, store);
      const submitted = await queue.submit(jobs);
      const pending = submitted.map(({ id, isNew }, index) => ({ id, isNew, folder: requests[index]?.folder ?? "." }));
      if (!values.wait) {
        for (const { id, isNew, folder } of pending)
          output.line(values.json ? JSON.stringify({ id, is_new: isNew, folder }) : id);
        return 0;
      }
      return await waitFor(pending, { queue, store, output, values }, catchInterrupts());
    } finally {
      await queue.close();
    }
  },
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The requests of all steps files in all folders. */
function requestsOf(words: readonly string[], values: Values): JobRequest[] {
  const folders = words.filter(isFolder);
  const files = words.filter((word) => !isFolder(word));
  if (files.length === 0) throw inputError("name a steps file, and folders for several jobs; --help has more");
  const inputs: Record<string, string> = {};
  for (const text of values.input) {
    const [, name, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || file === undefined) throw inputError(`--input must be NAME=FILE, not "${excerpt(text)}"`);
    inputs[name] = file;
  }
  const lane = LANES.find((one) => one === values.lane);
  if (!lane) throw inputError(`--lane must be ${LANES.join(" or ")}, not "${excerpt(values.lane)}"`);
  const priority = Number(/^-?\d+$/.test(values.priority) ? values.priority : Number.NaN);
  if (!(Math.abs(priority) <= MAX_PRIORITY))
    throw inputError(
      `--priority must be a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}, not "${excerpt(values.priority)}"`,
    );
  const due = values.due === undefined ? undefined : new Date(values.due);
  if (due && Number.isNaN(due.getTime()))
    throw inputError(`--due must be a time as 2026-12-01T08:00, not "${values.due}"`);
  const seconds = values.seconds === undefined ? undefined : wholeNumber(values.seconds, 1, MAX_SECONDS);
  if (values.seconds !== undefined && seconds === undefined)
    throw inputError(`--seconds must be a number from 1 to ${MAX_SECONDS}, not "${excerpt(values.seconds)}"`);
  return files.flatMap((file) => {
    const steps = readStepsFile(file);
    return (folders.length === 0 ? ["."] : folders).map((folder) => ({
      steps,
      folder,
      inputs,
      lane,
      priority,
      ...(due && { due }),
      ...(values.group !== undefined && { group: values.group }),
      seconds,
      allowsPrint: values["allow-print"],
      isRepeated: values.again,
    }));
  });
}

const MAX_SECONDS = 7 * 24 * 60 * 60;

async function newJobs(requests: readonly JobRequest[], values: Values, store: FileStore): Promise<NewJob[]> {
  const convertedExtensions = parseConverters(values.converter).map(({ extension }) => extension);
  const machines = await machineHashes(values);
  if (values.wait) requireDifferentOutputs(requests);
  const jobs: NewJob[] = [];
  for (const request of requests) jobs.push(await newJob(request, store, { convertedExtensions, machines }));
  return jobs;
}

function requireDifferentOutputs(requests: readonly JobRequest[]): void {
  const known = new Set<string>();
  for (const { steps, folder, allowsPrint = false } of requests) {
    for (const name of filesOfSteps(steps, allowsPrint).outputs) {
      const path = resolve(folder, name);
      if (known.has(path)) throw inputError(`two jobs write ${path}: give the steps different names for their outputs`);
      known.add(path);
    }
  }
}

interface Pending {
  readonly id: string;
  readonly folder: string;
}

interface Waiting {
  readonly queue: JobQueue;
  readonly store: FileStore;
  readonly output: Output;
  readonly values: Values;
}

const ENDED: ReadonlySet<JobState> = new Set(["done", "failed", "dead", "cancelled"]);
const FAILED = 1;
const CANCELLED = 143;
/** Between two looks at the queue, so that many jobs cost little, ms. */
const LOOK_EVERY_MS = 250;
const LOOK_AGAIN_MS = 5000;

/** Waits for the ends of jobs, and writes their files. Returns the largest exit status. */
async function waitFor(jobs: readonly Pending[], { queue, store, output, values }: Waiting, interrupt: Interrupt) {
  const display = newProgressDisplay(process.stderr);
  const changed = queue.watch();
  // Equal jobs of several folders are one, whose files go into each.
  const pending = new Set(jobs);
  let status = 0;
  for (;;) {
    let begun = 0;
    for (const submitted of pending) {
      const { id, folder } = submitted;
      if (interrupt.status() !== undefined) break;
      const job = await queue.get(id);
      if (job && !ENDED.has(job.state)) {
        begun += job.progress?.fraction ?? 0;
        continue;
      }
      pending.delete(submitted);
      const told = await conclude(id, job, folder, store);
      status = Math.max(status, told.status);
      output.line(values.json ? JSON.stringify(told.json) : told.text);
    }
    if (pending.size === 0) return status;
    const interrupted = interrupt.status();
    if (interrupted !== undefined) {
      console.error(`printwright: interrupted: ${pending.size} jobs go on; printwright jobs list shows them`);
      return interrupted;
    }
    const ended = jobs.length - pending.size;
    if (!values.quiet) display.show(`${ended} of ${jobs.length} jobs have ended`, (ended + begun) / jobs.length);
    await sleep(LOOK_EVERY_MS);
    await changed(LOOK_AGAIN_MS, interrupt.signal).catch(() => {});
  }
}

/** What is said of a job that has ended, after its files were written. */
async function conclude(id: string, job: QueuedJob | undefined, folder: string, store: FileStore) {
  if (!job) return { status: FAILED, text: `${id} was deleted`, json: { id, folder, state: "deleted" } };
  const { state, error } = job;
  if (state !== "done") {
    const why = error ? `: ${error.code}: ${error.message}` : "";
    const status = state === "cancelled" ? CANCELLED : FAILED;
    return { status, text: `${id} ${state}${why}`, json: { id, folder, state, error } };
  }
  const result = job.result as JobResult;
  const files = (await fetchOutputs(result, store, folder)).map((name) => join(folder, name));
  const { seconds } = result;
  const text = `${id} done in ${seconds} s${files.length > 0 ? `: ${files.join(", ")}` : ""}`;
  return { status: 0, text, json: { id, folder, state, seconds, files, results: await resultsOf(result, store) } };
}
