import process from "node:process";
import { runDayTrial } from "../fixture/day/day-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { trialOptions } from "./options.ts";

// `bun run test:day [--orders N] [--minutes M] [--seed N] [sqlite] [postgres]` lets the compiled executable do the work of a shop for a day, in M minutes: orders, quotes,
// an hourly plan, plates that two workers prepare. Meanwhile processes and the database are killed, and folders are away. No copy may be lost or made twice, each late
// order must be named, events must tell what happened, memory must not grow, and nothing may be left behind; otherwise the exit status is 1. PostgreSQL is left out where it is not installed.

const { orders, minutes, seed, chosen } = trialOptions("test:day", { orders: 400, minutes: 12 });
const kinds = (["sqlite", "postgres"] as const).filter((kind) => chosen.length === 0 || chosen.includes(kind));

for (const kind of kinds) {
  if (kind === "postgres" && !HAS_POSTGRES) {
    console.log("postgres: not installed, left out");
    continue;
  }
  const { memory, late, faults, byHand, ...figures } = await runDayTrial({
    kind,
    orders,
    hourMs: (60_000 * minutes) / 24,
    step: 1,
    seed,
    say: (line) => console.log(line),
  });
  console.log(`${kind}:`, figures);
  console.log("late, by reason:", late);
  console.log("faults:", faults);
  console.log("run again by a person:", byHand);
  for (const { process: name, samples, growth } of memory)
    console.log(`${name}: ${samples.join(", ")} MiB; ${growth} MiB more in the last quarter`);
}
process.exit();
