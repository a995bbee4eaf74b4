import { cwsWriter } from "./gcode-zip/cws-writer.ts";
import { anycubicZipWriter } from "./anycubic/anycubic-zip-writer.ts";
import { anycubicWriter } from "./anycubic/anycubic-writer.ts";
import { cxdlp4Writer } from "./creality/cxdlp4-writer.ts";
import { cxdlpWriter } from "./creality/cxdlp-writer.ts";
import { chituWriter } from "./chitu/chitu-writer.ts";
import { PLANES } from "./chitu/encode-planes.ts";
import { goo5Writer } from "./goo/goo5-writer.ts";
import { gooWriter } from "./goo/goo-writer.ts";
import { chituZipWriter } from "./gcode-zip/chitu-zip-writer.ts";
import type { JobWriter } from "./job.ts";
import { nanodlpWriter } from "./nanodlp/nanodlp-writer.ts";
import { oslaWriter } from "./osla/osla-writer.ts";
import { printjobWriter } from "./printjob/printjob-writer.ts";
import { sl1Writer } from "./sl1/sl1-writer.ts";
import { svgxWriter } from "./svgx/svgx-writer.ts";

const ctbWriter = (version: 2 | 3 | 4, greyLevels: 2 | 128 = 128) =>
  chituWriter({ isCtb: true, version, planes: 1, greyLevels });
const cbddlpWriter = (greys: keyof typeof PLANES) =>
  chituWriter({ isCtb: false, version: 2, planes: PLANES[greys], greyLevels: PLANES[greys] + 1 });

/** The writers of job archives by the catalog's job formats. A machine accepts only files with the extension of its model. */
export const JOB_WRITERS = {
  form: printjobWriter,
  sl1: sl1Writer,
  sl1s: sl1Writer,
  goo: gooWriter,
  "goo-5": goo5Writer,
  prz: gooWriter,
  "anycubic-1": anycubicWriter(1, "GREY"),
  "anycubic-1-slices": anycubicWriter(1, "TIME_SLICES"),
  "anycubic-516": anycubicWriter(516, "GREY"),
  "anycubic-516-binary": anycubicWriter(516, "BINARY"),
  "anycubic-517": anycubicWriter(517, "GREY"),
  "anycubic-517-binary": anycubicWriter(517, "BINARY"),
  "anycubic-518": anycubicWriter(518, "GREY"),
  "anycubic-zip": anycubicZipWriter,
  "cxdlp-2": cxdlpWriter(2),
  "cxdlp-3": cxdlpWriter(3),
  "cxdlp-4": cxdlp4Writer,
  cbddlp: cbddlpWriter("GREY"),
  "cbddlp-binary": cbddlpWriter("BINARY"),
  "ctb-2": ctbWriter(2),
  "ctb-2-binary": ctbWriter(2, 2),
  "ctb-3": ctbWriter(3),
  "ctb-3-binary": ctbWriter(3, 2),
  "ctb-4": ctbWriter(4),
  "ctb-4-binary": ctbWriter(4, 2),
  nanodlp: nanodlpWriter,
  "nanodlp-grey": nanodlpWriter,
  "chitu-zip": chituZipWriter,
  cws: cwsWriter("CONF"),
  "cws-rgb": cwsWriter("CONF"),
  "cws-xml": cwsWriter("XML"),
  svgx: svgxWriter,
  osla: oslaWriter,
} as const satisfies Record<string, JobWriter>;

export type JobFormat = keyof typeof JOB_WRITERS;
