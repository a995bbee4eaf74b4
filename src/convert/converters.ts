import { closeSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { operationFailed } from "../core/api-error.ts";
import { fileError, withFileErrorsAsync } from "../core/file-error.ts";
import { openRegularFile } from "../core/read-file.ts";
import { extensionOf } from "../format/model-formats.ts";
import { MAX_MODEL_FILE_BYTES } from "../format/model-size.ts";
import { withPaths } from "./command-line.ts";
import { type ConversionPlace, type ConversionRunner, newConversionRunner } from "./conversion-runner.ts";
import type { Converter } from "./parse-converters.ts";
import { failureOf, nameOf, quoted, rethrowWith } from "./program-failure.ts";

/** The request that needs a conversion. */
export interface ConversionRequest {
  readonly signal: AbortSignal;
  /** Called with the share that is done, 0 to 1. */
  report(share: number): void;
}

/** The programs of `--converter`. */
export interface Converters {
  /** The extensions of the files that they convert, in lower case, without the dot. */
  readonly extensions: readonly string[];
  takes(file: string): boolean;
  /**
   * Converts a file, passes the path of the result to `use`, and removes the result afterwards. Throws `CancelledError`, and
   * OPERATION_FAILED with the name of the program and the end of its standard error where it fails. Errors of `use` that name the result
   * are changed to name the file.
   */
  convert<T>(file: string, request: ConversionRequest, use: (result: string) => Promise<T>): Promise<T>;
}

export interface ConverterLimits {
  readonly timeoutMs?: number;
  /** Most bytes of a result and the other files that its program writes. */
  readonly maxBytes?: number;
}

const TIMEOUT_MS = 10 * 60 * 1000;

export function newConverters(
  converters: readonly Converter[],
  runner: ConversionRunner = newConversionRunner(),
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_MODEL_FILE_BYTES }: ConverterLimits = {},
): Converters {
  const converterFor = (file: string): Converter | undefined =>
    converters.find(({ extension }) => extension === extensionOf(file));
  return {
    extensions: converters.map(({ extension }) => extension),
    takes: (file) => converterFor(file) !== undefined,
    convert: (file, { signal, report }, use) =>
      runner.run(signal, async (place) => {
        const converter = converterFor(file)!;
        await requireReadable(file);
        const result = join(place.folder, `${plainName(basename(file, extname(file)))}.${converter.resultExtension}`);
        await makeResult(converter, place, { file, result, timeoutMs, maxBytes, report });
        const origin = `the .${converter.resultExtension} that ${nameOf(converter)} made of ${quoted(file)}`;
        return await use(result).catch(rethrowWith(origin, result));
      }),
  };
}

interface Conversion {
  readonly file: string;
  /** Path of the file to make. */
  readonly result: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly report: (share: number) => void;
}

async function makeResult(
  converter: Converter,
  place: ConversionPlace,
  { file, result, ...limits }: Conversion,
): Promise<void> {
  const command = withPaths(converter.command, { in: file, out: result.slice(0, -extname(result).length) });
  const end = await place.runProgram(command, limits);
  const isMade = await stat(result).then(
    (found) => found.isFile(),
    () => false,
  );
  const missing = isMade ? undefined : `made no .${converter.resultExtension} file in place of {out}`;
  const failure = failureOf(converter, end, missing);
  if (failure === undefined) return;
  throw operationFailed(
    `Cannot convert ${quoted(file)}: ${failure}. Check the file in the program that wrote it, and the command of --converter for .${converter.extension}.`,
  );
}

/** Throws OPERATION_FAILED for a missing path, one that is no file, and one without permission, with the messages of the readers. */
async function requireReadable(file: string): Promise<void> {
  const found = await withFileErrorsAsync("read", file, async () => {
    await access(file, constants.R_OK);
    return stat(file);
  });
  if (!found.isFile()) throw fileError("read", file, "it is not a regular file; give the path of one");
  closeSync(openRegularFile(file).fd);
}

/** Most characters of a plain name. Each takes up to four bytes, and file systems allow 255 bytes. */
const MAX_NAME_LENGTH = 50;

/**
 * The name of a result without its extension. Programs put it into the names of parts, so it is that of the original, as far as its
 * characters are plain.
 */
export const plainName = (name: string): string =>
  [...name.replace(/[^\p{L}\p{N} ._-]/gu, "_")].slice(0, MAX_NAME_LENGTH).join("");
