import { inputError } from "../../core/api-error.ts";

/**
 * A queue of jobs that workers of one or more machines share. A job runs at least once; it takes effect once, because only the holder of
 * the newest claim can end it ({@link JobClaim}). There are two implementations: SQLite for the processes of one machine
 * (`sqlite-queue.ts`), and PostgreSQL (`postgres-queue.ts`). `open-queue.ts` chooses. All times are those of the queue, never of a worker.
 */
export interface JobQueue {
  /**
   * Adds jobs, all or none. A job whose key is that of a ready, running or done job is not added: its result names the existing one.
   * Results are in the order of the jobs. Throws INPUT_ERROR if a payload is larger than {@link MAX_PAYLOAD_BYTES}.
   */
  submit(jobs: readonly NewJob[]): Promise<SubmittedJob[]>;
  /**
   * Takes ready jobs, at most so many per lane as `slots` says: highest priority first, then earliest due date, then oldest. Each is leased to
   * `worker` for {@link LEASE_MS}, or what the queue was opened with. Jobs whose lease ran out become ready before (dead after their last attempt).
   */
  claim(worker: string, slots: Slots): Promise<QueuedJob[]>;
  /** Extends the lease, and writes how far the job is. Call it each third of a lease. "lost" and "cancel" say: end the job. */
  beat(claim: JobClaim, progress?: JobProgress): Promise<"running" | "cancel" | "lost">;
  /** Ends the job as done. False if the lease was lost: then throw the result away, because another worker runs the job. True again, without an effect, if this claim did so before. */
  finish(claim: JobClaim, result: unknown): Promise<boolean>;
  /** Ends this attempt without a result. False if the lease was lost. */
  fail(claim: JobClaim, verdict: Verdict): Promise<boolean>;
  /** A ready job is cancelled at once. A running one is asked to end: its worker reads it at its next beat, and fails it as "cancelled". Jobs that ended stay as they are. */
  cancel(id: string): Promise<QueuedJob>;
  /** Makes a job that ended ready again, with all its attempts. Throws OPERATION_FAILED if it has not ended, or another job has its key. */
  retry(id: string): Promise<QueuedJob>;
  /** The newest jobs first. */
  list(filter?: JobFilter): Promise<QueuedJob[]>;
  get(id: string): Promise<QueuedJob | undefined>;
  /** Number of jobs by lane and state; pairs without jobs are left out. */
  count(): Promise<JobCount[]>;
  /**
   * Returns a function that waits for changes: `const changed = queue.watch(); for (;;) { look; await changed(1000); }` misses none. It resolves
   * when a job may have become ready, was asked to end or ended since it resolved last; after `timeoutMs` at the latest, and when aborted. With `kind` it may leave out
   * changes of other kinds, as those of ended jobs, which are many.
   */
  watch(kind?: JobChange): (timeoutMs: number, signal?: AbortSignal) => Promise<void>;
  /** Deletes jobs that ended longer than `ms` ago. Returns their number. */
  removeEnded(ms: number): Promise<number>;
  close(): Promise<void>;
}

export const LANES = ["quote", "plate"] as const;
export type Lane = (typeof LANES)[number];
/** Free slots of a worker by lane. */
export type Slots = Partial<Record<Lane, number>>;

/**
 * `failed`: its step cannot succeed as it is. `dead`: the steps are wrong, or all attempts were used up; a person looks at it. Both are
 * ends, as `done` and `cancelled`.
 */
