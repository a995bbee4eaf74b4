import { gooWriter } from "./goo-writer.ts";
import type { JobWriter } from "./job.ts";
import { printjobWriter } from "./printjob-writer.ts";
import { sl1Writer } from "./sl1-writer.ts";

/** The writers of job archives by the catalog's job formats. Machines with the format `form` get `.printjob` archives. */
export const JOB_WRITERS = {
  form: printjobWriter,
  sl1: sl1Writer(".sl1"),
  sl1s: sl1Writer(".sl1s"),
  goo: gooWriter,
} as const satisfies Record<string, JobWriter>;

export type JobFormat = keyof typeof JOB_WRITERS;
