import { cwsReader } from "./gcode-zip/cws-reader.ts";
import { photonsReader } from "./anycubic/photons-reader.ts";
import { anycubicZipReader } from "./anycubic/anycubic-zip-reader.ts";
import { closeSync, readSync } from "node:fs";
import { extname } from "node:path";
import type { FileSource } from "../codec/file-source.ts";
import { fileError } from "../core/file-error.ts";
import { openRegularFile } from "../core/read-file.ts";
import { anycubicReader } from "./anycubic/anycubic-reader.ts";
import { cxdlpReader } from "./creality/cxdlp-reader.ts";
import { cbddlpReader, ctbReader } from "./chitu/chitu-reader.ts";
import { gooReader } from "./goo/goo-reader.ts";
import { chituZipReader } from "./gcode-zip/chitu-zip-reader.ts";
import { HEAD_BYTES, type JobReader, type ReadJob } from "./job-reader.ts";
import type { JobFormat } from "./job-writers.ts";
import { nanodlpReader } from "./nanodlp/nanodlp-reader.ts";
import { oslaReader } from "./osla/osla-reader.ts";
import { printjobReader } from "./printjob/printjob-reader.ts";
import { sl1Reader } from "./sl1/sl1-reader.ts";
import { svgxReader } from "./svgx/svgx-reader.ts";

/** The readers of job files. The first one that recognises a file reads it. */
export const JOB_READERS: readonly JobReader[] = [
  anycubicReader,
  anycubicZipReader,
  photonsReader,
  cbddlpReader,
  ctbReader,
  cxdlpReader,
  gooReader,
  printjobReader,
  sl1Reader,
  nanodlpReader,
  chituZipReader,
  cwsReader,
  svgxReader,
  oslaReader,
];

/** The reader of each kind of jobs that is written. */
export const READER_OF_KIND: Readonly<Record<JobFormat, JobReader>> = {
  form: printjobReader,
  sl1: sl1Reader,
  sl1s: sl1Reader,
  goo: gooReader,
  "goo-5": gooReader,
  prz: gooReader,
  "anycubic-1": anycubicReader,
  "anycubic-1-slices": anycubicReader,
  "anycubic-516": anycubicReader,
  "anycubic-516-binary": anycubicReader,
  "anycubic-517": anycubicReader,
  "anycubic-517-binary": anycubicReader,
  "anycubic-518": anycubicReader,
  "anycubic-zip": anycubicZipReader,
  "cxdlp-2": cxdlpReader,
  "cxdlp-3": cxdlpReader,
  "cxdlp-4": cxdlpReader,
  cbddlp: cbddlpReader,
  "cbddlp-binary": cbddlpReader,
  "ctb-2": ctbReader,
  "ctb-2-binary": ctbReader,
  "ctb-3": ctbReader,
  "ctb-3-binary": ctbReader,
  "ctb-4": ctbReader,
  "ctb-4-binary": ctbReader,
  nanodlp: nanodlpReader,
  "nanodlp-grey": nanodlpReader,
  "chitu-zip": chituZipReader,
  cws: cwsReader,
  "cws-rgb": cwsReader,
  "cws-xml": cwsReader,
  svgx: svgxReader,
  osla: oslaReader,
};

/** A job in a file that is open. */
export interface OpenJob extends ReadJob {
  /** The name of its format, for people. */
  readonly format: string;
  close(): void;
}

/** Opens a job file. Throws as `openRegularFile` does, and OPERATION_FAILED for a file that no reader recognises or can read. */
export async function openJob(path: string): Promise<OpenJob> {
  const job = await openKnownJob(path);
  if (job) return job;
  const known = JOB_READERS.map(({ name }) => name).join(", ");
  throw fileError(
    "read",
    path,
    `it is no job file that is read here (${known}); give it the extension of its printer's jobs`,
  );
}

/** Like {@link openJob}, but undefined for a file that no reader recognises. */
export async function openKnownJob(path: string): Promise<OpenJob | undefined> {
  const source: FileSource = { path, ...openRegularFile(path) };
  const close = (): void => closeSync(source.fd);
  try {
    const reader = readerOf(source);
    if (!reader) return void close();
    const job = await reader.open(source);
    return {
      ...job,
      format: reader.name,
      close() {
        job.close?.();
        close();
      },
    };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function readerOf(source: FileSource): JobReader | undefined {
  const head = new Uint8Array(Math.min(HEAD_BYTES, source.size));
  readSync(source.fd, head, 0, head.length, 0);
  const extension = extname(source.path).toLowerCase();
  return JOB_READERS.find((one) => one.recognises(head, extension));
}
