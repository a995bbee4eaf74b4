import { stat } from "node:fs/promises";
import { join } from "node:path";
import { operationFailed } from "../core/api-error.ts";
import { type ExtensionCommand, withPaths } from "./command-line.ts";
import { type ConversionPlace, type ConversionRunner, newConversionRunner } from "./conversion-runner.ts";
import { type ConversionRequest, type ConverterLimits, plainName } from "./converters.ts";
import { failureOf, nameOf, rethrowWith } from "./program-failure.ts";

/** The programs of `--job-converter`, which make jobs that this program does not write of jobs that it writes. */
export interface JobConverters {
  /** Throws OPERATION_FAILED if no program makes the jobs of a machine; the extension has a dot. */
  require(extension: string, printerLabel: string): void;
  /**
   * Has `write` write the readable job, converts it, passes the path of the result to `use`, and removes both afterwards. Throws
   * `CancelledError`, and OPERATION_FAILED with the name of the program and the end of its standard error where it fails. Errors of
   * `use` that name the result are changed to name the program.
   */
  convert<T, U>(
    job: ConvertedJob,
    request: ConversionRequest,
    write: (readable: string) => Promise<T>,
    use: (result: string, readable: string, written: T) => Promise<U>,
  ): Promise<U>;
}

/** A job to convert; extensions have a dot. */
export interface ConvertedJob {
  readonly name: string;
  readonly printerLabel: string;
  readonly extension: string;
  readonly readableExtension: string;
}

/** Programs that convert pictures of thousands of layers take minutes, on slow machines more. */
const TIMEOUT_MS = 60 * 60 * 1000;
/** The readable job, the result, and unpacked layers. Working value: jobs of 12K panels have up to some gigabytes. */
const MAX_BYTES = 2 ** 35;

export function newJobConverters(
  converters: readonly ExtensionCommand[],
  runner: ConversionRunner = newConversionRunner(),
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: ConverterLimits = {},
): JobConverters {
  function converterFor(extension: string, printerLabel: string): ExtensionCommand {
    const converter = converters.find((one) => `.${one.extension}` === extension);
    if (converter) return converter;
    throw operationFailed(
      `The ${printerLabel} takes ${extension} files that this program does not write: start it with a program of yours that makes them of a readable job, --job-converter "${extension.slice(1)}=COMMAND {in} {out}".`,
    );
  }
  return {
    require: (extension, printerLabel) => void converterFor(extension, printerLabel),
    convert: (job, { signal, report }, write, use) =>
      runner.run(signal, async (place) => {
        const converter = converterFor(job.extension, job.printerLabel);
        const stem = plainName(job.name);
        const readable = join(place.folder, `${stem}${READABLE_MARK}${job.readableExtension}`);
        const result = join(place.folder, `${stem}${job.extension}`);
        const written = await write(readable);
        await makeJob(converter, place, { readable, result }, { timeoutMs, maxBytes, report });
        const origin = `the ${job.extension} that ${nameOf(converter)} made`;
        return await use(result, readable, written).catch(rethrowWith(origin, result));
      }),
  };
}

/** Both files may have the same extension. */
const READABLE_MARK = "-readable";

async function makeJob(
  converter: ExtensionCommand,
  place: ConversionPlace,
  { readable, result }: { readonly readable: string; readonly result: string },
  limits: Parameters<ConversionPlace["runProgram"]>[1],
): Promise<void> {
  const end = await place.runProgram(withPaths(converter.command, { in: readable, out: result }), limits);
  const found = await stat(result).catch(() => undefined);
  const fault = found?.isFile()
    ? found.size === 0
      ? "made an empty file"
      : undefined
    : "made no file in place of {out}";
  const failure = failureOf(converter, end, fault);
  if (failure === undefined) return;
  throw operationFailed(
    `Cannot make the .${converter.extension} file of the job: ${failure}. Check the command of --job-converter for .${converter.extension}.`,
  );
}
