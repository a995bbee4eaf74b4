import { basename } from "node:path";
import { ApiError, excerpt } from "../core/api-error.ts";
import type { ExtensionCommand } from "./command-line.ts";
import type { ProgramEnd } from "./run-program.ts";

export const quoted = (text: string): string => JSON.stringify(excerpt(text));

export const nameOf = ({ command: [program] }: ExtensionCommand): string =>
  `the converter ${quoted(basename(program))}`;

/**
 * Why a program made no usable result, with its name and the end of its standard error. `otherwise`: what is wrong with its result if it
 * ended well. Undefined if nothing is.
 */
export function failureOf(
  converter: ExtensionCommand,
  { failure, said }: ProgramEnd,
  otherwise: string | undefined,
): string | undefined {
  const why = failure ?? otherwise;
  if (why === undefined) return undefined;
  return `${nameOf(converter)} ${why}${said === "" ? "" : `; it said: ${said}`}`;
}

/** Rethrows an error; an ApiError names `origin` in place of the path of a result, which is in a folder that users do not know. */
export const rethrowWith =
  (origin: string, result: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof ApiError)) throw thrown;
    throw new ApiError(thrown.code, thrown.message.replaceAll(quoted(result), origin));
  };
