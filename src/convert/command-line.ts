import { basename, resolve } from "node:path";
import type { ErrorFactory } from "../core/api-error.ts";

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The program for files with an extension. */
export interface ExtensionCommand {
  /** In lower case, without the dot. */
  readonly extension: string;
  /** The program and its arguments, with the placeholders `{in}` and `{out}`. */
  readonly command: CommandLine;
}

/** Parses "EXT=COMMAND {in} …", whose {out} is left to the caller. Throws the error of `refuse` for a wrong one. */
export function parseExtensionCommand(text: string, refuse: ErrorFactory): ExtensionCommand {
  const [, extension, line = ""] = /^\s*\.?(\w+)\s*=(.*)$/s.exec(text) ?? [];
  if (extension === undefined) throw refuse("it does not begin with an extension and =");
  const words = splitWords(line);
  if (words === undefined) throw refuse("a quotation mark has no end");
  const [program, ...args] = words;
  if (!program) throw refuse("it names no program");
  if (/\{(in|out)\}/.test(program)) throw refuse("it begins with a placeholder in place of a program");
  if (!args.some((word) => word.includes("{in}"))) throw refuse("{in}, the file to convert, is missing");
  return { extension: extension.toLowerCase(), command: [programPath(program), ...args] };
}

/** The index of the first element whose extension an earlier one has; -1 if there is none. */
export const firstTwice = (commands: readonly ExtensionCommand[]): number =>
  commands.findIndex(({ extension }, i) => commands.findIndex((one) => one.extension === extension) < i);

/** The command line with paths in place of `{in}` and `{out}`. */
export function withPaths([program, ...args]: CommandLine, paths: { in: string; out: string }): CommandLine {
  const filled = args.map((word) => word.replace(/\{(in|out)\}/g, (_, name: "in" | "out") => paths[name]));
  return [program, ...filled];
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
