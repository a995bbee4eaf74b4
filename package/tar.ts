import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";

/** A file or, where the path ends with a slash, a folder. */
export interface TarEntry {
  readonly path: string;
  /** Permissions; 0644 by default, 0755 for folders. */
  readonly mode?: number;
  /** Number of the user and of the group; 0 by default. */
  readonly owner?: number;
  readonly content?: Uint8Array | string;
}

const BLOCK = 512;
const MAX_NAME = 100;

/**
 * A tar archive (POSIX.1-1988 ustar) of the entries in their order. Equal entries give equal bytes: all have the same time, and owners
 * are numbers without names.
 */
export function tarOf(entries: readonly TarEntry[], date: Date): Uint8Array {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? "");
    return [headerOf(entry, content.length, date), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The same, compressed by gzip, whose header has no time and no name. */
export const tarGzOf = (entries: readonly TarEntry[], date: Date): Uint8Array =>
  gzipSync(tarOf(entries, date), { level: 9 });

function headerOf({ path, mode, owner = 0 }: TarEntry, size: number, date: Date): Uint8Array {
  if (Buffer.byteLength(path) > MAX_NAME) throw new Error(`${path} is longer than ${MAX_NAME} bytes`);
  const isFolder = path.endsWith("/");
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, "0")}\0`, at);
  header.write(path, 0);
  octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 7);
  octal(owner, 108, 7);
  octal(owner, 116, 7);
  octal(size, 124, 11);
  octal(Math.floor(date.getTime() / 1000), 136, 11);
  header.write(" ".repeat(8), 148);
  header.write(isFolder ? "5" : "0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
