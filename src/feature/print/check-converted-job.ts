import { closeSync } from "node:fs";
import { extname } from "node:path";
import { type FileSource, readExactly, readRange } from "../../codec/file-source.ts";
import type { ErrorFactory } from "../../core/api-error.ts";
import { fileError } from "../../core/file-error.ts";
import type { TaskProgress } from "../../core/progress.ts";
import { openRegularFile } from "../../core/read-file.ts";
import { isEncryptedCtb } from "../../job/chitu/chitu-reader.ts";
import { HEAD_BYTES } from "../../job/job-reader.ts";
import { openKnownJob } from "../../job/job-readers.ts";

/** A job that a program made of another one. */
export interface ConvertedJob {
  /** Path of the result, which is not empty. */
  readonly file: string;
  /** Path of the job of which it was made. */
  readonly readable: string;
  /** Columns and rows of the pictures, and number of layers, as in the job of which it was made. */
  readonly pixels: readonly [columns: number, rows: number];
  readonly layerCount: number;
}

const PIECE_BYTES = 2 ** 20;

/**
 * Checks the result of a program as far as this program can read it. Throws OPERATION_FAILED for the readable job itself under another
 * name, for a file that is damaged or has other layers, and for a `.ctb` file that is none.
 */
export async function checkConvertedJob(job: ConvertedJob, progress: TaskProgress): Promise<void> {
  const refuse: ErrorFactory = (why) => fileError("read", job.file, why);
  const sources = [job.file, job.readable].map((path): FileSource => ({ path, ...openRegularFile(path) }));
  try {
    const [made, readable] = sources as [FileSource, FileSource];
    const isEncrypted = isEncryptedCtb(readRange(made, 0, Math.min(HEAD_BYTES, made.size)));
    const isKnown = !isEncrypted && (await haveSameLayers(job, refuse));
    if (haveSameBytes(made, readable, progress)) {
      throw refuse("it is the readable job itself, which the printer does not take; have the program convert it");
    }
    if (!isKnown && !isEncrypted && extname(job.file) === ".ctb") {
      throw refuse("it is no .ctb file; check which format the command asks for");
    }
  } finally {
    for (const { fd } of sources) closeSync(fd);
  }
}

/** False for a file that no reader recognises. Throws the error of `refuse` for other layers. */
async function haveSameLayers({ file, pixels, layerCount }: ConvertedJob, refuse: ErrorFactory): Promise<boolean> {
  const made = await openKnownJob(file);
  if (!made) return false;
  made.close();
  const describe = (count: number, [columns, rows]: readonly [number, number]): string =>
    `${count} layers of ${columns} × ${rows} pixels`;
  const [found, expected] = [describe(made.exposuresS.length, made.pixels), describe(layerCount, pixels)];
  if (found === expected) return true;
  throw refuse(`it has ${found} instead of ${expected}; check the program and its command`);
}

function haveSameBytes(one: FileSource, other: FileSource, progress: TaskProgress): boolean {
  const { size } = one;
  if (size !== other.size) return false;
  for (let at = 0; at < size; at += PIECE_BYTES) {
    progress.report(at / size);
    const [a, b] = [one, other].map((source) => {
      const piece = new Uint8Array(Math.min(PIECE_BYTES, size - at));
      readExactly(source, piece, at);
      return piece;
    });
    if (a?.some((byte, i) => byte !== b?.[i])) return false;
  }
  return true;
}
