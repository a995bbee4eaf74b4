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

interface Thread {
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
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let jobs = 0;
  let closed = false;

  function drop(thread: Thread, reason?: Error): void {
    threads.delete(thread);
    clearTimeout(thread.idleTimer);
    thread.job?.reject(reason ?? new Cancelled());
    thread.job = undefined;
    void thread.worker.terminate();
    if (!closed) feed();
  }

  function settle(thread: Thread, done: DoneMessage): void {
    const job = thread.job;
    if (job?.message.job !== done.job) return;
    thread.job = undefined;
    if (done.kind === "done") job.resolve(done.output as never);
    else if (done.kind === "cancelled") job.reject(new Cancelled());
    else job.reject(new Fault(done.code, done.message));
    if (done.kind === "failed" && done.spoiled) drop(thread);
    else feed();
    if (threads.has(thread) && !thread.job) rest(thread);
  }

  function start(): Thread {
    const thread: Thread = { worker: new Worker(entry) };
    thread.worker.on("message", (done: DoneMessage) => settle(thread, done));
    const broken = (cause: string): void => {
      if (!threads.has(thread)) return;
      drop(
        thread,
        new Fault("OPERATION_FAILED", `The job broke its worker thread (${cause}): use smaller or simpler models.`),
      );
    };
    thread.worker.on("error", (error: Error) => broken(error.message));
    thread.worker.on("exit", (code: number) => broken(`exit code ${code}`));
    threads.add(thread);
    return thread;
  }

  function feed(): void {
    while (waiting.length > 0) {
      const thread = [...threads].find(({ job }) => !job) ?? (threads.size < size ? start() : undefined);
      if (!thread) return;
      employ(thread, waiting.shift()!);
    }
  }

  function employ(thread: Thread, job: Job): void {
    clearTimeout(thread.idleTimer);
    thread.job = job;
    thread.worker.postMessage(job.message);
  }

  function rest(thread: Thread): void {
    thread.idleTimer = setTimeout(() => drop(thread), IDLE_MS);
    thread.idleTimer.unref();
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
      for (const thread of threads) {
        const job = thread.job;
        if (job?.message.state !== state) continue;
        setTimeout(() => thread.job === job && drop(thread), CANCEL_GRACE_MS).unref();
      }
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Cancelled());
      const running = [...threads].flatMap(({ job }) => job ?? []);
      for (const { message } of running) cancelJob(message.state);
      await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(CLOSE_GRACE_MS)]);
      for (const thread of threads) drop(thread);
    },
  };
}
