import { excerpt, inputError } from "../core/api-error.ts";
import { READ_EXTENSIONS } from "../format/model-formats.ts";
import { type ExtensionCommand, firstTwice, parseExtensionCommand } from "./command-line.ts";

/** A program of the user that converts files with one extension to files that a reader knows. */
export interface Converter extends ExtensionCommand {
  /** Extension of the file that it makes, in lower case, without the dot. */
  readonly resultExtension: string;
}

/** Parses the values of `--converter`, "EXT=COMMAND {in} {out}.step". Throws INPUT_ERROR for a wrong one. */
export function parseConverters(texts: readonly string[]): Converter[] {
  const converters = texts.map(parseConverter);
  const twice = converters[firstTwice(converters)];
  if (twice) throw inputError(`--converter is given twice for .${twice.extension}: leave one out`);
  return converters;
}

function parseConverter(text: string): Converter {
  const refuse = (why: string) =>
    inputError(
      `--converter must be "EXT=COMMAND {in} {out}.step", such as "sldasm=cadmpeg convert {in} -o {out}.step", but ${why}: "${excerpt(text)}"`,
    );
  const { extension, command } = parseExtensionCommand(text, refuse);
  const [result, ...more] = command.flatMap((word) => [...word.matchAll(/\{out\}(?:\.(\w+)$)?/g)]);
  if (!result || more.length > 0)
    throw refuse("{out}, the file to make, must be there once, with an extension behind it");
  const resultExtension = result[1]?.toLowerCase();
  if (resultExtension === undefined) throw refuse("an argument must end with {out} and an extension");
  if (!READ_EXTENSIONS.includes(resultExtension)) {
    throw refuse(
      `.${resultExtension} is not read; let it make one of ${READ_EXTENSIONS.map((one) => `.${one}`).join(", ")}`,
    );
  }
  return { extension, command, resultExtension };
}

/** Parses the values of `--job-converter`, "EXT=COMMAND {in} {out}". Throws INPUT_ERROR for a wrong one. */
export function parseJobConverters(texts: readonly string[]): ExtensionCommand[] {
  const converters = texts.map(parseJobConverter);
  const twice = converters[firstTwice(converters)];
  if (twice) throw inputError(`--job-converter is given twice for .${twice.extension}: leave one out`);
  return converters;
}

function parseJobConverter(text: string): ExtensionCommand {
  const refuse = (why: string) =>
    inputError(
      `--job-converter must be "EXT=COMMAND {in} {out}", such as "ctb=make-ctb {in} {out}", but ${why}: "${excerpt(text)}"`,
    );
  const converter = parseExtensionCommand(text, refuse);
  const results = converter.command.flatMap((word) => [...word.matchAll(/\{out\}(.*)$/g)]);
  if (results.length !== 1 || results[0]?.[1]?.includes("{out}"))
    throw refuse("{out}, the file to make, must be there once");
  if (/^\.\w/.test(results[0]?.[1] ?? "")) throw refuse("{out} has the extension already: leave out what follows it");
  return converter;
}
