import { batch, signal } from "@preact/signals";
import { must } from "../../core/must.ts";
import type { PageJob } from "../../ui/replies.ts";
import type { JobFinding } from "../action/job-findings.ts";
import { inPageWords } from "../action/page-words.ts";
import { get, isCancellation, post, upload } from "../server/call.ts";
import { type ProgressContext, type WrittenFile, saveWritten } from "../server/operation.ts";
import type { InspectedJob } from "../server/replies.ts";
import { nearestLayer } from "./layers.ts";
import { notify } from "./notices.ts";
import { callEndpoint, isFailure, runTask } from "./tasks.ts";

/** A job file that is shown instead of the scene. */
export interface ShownJob {
  readonly name: string;
  /** Address of its routes, which begin with it. */
  readonly address: string;
  readonly facts: InspectedJob;
  readonly frame: PageJob;
  /** Why its layers were not checked. */
  readonly problem: string | undefined;
}

const INSPECT = "/v1/job/inspect/";

export const shownJob = signal<ShownJob | undefined>(undefined);
/** Index of the shown layer of the job; 0 is at the platform. */
export const jobLayer = signal(0);
/** The finding that is marked on its layer. */
export const markedFinding = signal<JobFinding | undefined>(undefined);

/** Ends the check of the shown job when it is closed. */
let closing = new AbortController();

/** Uploads a job file and shows it, then checks its layers. The scene stays as it is. */
export async function openJobFile(file: File): Promise<void> {
  const { name } = file;
  await runTask(`Open ${name}`, async (context) => {
    const { file: path, token } = await upload(file);
    const address = `/ui/job/${token}/${encodeURIComponent(must(path.split(/[/\\]/).at(-1), "The name of the upload"))}/`;
    const facts = await callEndpoint<InspectedJob>(INSPECT, { file: path, read_layers: false }, context);
    const frame = await get<PageJob>(address);
    showJob({ name, address, facts, frame, problem: undefined });
    context.title(`Check ${name}`);
    await checkJob(path, address, { ...context, signal: AbortSignal.any([context.signal, closing.signal]) });
  });
}

/** Reads the layers of the shown job. Says in its panel why they could not be read, since its facts are shown anyway. */
async function checkJob(path: string, address: string, context: ProgressContext): Promise<void> {
  const change = (part: Partial<ShownJob>): void => {
    if (shownJob.value?.address === address) shownJob.value = { ...shownJob.value, ...part };
  };
  try {
    change({ facts: await callEndpoint<InspectedJob>(INSPECT, { file: path }, context) });
  } catch (thrown) {
    if (isCancellation(thrown)) change({ problem: "The check was cancelled." });
    else if (isFailure(thrown)) change({ problem: inPageWords(thrown.message) });
    else throw thrown;
  }
}

function showJob(job: ShownJob): void {
  closeJob();
  batch(() => {
    shownJob.value = job;
    jobLayer.value = Math.floor(job.facts.layer_count / 2);
  });
}

export function closeJob(): void {
  closing.abort();
  closing = new AbortController();
  batch(() => {
    shownJob.value = undefined;
    markedFinding.value = undefined;
  });
}

/** Shows the layer of the job nearest to an index, and returns its index. */
export function showJobLayer(index: number): number {
  jobLayer.value = nearestLayer(index, shownJob.value?.facts.layer_count ?? 0, jobLayer.value);
  return jobLayer.value;
}

export function markFinding(finding: JobFinding): void {
  batch(() => {
    markedFinding.value = finding;
    showJobLayer(finding.layer);
  });
}

/** Writes a job for another machine or with other exposures, and downloads it. */
export async function saveJobAs({ name, address }: ShownJob, options: object): Promise<void> {
  await runTask(`Save ${name}`, async (context) => {
    const written = await post<WrittenFile>(`${address}convert/?async=true`, options);
    const { warnings } = await saveWritten<{ warnings: readonly string[] }>(written, context);
    const isPlain = warnings.length === 0;
    notify({
      severity: isPlain ? "success" : "warning",
      text: `${written.name} was written${isPlain ? "." : ", with remarks:"}`,
      details: warnings,
    });
  });
}
