import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Fault } from "../core/fault.ts";
import { Cancelled, cancelJob, isCancelled, type JobState } from "../core/watch.ts";
import type { DoneMessage, JobMessage } from "./message.ts";
import type { TaskInput, TaskName, TaskOutput } from "./table.ts";

/** A job whose kernel cannot poll (it is inside WASM) is ended with its thread this long after its cancelling. */
const CANCEL_GRACE_MS = 1000;
/** A thread without work is ended after this time, so that its memory goes back to the system. */
const IDLE_MS = 5000;
/** How long a closing pool waits for running jobs, so that a cancelled save can remove its temporary file. */
const CLOSE_GRACE_MS = 500;

interface Job extends PromiseWithResolvers<never> {
  readonly message: JobMessage;
}

interface Lane {
  readonly worker: Worker;
  job?: Job;
  idleTimer?: ReturnType<typeof setTimeout>;
}

export interface Pool {
  /** Runs a task on a worker thread. Rejects with the task's `Fault`, or with `Cancelled`. */
  compute<Name extends TaskName>(task: Name, input: TaskInput<Name>, state: JobState): Promise<TaskOutput<Name>>;
  /** Ends every job of a request: waiting ones at once, running ones as soon as their kernel looks, or by force. */
  cancel(state: JobState): void;
  /** Cancels every job and ends every thread. */
  close(): Promise<void>;
}

/** Threads for kernels, at most one per core: started when there is work, replaced when one breaks, ended when idle. */
export function newPool(entry: URL, size = availableParallelism()): Pool {
  const lanes = new Set<Lane>();
  const waiting: Job[] = [];
  let jobs = 0;
  let closed = false;

  function drop(lane: Lane, reason?: Error): void {
    lanes.delete(lane);
    clearTimeout(lane.idleTimer);
    lane.job?.reject(reason ?? new Cancelled());
    lane.job = undefined;
    void lane.worker.terminate();
    if (!closed) feed();
  }

  function settle(lane: Lane, done: DoneMessage): void {
    const job = lane.job;
    if (job?.message.job !== done.job) return;
    lane.job = undefined;
    if (done.kind === "done") job.resolve(done.output as never);
    else if (done.kind === "cancelled") job.reject(new Cancelled());
    else job.reject(new Fault(done.code, done.message));
    if (done.kind === "failed" && done.spoiled) drop(lane);
    else feed();
    if (lanes.has(lane) && !lane.job) rest(lane);
  }

  function start(): Lane {
    const lane: Lane = { worker: new Worker(entry) };
    lane.worker.on("message", (done: DoneMessage) => settle(lane, done));
    const broken = (cause: string): void => {
      if (!lanes.has(lane)) return;
      drop(lane, new Fault("OPERATION_FAILED", `The job broke its worker thread (${cause}): use smaller or simpler models.`));
    };
    lane.worker.on("error", (error: Error) => broken(error.message));
    lane.worker.on("exit", (code: number) => broken(`exit code ${code}`));
    lanes.add(lane);
    return lane;
  }

  function feed(): void {
    while (waiting.length > 0) {
      const lane = [...lanes].find(({ job }) => !job) ?? (lanes.size < size ? start() : undefined);
      if (!lane) return;
      employ(lane, waiting.shift()!);
    }
  }

  function employ(lane: Lane, job: Job): void {
    clearTimeout(lane.idleTimer);
    lane.job = job;
    lane.worker.postMessage(job.message);
  }

  function rest(lane: Lane): void {
    lane.idleTimer = setTimeout(() => drop(lane), IDLE_MS);
    lane.idleTimer.unref();
  }

  return {
    compute(task, input, state) {
      if (closed || isCancelled(state)) return Promise.reject(new Cancelled());
      const job: Job = { ...Promise.withResolvers<never>(), message: { job: ++jobs, task, input, state } };
      waiting.push(job);
      feed();
      return job.promise;
    },
    cancel(state) {
      cancelJob(state);
      for (const job of waiting.filter((one) => one.message.state === state)) {
        waiting.splice(waiting.indexOf(job), 1);
        job.reject(new Cancelled());
      }
      for (const lane of lanes) {
        const job = lane.job;
        if (job?.message.state !== state) continue;
        setTimeout(() => lane.job === job && drop(lane), CANCEL_GRACE_MS).unref();
      }
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Cancelled());
      const running = [...lanes].flatMap(({ job }) => job ?? []);
      for (const { message } of running) cancelJob(message.state);
      await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(CLOSE_GRACE_MS)]);
      for (const lane of lanes) drop(lane);
    },
  };
}