export const JOB_STATES = ["ready", "running", "done", "failed", "dead", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** What may wake who waits: a job that became ready, was asked to end, or ended. */
export type JobChange = "ready" | "cancel" | "end";

export const LEASE_MS = 30_000;
export const MAX_PAYLOAD_BYTES = 8192;
export const MAX_PRIORITY = 100;
const DEFAULT_MAX_ATTEMPTS = 3;

export interface NewJob {
  /** Identifies what the job makes: the same key, the same bytes. */
  readonly key: string;
  readonly lane: Lane;
  /** Any JSON of at most {@link MAX_PAYLOAD_BYTES} bytes. */
  readonly payload: unknown;
  /** −{@link MAX_PRIORITY} to {@link MAX_PRIORITY}, higher runs first; 0 by default. */
  readonly priority?: number;
  readonly due?: Date;
  /** A name that jobs share, by which they are listed. */
  readonly group?: string;
  /** How often the job is begun at most; 3 by default. */
  readonly maxAttempts?: number;
}

export interface SubmittedJob {
  readonly id: string;
  /** False: a job with this key existed. */
  readonly isNew: boolean;
}

export interface JobError {
  readonly code: string;
  readonly message: string;
}

export interface JobProgress {
  /** 0 to 1. */
  readonly fraction: number;
  /** Index of the step that runs, 0-based. */
  readonly step?: number;
}

/** The right to end an attempt of a job. A `QueuedJob` of `claim` is one. */
export interface JobClaim {
  readonly id: string;
  readonly lane: Lane;
  /** Grows with each claim of the job, also where the attempt does not count: whoever has an older one has lost the job. */
  readonly fence: number;
}

export interface QueuedJob extends JobClaim {
  readonly key: string;
  readonly state: JobState;
  readonly priority: number;
  readonly due: Date | undefined;
  readonly group: string | undefined;
  readonly payload: unknown;
  /** How often the job was begun; the number of the present attempt while it runs. Attempts that were given back do not count. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Who runs it, or ran it last. */
  readonly worker: string | undefined;
  /** Whether a running job was asked to end. */
  readonly isCancelling: boolean;
  readonly progress: JobProgress | undefined;
  /** What `finish` was given. */
  readonly result: unknown;
  /** Why the last attempt ended without a result. */
  readonly error: JobError | undefined;
  readonly createdAt: Date;
  /** When a ready job may begin, if that is later than its creation: after a failed attempt. */
  readonly notBefore: Date | undefined;
  /** When the last attempt began. */
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
}

/** How an attempt without a result ended. */
export type Verdict =
  /** Another attempt may succeed; after `delayMs`, {@link retryDelayMs} by default. The job is dead if this was its last attempt. */
  | { readonly kind: "retry"; readonly error: JobError; readonly delayMs?: number }
  | { readonly kind: "failed"; readonly error: JobError }
  | { readonly kind: "dead"; readonly error: JobError }
  | { readonly kind: "cancelled" }
  /** The worker ends, and the job is as before: ready at once, and the attempt does not count. */
  | { readonly kind: "give-back" };

export interface JobFilter {
  readonly state?: JobState;
  readonly lane?: Lane;
  readonly group?: string;
  /** 100 by default. */
  readonly limit?: number;
}

export interface JobCount {
  readonly lane: Lane;
  readonly state: JobState;
  readonly count: number;
  /** When the oldest of them was created. */
  readonly oldest: Date;
}

const FIRST_RETRY_MS = 5000;
const RETRY_JITTER = 0.2;

/** The pause after the failed attempt `attempt` (1-based): 5 s · 4ⁿ, ±20 % so that jobs that failed together do not begin together. */
export const retryDelayMs = (attempt: number): number =>
  FIRST_RETRY_MS * 4 ** (attempt - 1) * (1 - RETRY_JITTER + 2 * RETRY_JITTER * Math.random());

export const maxAttemptsOf = (job: NewJob): number => job.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;

/** The payload as JSON text. Throws INPUT_ERROR if it is too large. */
export function payloadText(job: NewJob): string {
  const text = JSON.stringify(job.payload);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_PAYLOAD_BYTES)
    throw inputError(
      `The payload of a job has ${bytes} bytes, and at most ${MAX_PAYLOAD_BYTES} are accepted: store the list of steps as a file, and name it.`,
    );
  return text;
}
