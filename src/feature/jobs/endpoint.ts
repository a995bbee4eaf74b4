import * as v from "valibot";
import { excerpt, notFound } from "../../core/api-error.ts";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { requireAbsolute } from "../../api/preconditions.ts";
import { count, integer, name, nonEmptyString, uuid } from "../../api/schema.ts";
import { jobOnWire } from "../../farm/queue/job-on-wire.ts";
import { JOB_STATES, LANES, MAX_PRIORITY } from "../../farm/queue/job-queue.ts";

// Jobs in the queue of workers (`printwright worker`), of which the environment of the server names the address. They are no held jobs of printers (`queue/list`), and no files
// for printers (`job/inspect`).

const time = v.pipe(
  v.string(),
  v.isoTimestamp("must be a time in ISO 8601 with its zone, such as 2026-12-01T08:00:00Z"),
);
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_LISTED = 10_000;
const LISTED = 100;

const jobReply = object({
  id: field(uuid, "Id of the job."),
  key: field(v.string(), "Identifies what the job makes: jobs with the same key make the same files."),
  lane: field(
    v.picklist(LANES),
    "Lane: quote for short jobs, which share a process; plate for jobs with a process each.",
  ),
  state: field(
    v.picklist(JOB_STATES),
    "State. ready: it waits for a worker. running: a worker has it. done: its results are there. failed: its steps cannot succeed. dead: its steps are wrong, or all attempts were used up. cancelled: by a person.",
  ),
  priority: field(integer, `Priority from -${MAX_PRIORITY} to ${MAX_PRIORITY}; higher runs first.`),
  due: field(v.optional(v.string()), "When it is needed (ISO 8601)."),
  group: field(v.optional(v.string()), "The name that it shares with jobs that belong together."),
  attempt: field(count, "How often it was begun."),
  max_attempts: field(count, "How often it is begun at most."),
  worker: field(v.optional(v.string()), "Who runs it, or ran it last."),
  is_cancelling: field(v.optional(v.literal(true)), "Present while a running job is asked to end."),
  progress: field(v.optional(v.number()), "Share that is done, from 0 to 1."),
  step: field(v.optional(count), "Index of the step that runs, 0-based."),
  result: field(
    v.optional(v.record(v.string(), v.unknown())),
    "Of a job that is done: its files by name with their SHA-256, the results of its steps, and the seconds that it took; where it had a process of its own, cpu_seconds and peak_memory_bytes of that process.",
  ),
  error: field(
    v.optional(
      object({
        code: field(v.string(), "Code of the error."),
        message: field(v.string(), "The cause and the way out, as text for people."),
      }),
    ),
    "Why the last attempt ended without a result.",
  ),
  created_at: field(v.string(), "When it was submitted (ISO 8601)."),
  not_before: field(v.optional(v.string()), "After a failed attempt: when the next one may begin (ISO 8601)."),
  started_at: field(v.optional(v.string()), "When the last attempt began (ISO 8601)."),
  ended_at: field(v.optional(v.string()), "When it ended (ISO 8601)."),
});

const jobId = field(uuid, "Id of a job, from job/submit or job/list.");

