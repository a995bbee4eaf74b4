import { excerpt, inputError, notFound, toApiError, toEnvelope } from "../core/api-error.ts";
import { jobOnWire } from "../farm/queue/job-on-wire.ts";
import {
  JOB_STATES,
  type JobFilter,
  type JobQueue,
  type JobState,
  LANES,
  type QueuedJob,
} from "../farm/queue/job-queue.ts";
import { openQueue } from "../farm/queue/open-queue.ts";
import { alignColumns } from "./align-columns.ts";
import type { CommandModule } from "./command-module.ts";
import type { Output } from "./output.ts";
import { parseWords } from "./parse-words.ts";
import { wholeNumber } from "./work-arguments.ts";

const USAGE = `Usage: printwright jobs list|count|show|cancel|retry|dead [ID…] [options]

Shows and changes the jobs that printwright submit has put into a queue.

  printwright jobs list --state running
  printwright jobs cancel --group order-17

list           the jobs, newest first
count          how many jobs of each lane are in each state, and since when the oldest of them is there
show ID…       all that is known of jobs, as JSON
cancel ID…     a job that waits is cancelled at once, one that runs within seconds; what has ended stays as it is
retry ID…      runs jobs again that failed, are dead, were cancelled, or whose files were deleted
dead           the jobs that need a person: their steps were wrong, or all attempts were used up

  --state STATE        only jobs that are ${JOB_STATES.join(", ")}
  --lane quote|plate   only those of this lane
  --group NAME         only those of this group; cancel and retry take it instead of ids, for all of it that can be
                       cancelled, or that failed, is dead or was cancelled
  --limit N            most jobs to list (default 100)
  --queue ADDRESS      the queue, as of printwright worker
  --json               print a line of JSON for each job

Exit status: 0 done; 1 there is no such job, or it cannot be changed; 2 the words are wrong.`;

const OPTIONS = {
  state: { type: "string" },
  lane: { type: "string" },
  group: { type: "string" },
  limit: { type: "string" },
  queue: { type: "string" },
  json: { type: "boolean", default: false },
} as const;
type Values = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

/** More jobs than a group has. */
const WHOLE_GROUP = 1_000_000;

interface Call {
  readonly queue: JobQueue;
  readonly ids: readonly string[];
  readonly values: Values;
  readonly output: Output;
}

interface Action {
  /** Whether it takes ids. */
  readonly ids: boolean;
  /** Returns the exit status. */
  readonly run: (call: Call) => Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { ids: false, run: ({ queue, values, output }) => list(queue, filterOf(values), values, output) },
  dead: {
    ids: false,
    run: ({ queue, values, output }) => list(queue, { ...filterOf(values), state: "dead" }, values, output),
  },
  count: { ids: false, run: count },
  show: {
    ids: true,
    run: (call) =>
      forEach(call, call.ids, async (id) => {
        const job = await call.queue.get(id);
        if (!job) throw notFound(`The queue has no job ${excerpt(id)}: printwright jobs list shows them.`);
        return JSON.stringify({ ...jobOnWire(job), payload: job.payload }, null, call.values.json ? undefined : 2);
      }),
  },
  cancel: { ids: true, run: (call) => change(call, ["ready", "running"], (id) => call.queue.cancel(id)) },
  retry: { ids: true, run: (call) => change(call, ["failed", "dead", "cancelled"], (id) => call.queue.retry(id)) },
};

/** `printwright jobs`: shows and changes the jobs of a queue. */
export const jobsCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, _open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [name = "", ...ids] = positionals;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action) throw inputError(`say what to do: ${Object.keys(ACTIONS).join(", ")}; --help has more`);
    if (!action.ids && ids.length > 0) throw inputError(`${name} takes no ids: printwright jobs show has one job`);
    if (action.ids && ids.length === 0 && (name === "show" || values.group === undefined))
      throw inputError(`name the jobs by their ids: printwright jobs list shows them`);
    // Wrong words are found before the queue is opened.
    filterOf(values);
    const queue = await openQueue({ queue: values.queue });
    try {
      return await action.run({ queue, ids, values, output });
    } finally {
      await queue.close();
    }
  },
};

