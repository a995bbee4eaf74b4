import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { withFileErrors } from "../../core/file-error.ts";
import { removeStaleFolders } from "../../core/private-folder.ts";
import { type JobQueue, LANES, type Lane, type QueuedJob } from "../queue/job-queue.ts";
import { type AttemptTools, FOLDER_USE, Stop, makeAttempt } from "./attempt.ts";
import { keepLease, untilReached } from "./lease.ts";

/** How a worker works. */
export interface WorkerOptions {
  readonly queue: JobQueue;
  readonly tools: AttemptTools;
  /** Jobs at the same time, by lane. Slots of a lane are for its jobs alone. */
  readonly slots: Readonly<Record<Lane, number>>;
  /** Whether it ends once no job is ready and none of its own runs. */
  readonly isOnce: boolean;
  /** Longest wait for running jobs when it drains, ms. */
  readonly drainTimeoutMs: number;
  readonly leaseMs?: number;
  /** A line for the log of the worker. */
  readonly say: (line: string) => void;
}

/** A worker that takes jobs. */
export interface Worker {
  /** Resolves when it has drained, or with `isOnce` when no job is left. */
  readonly ended: Promise<void>;
  /** The first call: it takes no more jobs, and ends once its own have ended. The second: it gives its own back and ends. */
  drain(): void;
}

/** How often a worker looks for jobs that the queue did not announce, ms. */
const LOOK_MS = 1000;
/** Time in which a worker whose work folder takes no files leaves all jobs to others, ms. */
const BLOCKED_MS = 5000;

/** Starts to take jobs. Removes what killed workers of this machine have left in the work folder. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { queue, tools, slots, isOnce, drainTimeoutMs, say } = options;
  withFileErrors("write", tools.workFolder, () => mkdirSync(tools.workFolder, { recursive: true, mode: 0o700 }));
  await removeStaleFolders(FOLDER_USE, tools.workFolder);
  const name = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const running = new Map<Stop, { readonly lane: Lane; readonly done: Promise<void> }>();
  const draining = new AbortController();
  const onFailure = ({ message }: Error): void => say(`the queue is not reached: ${message}`);
  let freed = Promise.withResolvers<void>();
  let unblocked: Promise<unknown> = Promise.resolve();
  let isGivingBack = false;

  const freeSlots = (): Record<Lane, number> => {
    const free = { ...slots };
    for (const { lane } of running.values()) free[lane]--;
    return free;
  };

  function start(job: QueuedJob): void {
    const stop = new Stop();
    // It was claimed while the second signal came.
    if (isGivingBack) stop.now("drained");
    const done = endJob(job, stop, pauseClaims, options)
      .catch((error: Error) => say(`job ${job.id}: ${error.message}`))
      .finally(() => {
        running.delete(stop);
        freed.resolve();
      });
    running.set(stop, { lane: job.lane, done });
  }

  function pauseClaims(): void {
    unblocked = sleep(BLOCKED_MS, undefined, { signal: draining.signal }).catch(() => {});
  }

  async function take(): Promise<void> {
    const changed = queue.watch("ready");
    const drained = new Promise((resolve) => draining.signal.addEventListener("abort", resolve));
    for (;;) {
      await unblocked;
      if (draining.signal.aborted) return;
      freed = Promise.withResolvers<void>();
      const free = freeSlots();
      const isBusy = LANES.every((lane) => free[lane] === 0);
      const jobs = isBusy
        ? []
        : await untilReached(() => queue.claim(name, free), { signal: draining.signal, onFailure }).catch(() => []);
      for (const job of jobs) start(job);
      if (jobs.length > 0) continue;
      if (isOnce && running.size === 0) return;
      const waiting = new AbortController();
      const more = isBusy ? [] : [changed(LOOK_MS, waiting.signal).catch(() => {})];
      await Promise.race([freed.promise, drained, ...more]);
      waiting.abort();
    }
  }

  const giveBack = (): void => {
    isGivingBack = true;
    for (const stop of running.keys()) stop.now("drained");
  };
  const settle = async (): Promise<void> => {
    const timer = setTimeout(giveBack, drainTimeoutMs);
    while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    clearTimeout(timer);
  };
  return {
    ended: take().then(settle),
    drain() {
      if (draining.signal.aborted) return giveBack();
      say(running.size === 0 ? "ends" : `ends once its ${running.size} running jobs have ended`);
      draining.abort();
    },
  };
}

/**
 * Makes an attempt and ends it in the queue: the files first, then the row. Where this worker cannot begin any, `pauseClaims` is called
 * before the job is given back, or this worker would take it again.
 */
async function endJob(
  job: QueuedJob,
  stop: Stop,
  pauseClaims: () => void,
  { queue, tools, leaseMs, say }: WorkerOptions,
): Promise<void> {
  const lease = keepLease(queue, job, (reason) => stop.now(reason), leaseMs);
  try {
    const end = await makeAttempt(job, tools, stop, (progress) => lease.report(progress));
    if (stop.reason === "lost" && !("result" in end)) return;
    const blocked = "result" in end ? undefined : end.blocked;
    if (blocked !== undefined) pauseClaims();
    const onFailure = ({ message }: Error): void => say(`job ${job.id} waits for the queue: ${message}`);
    const isEnded = await untilReached(
      () => ("result" in end ? queue.finish(job, end.result) : queue.fail(job, end.verdict)),
      { onFailure },
    );
    if (!isEnded) say(`job ${job.id}: its lease was lost, and another worker has it`);
    else if (blocked !== undefined) say(`job ${job.id} goes to another worker: ${blocked}`);
    else say(`job ${job.id}: ${"result" in end ? `done in ${end.result.seconds} s` : inWords(end.verdict)}`);
  } finally {
    await lease.close();
  }
}

const inWords = (verdict: { kind: string; error?: { code: string; message: string } }): string =>
  verdict.error ? `${verdict.kind}: ${verdict.error.code}: ${verdict.error.message}` : verdict.kind;
