import { randomInt } from "node:crypto";
import process from "node:process";
import { parseArgs } from "node:util";

/** The numbers of a trial, by the names of their options. */
export type TrialOptions<Name extends string> = Readonly<Record<Name, number>> & {
  /** Seed of all random values of the trial. */
  readonly seed: number;
  /** Names of the parts to run; empty for all of them. */
  readonly chosen: readonly string[];
};

/**
 * The options of the command line, `[--NAME N] … [--seed N] [part …]`, with `defaults` for absent ones. Prints the line that runs the
 * same trial again.
 */
export function trialOptions<Name extends string>(
  command: string,
  defaults: Readonly<Record<Name, number>>,
): TrialOptions<Name> {
  const names = Object.keys(defaults) as Name[];
  const { values, positionals } = parseArgs({
    options: Object.fromEntries([...names, "seed"].map((name) => [name, { type: "string" }])),
    allowPositionals: true,
  });
  const numbers = names.map((name): [Name, number] => [name, Number(values[name] ?? defaults[name])]);
  const seed = Number(values.seed ?? randomInt(1, 2 ** 31));
  if (!numbers.every(([, value]) => value >= 0) || !Number.isInteger(seed)) {
    console.error(`Usage: bun run ${command} ${names.map((name) => `[--${name} N]`).join(" ")} [--seed N] [part …]`);
    process.exit(2);
  }
  const given = [...numbers, ["seed", seed] as const].flatMap(([name, value]) => [`--${name}`, value]);
  console.log(`Seed ${seed}; again: ${["bun run", command, ...given, ...positionals].join(" ")}`);
  return { ...(Object.fromEntries(numbers) as Record<Name, number>), seed, chosen: positionals };
}
