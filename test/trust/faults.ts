import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Stores and prints the inputs that found a fault. */
export interface Faults {
  count(): number;
  /** `name` describes the input in words and numbers. */
  add(name: string, thrown: unknown, input: Uint8Array | string): void;
}

/** Trials may set TMPDIR later and check the files there. */
const TEMPORARY = tmpdir();

/** Number of faults after which one part of a trial ends. */
export const MOST_FAULTS = 20;

export function newFaults(seed: number): Faults {
  const folder = join(TEMPORARY, `printwright-faults-${seed}`);
  let count = 0;
  return {
    count: () => count,
    add(name, thrown, input) {
      count++;
      mkdirSync(folder, { recursive: true });
      const path = join(folder, name.replaceAll(/[^\w.]+/g, "-"));
      writeFileSync(path, input);
      console.log(`FAULT of ${name}: ${(thrown as Error).message.slice(0, 500)}\n  ${path}`);
    },
  };
}
