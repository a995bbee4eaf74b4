import { gooWriter } from "./goo/goo-writer.ts";
import type { JobWriter } from "./job-writer.ts";
import { printjobWriter } from "./printjob/printjob-writer.ts";
import { sl1Writer } from "./sl1/sl1-writer.ts";

/** The writers of job archives, by the kinds of the catalog; `form` machines get this program's own. */
export const JOB_WRITERS = {
  form: printjobWriter,
  sl1: sl1Writer("SL1", ".sl1"),
  sl1s: sl1Writer("SL1S", ".sl1s"),
  goo: gooWriter,
} as const satisfies Record<string, JobWriter>;

export type JobFormat = keyof typeof JOB_WRITERS;
