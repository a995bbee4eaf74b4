import { closeSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, excerpt, operationFailed } from "../core/api-error.ts";
import { fileError, withFileErrorsAsync } from "../core/file-error.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { CancelledError } from "../core/progress.ts";
import { openRegularFile } from "../core/read-file.ts";
import { extensionOf } from "../format/model-formats.ts";
import { MAX_MODEL_FILE_BYTES } from "../format/model-size.ts";
import type { Converter } from "./parse-converters.ts";
import { runProgram } from "./run-program.ts";

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
  /** Kills running programs, and resolves once nothing of them is left. */
  close(): Promise<void>;
}

export interface ConverterLimits {
  readonly timeoutMs?: number;
  /** Most bytes of a result and the other files that its program writes. */
  readonly maxBytes?: number;
  /** Most programs that run at once, since they take cores and memory from the threads of the server. Further ones wait. */
  readonly runAtOnce?: number;
}

const TIMEOUT_MS = 10 * 60 * 1000;
/** A hung converter must not block the rest. */
const MIN_AT_ONCE = 2;
/** How long a stopping server waits for killed programs. */
const CLOSE_MS = 2000;
const FOLDER_USE = "convert";
/** After this time the progress is half: programs do not report theirs. */
const HALF_TIME_MS = 20_000;

export function newConverters(
  converters: readonly Converter[],
  {
    timeoutMs = TIMEOUT_MS,
    maxBytes = MAX_MODEL_FILE_BYTES,
    runAtOnce = Math.max(MIN_AT_ONCE, availableParallelism() >> 1),
  }: ConverterLimits = {},
): Converters {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const places = newSemaphore(runAtOnce);
  if (converters.length > 0) void removeStaleFolders(FOLDER_USE);
  const converterFor = (file: string): Converter | undefined =>
    converters.find(({ extension }) => extension === extensionOf(file));

  async function convert<T>(file: string, request: ConversionRequest, use: (result: string) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([request.signal, closing.signal]);
    // Requests that waited for others of their scene may start while the server stops.
    if (signal.aborted) throw new CancelledError();
    const converter = converterFor(file)!;
    await requireReadable(file);
    const folder = await makePrivateFolder(FOLDER_USE);
    try {
      const result = join(folder, `${stemFor(file)}.${converter.resultExtension}`);
      const report = (elapsedMs: number): void => request.report(elapsedMs / (elapsedMs + HALF_TIME_MS));
      const conversion = { file, result, folder, timeoutMs, maxBytes, signal, report };
      await places.use(signal, () => makeResult(converter, conversion));
      const origin = `the .${converter.resultExtension} that ${nameOf(converter)} made of ${quoted(file)}`;
      return await use(result).catch(rethrowWith(origin, result));
    } finally {
      await removeFolder(folder);
    }
  }

  return {
    extensions: converters.map(({ extension }) => extension),
    takes: (file) => converterFor(file) !== undefined,
    convert(file, request, use) {
      const conversion = convert(file, request, use);
      running.add(conversion);
      const forget = (): void => void running.delete(conversion);
      conversion.then(forget, forget);
      return conversion;
    },
    async close() {
      closing.abort();
      await Promise.race([Promise.allSettled(running), sleep(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

interface Conversion {
  readonly file: string;
  /** Path of the file to make. */
  readonly result: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly report: (elapsedMs: number) => void;
}

async function makeResult(converter: Converter, { file, result, ...options }: Conversion): Promise<void> {
  const values = { in: file, out: result.slice(0, -extname(result).length) };
  const [program, ...args] = converter.command;
  const withPaths = args.map((word) => word.replace(/\{(in|out)\}/g, (_, name: "in" | "out") => values[name]));
  const { failure, said } = await runProgram([program, ...withPaths], options);
  const isMade = await stat(result).then(
    (found) => found.isFile(),
    () => false,
  );
  if (failure === undefined && isMade) return;
  const why = failure ?? `made no .${converter.resultExtension} file in place of {out}`;
  const lastWords = said === "" ? "" : `; it said: ${said}`;
  throw operationFailed(
    `Cannot convert ${quoted(file)}: ${nameOf(converter)} ${why}${lastWords}. Check the file in the program that wrote it, and the command of --converter for .${converter.extension}.`,
  );
}

const quoted = (text: string): string => JSON.stringify(excerpt(text));
const nameOf = ({ command: [program] }: Converter): string => `the converter ${quoted(basename(program))}`;

/** Rethrows an error; an ApiError names `origin` in place of the path of the result, which is in a folder that users do not know. */
const rethrowWith =
  (origin: string, result: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof ApiError)) throw thrown;
    throw new ApiError(thrown.code, thrown.message.replaceAll(quoted(result), origin));
  };

/** Throws OPERATION_FAILED for a missing path, one that is no file, and one without permission, with the messages of the readers. */
async function requireReadable(file: string): Promise<void> {
  const found = await withFileErrorsAsync("read", file, async () => {
    await access(file, constants.R_OK);
    return stat(file);
  });
  if (!found.isFile()) throw fileError("read", file, "it is not a regular file; give the path of one");
  closeSync(openRegularFile(file).fd);
}

/** Most characters of the name of a result. Each takes up to four bytes, and file systems allow 255 bytes. */
const MAX_STEM_LENGTH = 50;

/**
 * The name of the result without its extension. Programs put it into the names of parts, so it is that of the file, as far as its
 * characters are plain.
 */
const stemFor = (file: string): string =>
  [...basename(file, extname(file)).replace(/[^\p{L}\p{N} ._-]/gu, "_")].slice(0, MAX_STEM_LENGTH).join("");

/** Lets a number of holders in at once, others in the order in which they came. */
interface Semaphore {
  /** Runs `work` once a place is free. Throws `CancelledError` where the signal is aborted before. */
  use<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

function newSemaphore(places: number): Semaphore {
  const waiting = new Set<() => void>();
  let free = places;

  async function acquire(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new CancelledError();
    if (free > 0) return void free--;
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(enter);
        reject(new CancelledError());
      };
      const enter = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  function release(): void {
    const [next] = waiting;
    if (!next) return void free++;
    waiting.delete(next);
    next();
  }

  return {
    async use(signal, work) {
      await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
