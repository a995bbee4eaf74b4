import type { ParseArgsConfig } from "node:util";
import type { Output } from "./output.ts";
import type { Printwright } from "./perform.ts";
import type { WorkArguments } from "./work-arguments.ts";

/** Puts together what carries out requests. */
export type OpenPrintwright = (args: WorkArguments) => Printwright;

/** Options as `parseArgs` takes them, by their long names. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/** What a command is run with. */
export interface CommandModule {
  /** The text of its `--help`. */
  readonly usage: string;
  readonly options: Options;
  /** Runs it with the words behind its name, prints the outcome, and returns the exit status. Throws an ApiError for wrong words. */
  readonly run: (argv: readonly string[], open: OpenPrintwright, output: Output) => Promise<number>;
}
