import process from "node:process";
import { CHANNELS, type ChannelKind } from "../fixture/event-channels.ts";
import { runEventTrial } from "../fixture/event-trial.ts";
import { HAS_POSTGRES } from "../fixture/postgres.ts";
import { trialOptions } from "./options.ts";

// `bun run test:events [--changes N] [--kills N] [--seed N] [sqlite] [postgres] [sse] [webhook] [mqtt]` changes jobs of a queue at random while their events are
// sent, receivers fail at random, and the process that sends them is killed (SIGKILL). No receiver may miss an event, or hear those of a job in another order;
// and while nothing fails, 99 of 100 events must be heard within a second; otherwise the exit status is 1. PostgreSQL is left out where it is not installed.

const QUIET_JOBS = 300;
const MAX_P99_MS = 1000;

const { changes, kills, seed, chosen } = trialOptions("test:events", { changes: 10_000, kills: 10 });
const chosenOf = <Name extends string>(names: readonly Name[]): readonly Name[] => {
  const found = names.filter((name) => chosen.includes(name));
  return found.length === 0 ? names : found;
};
const channels = chosenOf(Object.keys(CHANNELS) as ChannelKind[]);
for (const kind of chosenOf(["sqlite", "postgres"] as const)) {
  if (kind === "postgres" && !HAS_POSTGRES) {
    console.log("postgres: not installed, left out");
    continue;
  }
  for (const channel of channels) {
    const figures = await runEventTrial({ kind, channel, changes, kills, quietJobs: QUIET_JOBS, seed });
    const { latency, failures, repeated, rough } = figures;
    console.log(`${kind}, ${channel}: heard after p50 ${latency.p50}, p99 ${latency.p99}, max ${latency.max} ms;`);
    console.log(
      `  ${changes} changes, ${kills} kills, ${failures} failures of receivers: none lost, none out of order, ${repeated} repeated, in ${(rough / 1000).toFixed(1)} s`,
    );
    if (latency.p99 > MAX_P99_MS) process.exitCode = 1;
  }
}
process.exit();