export const submitJob = servesServer(
  {
    method: "POST",
    path: "/v1/job/submit/",
    summary:
      "Puts a list of steps into the queue of workers (printwright worker), after it has checked them and stored the files that they read. Returns at once. Steps and files that are in the queue or done already give the job that exists.",
    body: strictObject({
      steps: field(
        v.array(
          strictObject({
            name: field(v.optional(v.string()), "The name by which later steps refer to the result."),
            request: field(v.string(), "The name of a request of this interface, such as scene/create."),
            query: field(
              v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
              "The query of the request.",
            ),
            body: field(v.optional(v.record(v.string(), v.unknown())), "The body of the request."),
          }),
        ),
        "The steps, as in a file of printwright run. Names of files are relative.",
      ),
      folder: field(
        nonEmptyString,
        "The folder of the files that the steps read, from the root of the file system of the server.",
      ),
      inputs: field(
        v.optional(v.record(v.string(), nonEmptyString)),
        "Absolute paths of files that lie elsewhere, by the names that the steps use.",
      ),
      lane: field(
        v.optional(v.picklist(LANES), "plate"),
        "Lane: quote for short jobs, of 60 s at most by default; plate for others.",
      ),
      priority: field(
        v.optional(v.pipe(integer, v.minValue(-MAX_PRIORITY), v.maxValue(MAX_PRIORITY)), 0),
        "Higher runs first.",
      ),
      due: field(v.optional(time), "When it is needed (ISO 8601): among the same priority the earliest is first."),
      group: field(v.optional(name), "A name for jobs that belong together, such as the order."),
      seconds: field(
        v.optional(v.pipe(integer, v.minValue(1), v.maxValue(MAX_SECONDS))),
        "Longest time of one attempt in seconds; default 60 for quotes, 7200 for plates.",
      ),
      again: field(v.optional(v.boolean(), false), "Whether it is made again although it is done."),
      allow_print: field(
        v.optional(v.boolean(), false),
        "Whether steps may reach printers; the worker must allow it, too.",
      ),
    }),
    reply: object({
      job_id: field(uuid, "Id of the job."),
      is_new: field(v.boolean(), "False if a job with the same steps and files existed."),
    }),
    errors: ["NOT_FOUND", "OPERATION_FAILED"],
    check({ folder, inputs = {} }) {
      for (const path of [folder, ...Object.values(inputs)]) requireAbsolute(path);
    },
  },
  async ({ farm, converters }, { body }) => {
    const { steps, folder, inputs, lane, priority, due, group, seconds, again, allow_print } = body;
    const { id, isNew } = await farm.submit(
      {
        steps,
        folder,
        ...(inputs && { inputs }),
        lane,
        priority,
        ...(due !== undefined && { due: new Date(due) }),
        ...(group !== undefined && { group }),
        seconds,
        allowsPrint: allow_print,
        isRepeated: again,
      },
      converters.extensions,
    );
    return { job_id: id, is_new: isNew };
  },
);

export const listJobs = servesServer(
  {
    method: "POST",
    path: "/v1/job/list/",
    summary: "Lists the jobs in the queue of workers, newest first.",
    body: strictObject({
      state: field(v.optional(v.picklist(JOB_STATES)), "Only jobs in this state."),
      lane: field(v.optional(v.picklist(LANES)), "Only jobs of this lane."),
      group: field(v.optional(name), "Only jobs of this group."),
      limit: field(v.optional(v.pipe(integer, v.minValue(1), v.maxValue(MAX_LISTED)), LISTED), "Most jobs to list."),
    }),
    bodyOptional: true,
    reply: object({ jobs: field(v.array(jobReply), "The jobs.") }),
    errors: ["OPERATION_FAILED"],
  },
  async ({ farm }, { body: { state, lane, group, limit } }) => {
    const queue = await farm.queue();
    const jobs = await queue.list({
      ...(state && { state }),
      ...(lane && { lane }),
      ...(group !== undefined && { group }),
      limit,
    });
    return { jobs: jobs.map(jobOnWire) };
  },
);

export const getJob = servesServer(
  {
    method: "POST",
    path: "/v1/job/get/",
    summary: "Describes a job in the queue of workers.",
    body: strictObject({ job_id: jobId }),
    reply: jobReply,
    errors: ["NOT_FOUND", "OPERATION_FAILED"],
  },
  async ({ farm }, { body: { job_id } }) => {
    const job = await (await farm.queue()).get(job_id);
    if (!job) throw notFound(`The queue has no job ${excerpt(job_id)}: list the jobs to see their ids.`);
    return jobOnWire(job);
  },
);

export const cancelJob = servesServer(
  {
    method: "POST",
    path: "/v1/job/cancel/",
    summary:
      "Cancels a job in the queue of workers: at once if it waits; a running one is asked to end, and does so within seconds. A job that has ended stays as it is.",
    body: strictObject({ job_id: jobId }),
    reply: jobReply,
    errors: ["NOT_FOUND", "OPERATION_FAILED"],
  },
  async ({ farm }, { body: { job_id } }) => jobOnWire(await (await farm.queue()).cancel(job_id)),
);

export const retryJob = servesServer(
  {
    method: "POST",
    path: "/v1/job/retry/",
    summary: "Makes a job ready again that has ended, with all its attempts.",
    body: strictObject({ job_id: jobId }),
    reply: jobReply,
    errors: ["NOT_FOUND", "OPERATION_FAILED"],
  },
  async ({ farm }, { body: { job_id } }) => jobOnWire(await (await farm.queue()).retry(job_id)),
);
