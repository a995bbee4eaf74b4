import { anycubicWriter } from "./anycubic/anycubic-writer.ts";
import { ctbWriter } from "./chitu/ctb-writer.ts";
import { cxdlp4Writer } from "./creality/cxdlp4-writer.ts";
import { cxdlpWriter } from "./creality/cxdlp-writer.ts";
import { gooWriter } from "./goo/goo-writer.ts";
import { chituZipWriter } from "./gcode-zip/chitu-zip-writer.ts";
import type { JobWriter } from "./job.ts";
import { nanodlpWriter } from "./nanodlp/nanodlp-writer.ts";
import { oslaWriter } from "./osla/osla-writer.ts";
import { printjobWriter } from "./printjob/printjob-writer.ts";
import { sl1Writer } from "./sl1/sl1-writer.ts";
import { svgxWriter } from "./svgx/svgx-writer.ts";

/** The writers of job archives by the catalog's job formats. A machine accepts only files with the extension of its model. */
export const JOB_WRITERS = {
  form: printjobWriter,
  sl1: sl1Writer,
  sl1s: sl1Writer,
  goo: gooWriter,
  "anycubic-1": anycubicWriter(1, "GREY"),
  "anycubic-1-slices": anycubicWriter(1, "TIME_SLICES"),
  "anycubic-516": anycubicWriter(516, "GREY"),
  "anycubic-516-binary": anycubicWriter(516, "BINARY"),
  "anycubic-517": anycubicWriter(517, "GREY"),
  "anycubic-517-binary": anycubicWriter(517, "BINARY"),
  "anycubic-518": anycubicWriter(518, "GREY"),
  "ctb-3": ctbWriter,
  "ctb-3-binary": ctbWriter,
  "cxdlp-2": cxdlpWriter(2),
  "cxdlp-3": cxdlpWriter(3),
  "cxdlp-4": cxdlp4Writer,
  nanodlp: nanodlpWriter,
  "nanodlp-grey": nanodlpWriter,
  "chitu-zip": chituZipWriter,
  svgx: svgxWriter,
  osla: oslaWriter,
} as const satisfies Record<string, JobWriter>;

export type JobFormat = keyof typeof JOB_WRITERS;
