import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { systemErrorCode } from "../../core/file-error.ts";
import { removeStaleTemporaryFiles } from "../../core/temporary-file.ts";

// Work on the folder of a printer. It blocks its thread as long as the medium does not answer, so it runs on a thread of that folder.

/** An order to the thread of a folder. */
export type MediumOrder =
  | { readonly kind: "check"; readonly folder: string; readonly isFirst: boolean }
  | {
      readonly kind: "copy";
      readonly source: string;
      readonly folder: string;
      readonly temporary: string;
      readonly name: string;
      /** Not 0 once the copy is not wanted any more: then it removes what it has written. */
      readonly cancelled: Int32Array;
    }
  | { readonly kind: "publish"; readonly folder: string; readonly temporary: string; readonly name: string }
  | { readonly kind: "remove"; readonly folder: string; readonly temporary: string };

/** What is known of a medium that is there. */
export interface MediumFacts {
  /** Undefined where the system does not report it. */
  readonly freeBytes: number | undefined;
  /** Whether the folder is on another device than its parent folder, as the top folder of a mounted medium is. */
  readonly isMounted: boolean;
}

/** Why an order was not carried out; nothing of it was done. `taken`: a file has the name. */
export interface MediumRefusal {
  readonly kind: "taken" | "cancelled" | "failed";
  /** The cause and the way out; without a full stop. */
  readonly why: string;
}

export type MediumResult = { readonly facts?: MediumFacts } | { readonly refusal: MediumRefusal };

/** So much is written and flushed at once: a slow stick takes some seconds for it. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Carries out an order. `report` is called with the number of bytes that are on the medium. */
export function workOnMedium(order: MediumOrder, report: (bytes: number) => void): MediumResult {
  try {
    switch (order.kind) {
      case "check":
        return { facts: check(order.folder, order.isFirst) };
      case "copy":
        return copy(order, report);
      case "publish":
        return publish(order);
      case "remove":
        rmSync(join(order.folder, order.temporary), { force: true });
        return {};
    }
  } catch (thrown) {
    return { refusal: { kind: "failed", why: inWords(thrown as Error) } };
  }
}

/** Throws where the folder is missing or not writable. `isFirst`: the medium was not there before. */
function check(folder: string, isFirst: boolean): MediumFacts {
  const found = statSync(folder);
  if (!found.isDirectory()) throw new Error("it is a file, not a folder: give the path of a folder");
  accessSync(folder, constants.W_OK | constants.X_OK);
  if (isFirst) removeStaleTemporaryFiles(folder);
  const { bavail, bsize, blocks } = statfsSync(folder);
  return {
    // Some shares report nothing.
    freeBytes: blocks > 0 ? bavail * bsize : undefined,
    isMounted: found.dev !== statSync(dirname(folder)).dev,
  };
}

const TAKEN: MediumResult = { refusal: { kind: "taken", why: "another file has its name" } };

type Copy = Extract<MediumOrder, { kind: "copy" }>;

/** Copies a file to the temporary name and flushes it. Leaves nothing where that fails. */
function copy({ source, folder, temporary, name, cancelled }: Copy, report: (bytes: number) => void): MediumResult {
  if (existsSync(join(folder, name))) return TAKEN;
  const path = join(folder, temporary);
  const from = openSync(source, "r");
  try {
    const to = openSync(path, "wx");
    try {
      const piece = new Uint8Array(PIECE_BYTES);
      const requireWanted = (): void => {
        if (Atomics.load(cancelled, 0) !== 0) throw new CopyCancelled();
      };
      for (let at = 0; ;) {
        requireWanted();
        const bytes = readSync(from, piece, 0, piece.length, at);
        if (bytes === 0) break;
        for (let written = 0; written < bytes;) written += writeSync(to, piece, written, bytes - written, at + written);
        // The system would report pieces as written long before a slow medium has them.
        fdatasyncSync(to);
        report((at += bytes));
      }
      fsyncSync(to);
      requireWanted();
    } finally {
      closeSync(to);
    }
    return {};
  } catch (thrown) {
    ignoringErrors(() => rmSync(path, { force: true }));
    if (thrown instanceof CopyCancelled) return { refusal: { kind: "cancelled", why: "it was cancelled" } };
    throw thrown;
  } finally {
    closeSync(from);
  }
}

class CopyCancelled extends Error {}

/** Errors of file systems without hard links, such as FAT. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EACCES", "EINVAL", "EMLINK", "UNKNOWN"]);

/** Gives the temporary file its name, unless another file has it. */
function publish({ folder, temporary, name }: Extract<MediumOrder, { kind: "publish" }>): MediumResult {
  const [from, to] = [join(folder, temporary), join(folder, name)];
  try {
    // Unlike a rename, a link never replaces a file.
    linkSync(from, to);
    rmSync(from, { force: true });
  } catch (thrown) {
    const code = systemErrorCode(thrown as Error) ?? "";
    if (code === "EEXIST" || existsSync(to)) return TAKEN;
    if (!NO_LINKS.has(code)) throw thrown;
    renameSync(from, to);
  }
  ignoringErrors(() => flushFolder(folder));
  return {};
}

/** Windows cannot flush folders. */
function flushFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function ignoringErrors(work: () => void): void {
  try {
    work();
  } catch {}
}

const NOT_THERE = "it is not there: plug in the medium or mount the share, and check the path";
const GONE = "the medium does not answer: plug it in again, and look whether it is damaged";
const NO_SHARE = "the share does not answer: check that its server is on, and the network between";
const FORBIDDEN = "this server may not write there: change the permissions of the folder";

/** Errors of the file system for a medium, in words, each with the way out. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: NOT_THERE,
  ENOTDIR: NOT_THERE,
  ENODEV: NOT_THERE,
  ENXIO: NOT_THERE,
  ENOMEDIUM: NOT_THERE,
  EIO: GONE,
  ESTALE: NO_SHARE,
  EHOSTDOWN: NO_SHARE,
  EHOSTUNREACH: NO_SHARE,
  ENETUNREACH: NO_SHARE,
  ENOTCONN: NO_SHARE,
  ETIMEDOUT: NO_SHARE,
  ECONNREFUSED: NO_SHARE,
  EROFS: "the medium is read-only: unlock its switch, or mount it writable; a damaged one is mounted read-only, too",
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ENOSPC: "the medium is full: delete files on it",
  EDQUOT: "the quota of the share is used up: delete files on it",
  EFBIG:
    "the file is larger than the medium takes (FAT32 takes less than 4 GiB): format it as exFAT, or split the plate",
};

function inWords(error: Error): string {
  return MEANINGS[systemErrorCode(error) ?? ""] ?? error.message;
}