function filterOf({ state, lane, group, limit }: Values): JobFilter {
  const most = limit === undefined ? undefined : wholeNumber(limit, 1, WHOLE_GROUP);
  if (limit !== undefined && most === undefined)
    throw inputError(`--limit must be a number from 1 to ${WHOLE_GROUP}, not "${excerpt(limit)}"`);
  return {
    ...(state !== undefined && { state: oneOf("state", state, JOB_STATES) }),
    ...(lane !== undefined && { lane: oneOf("lane", lane, LANES) }),
    ...(group !== undefined && { group }),
    ...(most !== undefined && { limit: most }),
  };
}

function oneOf<const T extends string>(option: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw inputError(`--${option} must be ${values.join(", ")}, not "${excerpt(value)}"`);
  return found;
}

async function list(queue: JobQueue, filter: JobFilter, values: Values, output: Output): Promise<number> {
  const jobs = await queue.list(filter);
  if (values.json) for (const job of jobs) output.line(JSON.stringify(jobOnWire(job)));
  else if (jobs.length > 0) output.line(alignColumns(jobs.map(rowOf)));
  return 0;
}

const rowOf = (job: QueuedJob): string[] => [job.id, job.lane, job.state, timeOf(job), job.group ?? "", noteOf(job)];

/** When what the state says has happened. */
const timeOf = ({ createdAt, startedAt, endedAt, state }: QueuedJob): string =>
  shortTime(endedAt ?? (state === "running" ? startedAt : undefined) ?? createdAt);

const shortTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

function noteOf({ state, progress, isCancelling, error, worker, due, notBefore }: QueuedJob): string {
  if (isCancelling) return `is asked to end, on ${worker}`;
  if (state === "running") return `${Math.floor(100 * (progress?.fraction ?? 0))} % on ${worker}`;
  if (error) {
    const again = state === "ready" && notBefore ? `again at ${shortTime(notBefore)}: ` : "";
    return `${again}${error.code}: ${error.message}`;
  }
  return state === "ready" && due ? `due ${shortTime(due)}` : "";
}

async function count({ queue, values, output }: Call): Promise<number> {
  const counts = await queue.count();
  if (values.json) for (const one of counts) output.line(JSON.stringify({ ...one, oldest: one.oldest.toISOString() }));
  else if (counts.length > 0)
    output.line(alignColumns(counts.map((one) => [one.lane, one.state, String(one.count), shortTime(one.oldest)])));
  return 0;
}

/** Changes the jobs that were named, or those of the group that are in one of the states. */
async function change(
  call: Call,
  states: readonly JobState[],
  work: (id: string) => Promise<QueuedJob>,
): Promise<number> {
  const ids = call.ids.length > 0 ? call.ids : await idsOfGroup(call.queue, filterOf(call.values), states);
  return forEach(call, ids, async (id) => {
    const job = await work(id);
    if (call.values.json) return JSON.stringify(jobOnWire(job));
    return `${job.id} ${job.isCancelling ? "is asked to end" : job.state}`;
  });
}

const FAILED = 1;

/** Prints what `work` says of each job. A job that it refuses does not keep it from the others. */
async function forEach(
  { values, output }: Call,
  ids: readonly string[],
  work: (id: string) => Promise<string>,
): Promise<number> {
  let status = 0;
  for (const id of ids) {
    try {
      output.line(await work(id));
    } catch (thrown) {
      const error = toApiError(thrown);
      console.error(`printwright: ${error.message}`);
      if (values.json) output.line(JSON.stringify({ id, ...toEnvelope(error) }));
      status = FAILED;
    }
  }
  return status;
}

async function idsOfGroup(queue: JobQueue, filter: JobFilter, states: readonly JobState[]): Promise<string[]> {
  const jobs = await queue.list({ limit: WHOLE_GROUP, ...filter });
  return jobs.filter(({ state }) => states.includes(state)).map(({ id }) => id);
}
