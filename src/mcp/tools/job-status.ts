import * as v from "valibot";
import { field } from "../../api/field.ts";
import { excerpt, inputError, notFound } from "../../core/api-error.ts";
import { fetchOutputs } from "../../farm/job/fetch-outputs.ts";
import type { JobResult } from "../../farm/job/job-payload.ts";
import { JOB_STATES, type QueuedJob } from "../../farm/queue/job-queue.ts";
import { MAX_LISTED, listed, oneLine, quoted } from "../answer.ts";
import { type FarmAccess, requireFarm } from "../farm-access.ts";
import type { RootFolder } from "../root-folder.ts";
import { defineTool } from "../tool.ts";

/** Says how jobs of the farm are, cancels one, and fetches its files. */
export const jobStatus = defineTool(
  {
    name: "job_status",
    title: "Jobs of the workers",
    description:
      "How a job is: ready (it waits), running, done, failed, dead (a person must look at it) or cancelled. Without job, the newest ones.",
    fields: {
      job: field(v.optional(v.string()), "Id of the job."),
      cancel: field(v.optional(v.boolean(), false), "Cancels the job."),
      fetch: field(v.optional(v.boolean(), false), "Writes the files of a done job."),
      replace: field(v.optional(v.boolean(), false), "Replaces files that exist."),
      state: field(v.optional(v.picklist(JOB_STATES)), "Lists jobs in this state."),
      group: field(v.optional(v.string()), "Lists jobs of this group."),
    },
    hints: { destructiveHint: true, openWorldHint: true },
  },
  async ({ job: id, cancel, fetch, replace, state, group }, call) => {
    const farm = requireFarm(call.workspace.farm);
    const queue = await farm.queue();
    if (id === undefined) {
      if (cancel || fetch) throw inputError("Name the job: job_status without one lists the newest.");
      const filter = { ...(state && { state }), ...(group !== undefined && { group }), limit: MAX_LISTED };
      const jobs = await queue.list(filter);
      return {
        lines: jobs.length === 0 ? ["There are no such jobs."] : listed(jobs, lineOf),
        data: { jobs: jobs.map(jobData) },
      };
    }
    const found = await queue.get(id);
    if (!found) throw notFound(`The queue has no job "${excerpt(id)}": job_status without a job lists the newest.`);
    const job = cancel ? await queue.cancel(id) : found;
    const written = fetch ? await fetchFiles(job, { farm, root: call.workspace.root, replace }) : undefined;
    return {
      lines: [lineOf(job), ...(written ? [`Written: ${written.join(", ")}`] : [])],
      data: { ...jobData(job), ...(written && { written }) },
    };
  },
);

const outputsOf = ({ state, result }: QueuedJob): string[] =>
  state === "done" ? Object.keys((result as JobResult).outputs) : [];

const jobData = (job: QueuedJob) => ({
  job: job.id,
  state: job.state,
  ...(job.progress && job.state === "running" && { progress: job.progress.fraction }),
  ...(job.group !== undefined && { group: job.group }),
  ...(job.due && { due: job.due.toISOString() }),
  attempt: job.attempt,
  max_attempts: job.maxAttempts,
  ...(job.error && { error: { code: job.error.code, message: oneLine(job.error.message) } }),
  ...(job.state === "done" && { files: outputsOf(job) }),
});

function lineOf(job: QueuedJob): string {
  const { id, state, attempt, maxAttempts, progress, error, group } = job;
  const share = state === "running" && progress ? ` ${Math.floor(100 * progress.fraction)} %` : "";
  return [
    `${id} ${state}${share}`,
    ...(attempt > 1 ? [`attempt ${attempt} of ${maxAttempts}`] : []),
    ...(group === undefined ? [] : [`group ${quoted(group)}`]),
    ...(error && state !== "done" ? [oneLine(`${error.code}: ${error.message}`)] : []),
    ...(state === "done" ? [`files ${outputsOf(job).map(quoted).join(", ")}`] : []),
  ].join("; ");
}

interface FetchPlace {
  readonly farm: FarmAccess;
  readonly root: RootFolder;
  readonly replace: boolean;
}

/** Writes the files of a done job below the root. What a worker calls them is checked as what a caller does. */
async function fetchFiles(job: QueuedJob, { farm, root, replace }: FetchPlace): Promise<readonly string[]> {
  if (job.state !== "done") throw inputError(`The job is ${job.state}: its files are there once it is done.`);
  const names = outputsOf(job);
  const taken = names.filter((name) => root.has(root.target(name)));
  if (taken.length > 0 && !replace)
    throw inputError(`There is ${taken.join(", ")} already: set replace to true, or move it away.`);
  return fetchOutputs(job.result as JobResult, await farm.store(), root.path);
}
