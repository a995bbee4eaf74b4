import { randomInt } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";

export interface TrialOptions {
  /** How long the trial runs. */
  readonly minutes: number;
  /** Of all that it draws at random. */
  readonly seed: number;
  /** Names of the parts to run; all of them where none is given. */
  readonly chosen: readonly string[];
}

/** The options of the command line, `[--minutes N] [--seed N] [part …]`. Prints the line that runs the same trial again. */
export function trialOptions(command: string): TrialOptions {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: "string", default: "1" }, seed: { type: "string" } },
    allowPositionals: true,
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
  if (!(minutes > 0) || !Number.isInteger(seed)) {
    console.error(`Usage: bun run ${command} [--minutes N] [--seed N] [part …]`);
    process.exit(2);
  }
  const again = ["bun run", command, "--minutes", minutes, "--seed", seed, ...positionals].join(" ");
  console.log(`Seed ${seed}; again: ${again}`);
  return { minutes, seed, chosen: positionals };
}
