import { closeSync, readSync } from "node:fs";
import { extname } from "node:path";
import { type FileSource, readError } from "../codec/file-source.ts";
import { openRegularFile } from "../core/read-file.ts";
import { anycubicReader } from "./anycubic/anycubic-reader.ts";
import { cxdlpReader } from "./creality/cxdlp-reader.ts";
import { cbddlpReader, ctbReader } from "./chitu/chitu-reader.ts";
import { gooReader } from "./goo/goo-reader.ts";
import { HEAD_BYTES, type JobReader, type ReadJob } from "./job-reader.ts";
import { printjobReader } from "./printjob/printjob-reader.ts";
import { sl1Reader } from "./sl1/sl1-reader.ts";

/** The readers of job files. The first one that recognises a file reads it. */
export const JOB_READERS: readonly JobReader[] = [
  anycubicReader,
  cbddlpReader,
  ctbReader,
  cxdlpReader,
  gooReader,
  printjobReader,
  sl1Reader,
];

/** A job in a file that is open. */
export interface OpenJob extends ReadJob {
  /** The name of its format, for people. */
  readonly format: string;
  close(): void;
}

/** Opens a job file. Throws as `openRegularFile` does, and OPERATION_FAILED for a file that no reader recognises or can read. */
export async function openJob(path: string): Promise<OpenJob> {
  const source: FileSource = { path, ...openRegularFile(path) };
  const close = (): void => closeSync(source.fd);
  try {
    const reader = readerOf(source);
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

function readerOf(source: FileSource): JobReader {
  const head = new Uint8Array(Math.min(HEAD_BYTES, source.size));
  readSync(source.fd, head, 0, head.length, 0);
  const extension = extname(source.path).toLowerCase();
  const reader = JOB_READERS.find((one) => one.recognises(head, extension));
  if (reader) return reader;
  const known = JOB_READERS.map(({ name }) => name).join(", ");
  throw readError(
    source,
    `it is no job file that is read here (${known}); give it the extension of its printer's jobs`,
  );
}
