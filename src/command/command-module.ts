import type { ParseArgsConfig } from "node:util";
import type { Output } from "./output.ts";
import type { RequestRunner } from "./perform.ts";
import type { WorkArguments } from "./work-arguments.ts";

/** Makes the object that carries out requests. */
export type OpenPrintwright = (args: WorkArguments) => RequestRunner;

/** Options in the form of `parseArgs`, by their long names. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** A command. */
export interface CommandModule {
  /** The text of its `--help`. */
  readonly usage: string;
  readonly options: Options;
  /** Whether `--resin` names a resin; it names a file of one otherwise. */
  readonly namesResin?: boolean;
  /** Runs it with the words after its name, prints the result, and returns the exit status. Throws an ApiError for wrong words. */
  readonly run: (argv: readonly string[], open: OpenPrintwright, output: Output) => Promise<number>;
}
