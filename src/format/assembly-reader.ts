import { Buffer } from "node:buffer";
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ApiError, type ErrorFactory } from "../core/api-error.ts";
import { fileError } from "../core/file-error.ts";
import { readWholeFile } from "../core/read-file.ts";
import { COMPOUND_SIGNATURE, compoundStreams } from "../codec/compound-file.ts";
import type { ModelReader } from "./model-reader.ts";
import { claimModelBytes } from "./model-size.ts";
import { namesInMessage } from "./message-names.ts";
import { packageStreams } from "./solidworks/package-streams.ts";

/** Assemblies of a CAD program. They store the positions of their parts, but in a form that is not documented. */
export interface AssemblyFormat {
  /** Such as "a Solidworks assembly". */
  readonly what: string;
  readonly extension: string;
  /** Extensions of the parts and assemblies that it refers to. */
  readonly partExtensions: readonly string[];
  readonly wayOut: string;
  /** Matches a valid file name at the end of a text, for programs that allow fewer characters than file systems. */
  readonly name?: RegExp;
}

const MAX_FILE_BYTES = 512 * 2 ** 20;
/** Memory per byte of the file while it is searched: its bytes and a text of them. */
const BYTES_PER_FILE_BYTE = 5;
/** Names are in small streams; larger ones hold shapes and pictures. */
const MAX_STREAM_BYTES = 16 * 2 ** 20;
const MAX_NAME_LENGTH = 128;

/**
 * Refuses an assembly with OPERATION_FAILED. The message lists the parts to which it refers, those that are missing in its folder, and
 * the way out.
 */
export const assemblyReader = ({ what, extension, partExtensions, wayOut, name }: AssemblyFormat): ModelReader => ({
  async read(file, _options, progress) {
    progress.report(0);
    const refuse: ErrorFactory = (why) => fileError("read", file, why);
    const bytes = readWholeFile(file, MAX_FILE_BYTES, (size) => claimModelBytes(file, BYTES_PER_FILE_BYTE * size));
    const itself = basename(file).replace(VERSION, "");
    const names = partNames(textsOf(bytes, refuse), { extensions: partExtensions, itself, name });
    throw refuse(
      `it is ${what} file, whose placements this version does not read; ${partsClause(names, file)}${wayOut} and import that, or start the server with a program that converts it: --converter "${extension}=COMMAND {in} {out}.step"`,
    );
  },
});

/** The texts that may contain names: the small streams of a container, else the whole file. */
function textsOf(bytes: Uint8Array, refuse: ErrorFactory): Buffer[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (whole.toString("hex", 0, 8) === COMPOUND_SIGNATURE) {
    try {
      return compoundStreams(bytes, refuse)
        .map((stream) => Buffer.from(stream.read()))
        .filter(({ length }) => length <= MAX_STREAM_BYTES);
    } catch (thrown) {
      if (thrown instanceof ApiError) return [];
      throw thrown;
    }
  }
  const texts: Buffer[] = [];
  for (const { size, read } of packageStreams(whole)) {
    const text = size <= MAX_STREAM_BYTES ? read() : undefined;
    if (text) texts.push(text);
  }
  return texts.length > 0 ? texts : [whole];
}

/** Characters that file systems allow in names of files. */
const NAME = /[^\\/:*?"<>|\p{C}]+$/u;
/** The ASCII characters among them: other bytes are not letters of a name, but numbers of the records around it. */
const NAME_IN_BYTES = /[ !#-)+-.0-9;=@-[\]-{}~]+$/;
/** Creo appends a version number to the name of a file. */
const VERSION = /\.\d+$/;

/** The names of files with some extensions in texts, in bytes or in UTF-16, in the order in which they were found. */
function partNames(
  texts: readonly Buffer[],
  { extensions, itself, name: allowed }: { extensions: readonly string[]; itself: string; name: RegExp | undefined },
): string[] {
  const end = new RegExp(`\\.(?:${extensions.join("|")})(?!\\w)`, "gi");
  const found = new Map<string, string>();
  for (const bytes of texts) {
    const readings = [
      [bytes.toString("latin1"), allowed ?? NAME_IN_BYTES],
      [bytes.toString("utf16le"), allowed ?? NAME],
      [bytes.toString("utf16le", 1), allowed ?? NAME],
    ] as const;
    for (const [text, name] of readings) {
      for (const { index, 0: extension } of text.matchAll(end)) {
        const [stem = ""] = name.exec(text.slice(Math.max(0, index - MAX_NAME_LENGTH), index)) ?? [];
        const whole = stem.trim() + extension;
        if (/[\p{L}\p{N}]/u.test(stem) && !found.has(whole.toLowerCase())) found.set(whole.toLowerCase(), whole);
      }
    }
  }
  found.delete(itself.toLowerCase());
  return [...found.values()];
}

/** The clause of the message that lists the parts, with a semicolon; empty if none are known. */
function partsClause(names: readonly string[], file: string): string {
  if (names.length === 0) return "";
  const beside = new Set(filesBeside(file));
  const isThere = (name: string): boolean => beside.has(name.toLowerCase());
  const [there, missing] = [names.filter(isThere), names.filter((name) => !isThere(name))];
  const clauses = [
    ...(there.length > 0 ? [`${namesInMessage(there)} beside it`] : []),
    ...(missing.length > 0 ? [`${namesInMessage(missing)}, not found beside it`] : []),
  ];
  return `it refers to ${clauses.join(", and to ")}; `;
}

/** The names in the folder in lower case, those of Creo also without their version. */
function filesBeside(file: string): string[] {
  try {
    return readdirSync(dirname(file)).flatMap((name) => {
      const lower = name.toLowerCase();
      return [lower, lower.replace(VERSION, "")];
    });
  } catch {
    return [];
  }
}
