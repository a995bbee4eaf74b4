import { basename } from "node:path";
import { type ErrorFactory, inputError } from "../core/api-error.ts";
import { claimMemory } from "../core/memory-budget.ts";
import { MAX_MODELS } from "../core/limits.ts";

/** Counts of a model file, known before anything of that size is allocated. */
export interface ModelSize {
  readonly facets: number;
  readonly vertices: number;
  readonly parts: number;
}

/** The limits for each imported file (docs/limits.md). */
export const MAX_MODEL_FILE_BYTES = 2 * 2 ** 30;
/** CAD files are held in memory as a whole, by the kernels of STEP and Rhino several times, in at most 4 GiB; parts are far smaller. */
export const MAX_CAD_FILE_BYTES = 512 * 2 ** 20;
export const MAX_FILE_FACETS = 20_000_000;
export const MAX_FILE_PARTS = MAX_MODELS;

/**
 * Peak of an import without repair, measured on spheres and boxes of up to 4 M facets by `bun run bench memory-needs`. A part has two
 * arrays in shared memory, which take whole pages.
 */
const BYTES_PER_FACET = 100;
const BYTES_PER_VERTEX = 100;
const BYTES_PER_PART = 34_000;

/** Throws OPERATION_FAILED for a file with more bytes than the bound of each file. */
export function requireFileSize(bytes: number, refuse: ErrorFactory): void {
  if (bytes <= MAX_MODEL_FILE_BYTES) return;
  throw refuse(`it has ${bytes} bytes, ${MAX_MODEL_FILE_BYTES} are the most accepted; split it, or export it coarser`);
}

/**
 * Free unpacked size of the documents of a zip archive. XML is parsed at 20 to 40 MB/s, so this bounds the time for a small file that
 * packs one vertex or element again and again, at up to 1032:1. Meshes are packed at 4:1 to 20:1.
 */
const FREE_UNPACKED_BYTES = 128 * 2 ** 20;
const MAX_UNPACKED_RATIO = 100;

/** Throws OPERATION_FAILED if the documents of an archive of `fileBytes` unpack to far more than a mesh would. */
export function requireUnpackedSize(bytes: number, fileBytes: number, refuse: ErrorFactory): void {
  const most = FREE_UNPACKED_BYTES + MAX_UNPACKED_RATIO * fileBytes;
  if (bytes <= most) return;
  throw refuse(
    `its ${fileBytes} bytes unpack to ${bytes} bytes of text, ${most} are the most accepted of that size: it repeats the same content over and over; export it again`,
  );
}

/** Throws OPERATION_FAILED for more facets or vertices, INPUT_ERROR for more parts than the bounds of each file. */
export function requireModelSize({ facets, vertices, parts }: ModelSize, refuse: ErrorFactory): void {
  for (const [count, what] of [
    [facets, "triangles"],
    [vertices, "vertices"],
  ] as const) {
    if (count <= MAX_FILE_FACETS) continue;
    throw refuse(
      `it has ${wordsOf(count)} ${what}, ${MAX_FILE_FACETS} are the most accepted; split it, or export it coarser`,
    );
  }
  requirePartCount(parts);
}

/** Throws INPUT_ERROR for more parts than the bound of each file. */
export function requirePartCount(parts: number): void {
  if (parts <= MAX_FILE_PARTS) return;
  throw inputError(
    `The file has more than ${MAX_FILE_PARTS} parts, the most accepted: split it into several files, or join its parts. Nothing was changed.`,
  );
}

/** Nested components may multiply beyond the safe integers. */
const wordsOf = (count: number): string => (Number.isSafeInteger(count) ? String(count) : count.toExponential(1));

/** {@link requireModelSize}, and claims the memory that the import of the file will take. Throws `MemoryError` without it. */
export function claimModelSize(file: string, size: ModelSize, refuse: ErrorFactory): void {
  requireModelSize(size, refuse);
  const { facets, vertices, parts } = size;
  claimModelBytes(file, BYTES_PER_FACET * facets + BYTES_PER_VERTEX * vertices + BYTES_PER_PART * parts);
}

/** Claims memory for a model file. Throws `MemoryError` without it. */
export const claimModelBytes = (file: string, bytes: number): void =>
  claimMemory({
    bytes,
    what: `The import of ${JSON.stringify(basename(file))}`,
    wayOut: "import a coarser file or a part of it",
  });
