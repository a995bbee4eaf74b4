import { basename, resolve } from "node:path";
import { excerpt, inputError } from "../core/api-error.ts";
import { READ_EXTENSIONS } from "../format/model-formats.ts";

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** A program of the user that converts files with one extension to files that a reader knows. */
export interface Converter {
  /** Extension of the files that it converts, in lower case, without the dot. */
  readonly extension: string;
  /** The program and its arguments, with the placeholders `{in}` and `{out}`. */
  readonly command: CommandLine;
  /** Extension of the file that it makes, in lower case, without the dot. */
  readonly resultExtension: string;
}

/** Parses the values of `--converter`, "EXT=COMMAND {in} {out}.step". Throws INPUT_ERROR for a wrong one. */
export function parseConverters(texts: readonly string[]): Converter[] {
  const converters = texts.map(parseConverter);
  const twice = converters.find(({ extension }, i) => converters.findIndex((one) => one.extension === extension) < i);
  if (twice) throw inputError(`--converter is given twice for .${twice.extension}: leave one out`);
  return converters;
}

function parseConverter(text: string): Converter {
  const refuse = (why: string) =>
    inputError(
      `--converter must be "EXT=COMMAND {in} {out}.step", such as "sldasm=cadmpeg convert {in} -o {out}.step", but ${why}: "${excerpt(text)}"`,
    );
  const [, extension, line = ""] = /^\s*\.?(\w+)\s*=(.*)$/s.exec(text) ?? [];
  if (extension === undefined) throw refuse("it does not begin with an extension and =");
  const words = splitWords(line);
  if (words === undefined) throw refuse("a quotation mark has no end");
  const [program, ...args] = words;
  if (!program) throw refuse("it names no program");
  if (/\{(in|out)\}/.test(program)) throw refuse("it begins with a placeholder in place of a program");
  if (!args.some((word) => word.includes("{in}"))) throw refuse("{in}, the file to convert, is missing");
  const [result, ...more] = args.flatMap((word) => [...word.matchAll(/\{out\}(?:\.(\w+)$)?/g)]);
  if (!result || more.length > 0)
    throw refuse("{out}, the file to make, must be there once, with an extension behind it");
  const resultExtension = result[1]?.toLowerCase();
  if (resultExtension === undefined) throw refuse("an argument must end with {out} and an extension");
  if (!READ_EXTENSIONS.includes(resultExtension)) {
    throw refuse(
      `.${resultExtension} is not read; let it make one of ${READ_EXTENSIONS.map((one) => `.${one}`).join(", ")}`,
    );
  }
  return { extension: extension.toLowerCase(), command: [programPath(program), ...args], resultExtension };
}

/** Programs run in private folders, so a relative path is resolved from the folder of the server. A bare name is looked up in PATH. */
const programPath = (program: string): string => (basename(program) === program ? program : resolve(program));

/**
 * Splits a command line into words. Quotation marks, " or ', enclose blanks and are removed; a backslash is an ordinary character, as in
 * Windows paths. Undefined where a quotation does not end.
 */
function splitWords(line: string): string[] | undefined {
  if (!/^(?:[^"']|"[^"]*"|'[^']*')*$/.test(line)) return undefined;
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ""));
}
