import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { excerpt, inputError } from "../core/api-error.ts";
import { withFileErrorsAsync } from "../core/file-error.ts";
import { makePrivateFolder, removeFolder, removeStaleFolders } from "../core/private-folder.ts";
import { type Output, newOutput } from "./output.ts";

/** The name for standard input among parts, and for standard output among results. */
export const PIPE = "-";

/** The options about pipes, in the form of `parseArgs`. */
export const PIPE_OPTIONS = { format: { type: "string" } } as const;

interface PipeWords {
  /** Files of the parts. */
  readonly parts: readonly string[];
  /** Files of the results; undefined for results without a name. */
  readonly results?: readonly (string | undefined)[] | undefined;
  /** The format of the part from standard input, such as "stl". */
  readonly format?: string | undefined;
  /** The extension of the result on standard output, with its dot. Throws where it is not given. */
  readonly resultExtension?: (() => string) | undefined;
  /** The option that prints something else on standard output, such as "--json". */
  readonly printing?: string | undefined;
}

/** The files that replace pipes, and the output of the command. */
interface PipedFiles {
  readonly parts: readonly string[];
  readonly results: readonly (string | undefined)[];
  readonly output: Output;
  /** Replaces the paths of these files in a message by words for the pipes. */
  readonly inWords?: (message: string) => string;
}

const FOLDER_USE = "command";

/**
 * Runs a command on files in place of the pipes among its parts and results, since the readers and writers of formats need files. The files
 * are in a private folder that is removed at the end. A result is copied to standard output once it is complete; the command then prints to
 * standard error. Returns the exit status of `run`. Throws INPUT_ERROR for impossible pipes.
 */
export async function withPipes(
  { parts, results = [], format, resultExtension, printing }: PipeWords,
  output: Output,
  run: (files: PipedFiles) => Promise<number>,
): Promise<number> {
  const readsPipe = once(parts, "the part from standard input");
  const writesPipe = once(results, "the result on standard output");
  if (!readsPipe && !writesPipe) return run({ parts, results, output });
  if (readsPipe && format === undefined)
    throw inputError(`name the format of the part from standard input with --format, such as stl`);
  if (writesPipe) requirePipe(printing);
  await removeStaleFolders(FOLDER_USE);
  const folder = await makePrivateFolder(FOLDER_USE);
  try {
    const part = join(folder, `part${extensionOfFormat(format) ?? ""}`);
    const result = join(folder, `result${writesPipe ? (resultExtension?.() ?? "") : ""}`);
    if (readsPipe) await withFileErrorsAsync("write", part, () => pipeline(process.stdin, createWriteStream(part)));
    const told = writesPipe ? newOutput(process.stderr) : output;
    const status = await run({
      parts: parts.map((file) => (file === PIPE ? part : file)),
      results: results.map((file) => (file === PIPE ? result : file)),
      output: told,
      inWords: (message) =>
        message
          .replaceAll(JSON.stringify(part), "standard input")
          .replaceAll(JSON.stringify(result), "standard output"),
    });
    await told.flushed();
    if (writesPipe && status === 0) await output.bytes(createReadStream(result));
    return status;
  } finally {
    await removeFolder(folder);
  }
}

/** Whether a pipe is among the files. Throws where it is there twice. */
function once(files: readonly (string | undefined)[], what: string): boolean {
  const count = files.filter((file) => file === PIPE).length;
  if (count > 1) throw inputError(`"-" is ${what}: give it once`);
  return count === 1;
}

function requirePipe(printing: string | undefined): void {
  if (printing !== undefined)
    throw inputError(`${printing} prints on standard output, where the result goes: name a file with -o`);
  if (process.stdout.isTTY)
    throw inputError("standard output is a terminal: name a file with -o, or send it on with | or >");
}

/** ".stl" for "stl" and ".stl"; undefined for undefined. Throws for anything that is no extension. */
export function extensionOfFormat(format: string | undefined): string | undefined {
  if (format === undefined) return undefined;
  if (!/^\.?[a-z\d]+$/i.test(format)) throw inputError(`"${excerpt(format)}" is no format: give it as in stl or 3mf`);
  return `.${format.replace(/^\./, "").toLowerCase()}`;
}
