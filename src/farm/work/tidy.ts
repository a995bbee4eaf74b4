import { filesOfJob, readPayload } from "../job/job-payload.ts";
import type { JobResult } from "../job/job-payload.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { FileHash, FileStore } from "../store/file-store.ts";
import { removeUnnamed } from "../store/remove-unnamed.ts";

/** With more jobs than these the files stay, since all that jobs name must be known before one is removed. */
const MAX_JOBS = 200_000;

/** Deletes jobs that ended more than `keptMs` ago, and then stored files that no job names. Returns what it did, in words. */
export async function tidyFarm(queue: JobQueue, store: FileStore, keptMs: number): Promise<string> {
  const ended = await queue.removeEnded(keptMs);
  const jobs = await queue.list({ limit: MAX_JOBS });
  if (jobs.length === MAX_JOBS)
    return `deleted ${ended} ended jobs; no files, since there are ${MAX_JOBS} jobs or more: keep them for fewer days`;
  const named = new Set<FileHash>();
  for (const { payload, result } of jobs) {
    const files = await filesOfJob(readPayload(payload), (result ?? undefined) as JobResult | undefined, store);
    for (const file of files) named.add(file);
  }
  return `deleted ${ended} ended jobs and ${await removeUnnamed(store, named)} files that no job names`;
}
