import type { JobQueue, Lane, NewJob, SubmittedJob } from "./queue/job-queue.ts";

/** A step of a steps file, as it is written there. */
export interface RequestedStep {
  readonly name?: string | undefined;
  readonly request: string;
  readonly query?: Record<string, string | number | boolean> | undefined;
  readonly body?: Record<string, unknown> | undefined;
}

/** What a client asks of a farm. */
export interface JobRequest extends Pick<NewJob, "priority" | "due" | "group"> {
  readonly steps: readonly RequestedStep[];
  /** The folder in which the files lie that the steps read, where `inputs` does not say otherwise. */
  readonly folder: string;
  /** Paths of files, absolute or from the present folder, by the names that the steps use. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** `plate` by default. */
  readonly lane?: Lane | undefined;
  /** Longest time of one attempt, seconds; default `SECONDS` of its lane (`job/new-job.ts`). */
  readonly seconds?: number | undefined;
  readonly allowsPrint?: boolean | undefined;
  /** Whether it is done again although a job with the same content is there. */
  readonly isRepeated?: boolean | undefined;
}

/** The queue and the files of workers, for requests: both are opened by the first one that needs them. */
export interface Farm {
  queue(): Promise<JobQueue>;
  /**
   * Checks the steps as `run` does, stores the files that they read, and puts the job into the queue. `convertedExtensions`: those of the model files that
   * workers convert. Throws INPUT_ERROR, NOT_FOUND or OPERATION_FAILED; then no job was added.
   */
  submit(request: JobRequest, convertedExtensions: readonly string[]): Promise<SubmittedJob>;
  close(): Promise<void>;
}
