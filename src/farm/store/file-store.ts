import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { operationFailed } from "../../core/api-error.ts";
import { withFileErrorsAsync } from "../../core/file-error.ts";

/**
 * Files by their content, which the machines of a farm share: parts, steps and results of jobs. A stored file never changes. Two stores
 * of the same file give one. The implementations are a folder (`folder-store.ts`) and S3 (`s3-store.ts`); `open-store.ts` chooses.
 */
export interface FileStore {
  /** Stores the file at `path`, completely or not at all, and returns its hash. A file that is there already counts as stored now. */
  put(path: string): Promise<StoredFile>;
  /**
   * Writes the stored file to the new file `path`, after checking its content against the hash. Throws NOT_FOUND if it is missing, and
   * OPERATION_FAILED if its content has another hash or the store cannot be reached.
   */
  fetch(hash: FileHash, path: string): Promise<void>;
  /** All stored files, in any order. */
  list(): AsyncIterable<ListedFile>;
  remove(hash: FileHash): Promise<void>;
}

/** `sha256:` and the SHA-256 of a file in 64 hexadecimal digits. */
export type FileHash = `sha256:${string}`;

export interface StoredFile {
  readonly hash: FileHash;
  readonly bytes: number;
}

export interface ListedFile {
  readonly hash: FileHash;
  /** When it was last stored, ms since 1970. */
  readonly storedMs: number;
}

const HASH = /^sha256:([0-9a-f]{64})$/;
export const HASH_PATTERN = HASH;

/** The place of a file in a store: `sha256/ab/abcdef…`. */
export function placeOf(hash: FileHash): string {
  const [, digits = ""] = HASH.exec(hash) ?? [];
  if (digits === "") throw operationFailed(`"${hash}" is not the hash of a file: it has sha256: and 64 digits.`);
  return `sha256/${digits.slice(0, 2)}/${digits}`;
}

/** The hash of the file at a place; undefined for places that {@link placeOf} does not give. */
export function hashAt(place: string): FileHash | undefined {
  const [, digits] = /(?:^|\/)sha256\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(place) ?? [];
  return digits === undefined ? undefined : `sha256:${digits}`;
}

/** Bytes that are read, hashed and written at once. */
const PIECE_BYTES = 2 ** 20;

/** Calls `take` with the pieces of a file, and returns its hash and size. */
export async function hashFile(
  path: string,
  take: (piece: Uint8Array) => Promise<void> = async () => {},
): Promise<StoredFile> {
  const hashing = createHash("sha256");
  const file = await withFileErrorsAsync("read", path, () => open(path));
  try {
    let bytes = 0;
    for (;;) {
      // A new array for each piece, since `take` may still write the last one.
      const piece = new Uint8Array(PIECE_BYTES);
      const { bytesRead } = await withFileErrorsAsync("read", path, () => file.read(piece, 0, PIECE_BYTES, bytes));
      if (bytesRead === 0) return { hash: `sha256:${hashing.digest("hex")}`, bytes };
      bytes += bytesRead;
      hashing.update(piece.subarray(0, bytesRead));
      await take(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

/** Throws OPERATION_FAILED if a fetched file has another hash than that by which it is stored. */
export function requireHash(hash: FileHash, found: FileHash, place: string): void {
  if (hash === found) return;
  throw operationFailed(
    `The stored file ${place} is damaged: its content has the hash ${found}. Remove it and submit the job again.`,
  );
}
