import type { JobClaim, JobQueue, QueuedJob, Verdict } from "../queue/job-queue.ts";
import { Counter, Histogram, type MetricFamily } from "./metric-text.ts";

/** Upper ends of the buckets of durations, seconds: quotes take seconds, plates minutes, and both may wait for hours. */
const BOUNDS_S = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800, 3600, 14_400];

/** A queue whose calls are measured. */
export interface MeasuredQueue {
  readonly queue: JobQueue;
  /** What this process did with the jobs. */
  families(): MetricFamily[];
}

/** Measures the jobs that a worker claims and ends. */
export function measuredQueue(queue: JobQueue): MeasuredQueue {
  const wait = new Histogram(BOUNDS_S);
  const run = new Histogram(BOUNDS_S);
  const attempts = new Counter();
  const lost = new Counter();
  /** When the attempts began that run here, by the ids of their jobs: by the clock of this process, since that of the queue may differ. */
  const started = new Map<string, number>();
  // A counter that was never added to is 0, and not absent.
  lost.add({}, 0);

  function noteBegin({ lane, createdAt, notBefore, startedAt }: QueuedJob): void {
    const readyAt = notBefore ?? createdAt;
    if (startedAt) wait.observe(Math.max(0, (startedAt.getTime() - readyAt.getTime()) / 1000), { lane });
  }

  async function noteEnd(claim: JobClaim, outcome: string, end: () => Promise<boolean>): Promise<boolean> {
    const startedMs = started.get(claim.id);
    const isEnded = await end();
    started.delete(claim.id);
    if (!isEnded) lost.add();
    else {
      attempts.add({ lane: claim.lane, status: outcome });
      if (startedMs !== undefined) run.observe((performance.now() - startedMs) / 1000, { lane: claim.lane, outcome });
    }
    return isEnded;
  }

  const measured: JobQueue = {
    submit: (jobs) => queue.submit(jobs),
    async claim(worker, slots) {
      const jobs = await queue.claim(worker, slots);
      for (const job of jobs) {
        started.set(job.id, performance.now());
        noteBegin(job);
      }
      return jobs;
    },
    beat: (claim, progress) => queue.beat(claim, progress),
    finish: (claim, result) => noteEnd(claim, "done", () => queue.finish(claim, result)),
    fail: (claim, verdict: Verdict) => noteEnd(claim, verdict.kind, () => queue.fail(claim, verdict)),
    cancel: (id) => queue.cancel(id),
    retry: (id) => queue.retry(id),
    list: (filter) => queue.list(filter),
    get: (id) => queue.get(id),
    count: () => queue.count(),
    watch: (kind) => queue.watch(kind),
    removeEnded: (ms) => queue.removeEnded(ms),
    close: () => queue.close(),
  };
  return {
    queue: measured,
    families: () => [
      wait.family("printwright_job_wait_seconds", "Time from when jobs could begin to their begin, by this worker."),
      run.family("printwright_job_run_seconds", "Time that attempts of this worker took, with their files."),
      attempts.family("printwright_attempts_total", "Attempts of this worker that ended, by how they ended."),
      lost.family("printwright_lease_lost_total", "Attempts of this worker that another worker had taken over."),
    ],
  };
}
