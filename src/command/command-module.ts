import type { Output } from "./output.ts";
import type { Printwright } from "./perform.ts";
import type { WorkArguments } from "./work-arguments.ts";

/** Puts together what carries out requests. */
export type OpenPrintwright = (args: WorkArguments) => Printwright;

/** What a command is run with. */
export interface CommandModule {
  /** The text of its `--help`. */
  readonly usage: string;
  /** Runs it with the words behind its name, prints the outcome, and returns the exit status. Throws an ApiError for wrong words. */
  readonly run: (argv: readonly string[], open: OpenPrintwright, output: Output) => Promise<number>;
}
