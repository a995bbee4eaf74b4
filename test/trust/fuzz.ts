import { Agent } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { mib, peakBytes, residentBytes } from "../bench/measure.ts";
import { call } from "../fixture/client.ts";
import { inTime } from "../fixture/in-time.ts";
import { randomFrom } from "../fixture/random.ts";
import { openTestServer } from "../fixture/test-server.ts";
import { LONGEST_MS, SLOW_MS } from "./answer.ts";
import { MOST_FAULTS, newFaults } from "./faults.ts";
import { mutatedBodies } from "./fuzz/bodies.ts";
import { mutatedCad } from "./fuzz/cad.ts";
import type { Family, SendInput } from "./fuzz/family.ts";
import { mutatedModels } from "./fuzz/files.ts";
import { mutatedFraming } from "./fuzz/framing.ts";
import { mutatedProjects } from "./fuzz/projects.ts";
import { trialOptions } from "./options.ts";
import { Pinger, describePings } from "./ping.ts";

// `bun run test:fuzz [--minutes N] [--seed N] [family …]` sends mutated files, projects, bodies and HTTP to the compiled
// executable. Each input must be answered by the interface, never with a 5xx, in time and within --max-memory. Inputs that
// find a fault are stored; the exit status is 1 then.

const FAMILIES: readonly Family[] = [mutatedModels, mutatedProjects, mutatedBodies, mutatedFraming, mutatedCad];
const MAX_MEMORY_BYTES = 2 ** 31;
/** After this time idle threads have ended, and the system has their memory back. */
const REST_MS = 10_000;

const { minutes, seed, chosen } = trialOptions("test:fuzz", { minutes: 1 });
const families = FAMILIES.filter(({ name }) => chosen.length === 0 || chosen.includes(name));

/** Number of characters of a slow input that are shown. */
const MOST_SHOWN = 500;

/** Statuses by their hundreds; "no answer" if the connection was closed without one. */
const classOf = (status: number): string => (status === 0 ? "no answer" : `${Math.floor(status / 100)}xx`);

async function run(family: Family, runMs: number): Promise<Record<string, string | number>> {
  const server = await openTestServer(["--max-scenes", "1000", "--max-memory", `${MAX_MEMORY_BYTES / 2 ** 20}`]);
  const { printwright } = server;
  const pinger = new Pinger(printwright.port);
  const agent = new Agent({ keepAlive: true });
  const counts: Record<string, number> = {};
  const faults = newFaults(seed);
  let [inputs, slow, slowestMs] = [0, 0, 0];
  const ends = performance.now() + runMs;

  async function work(number: number): Promise<void> {
    const name = `${family.name}-${number}`;
    const random = randomFrom(seed * 10_007 + FAMILIES.indexOf(family) * 100 + number);
    let last: Uint8Array | string = "";
    const lane = {
      name,
      random,
      server,
      note: (input: Uint8Array | string) => void (last = input),
      call: (method: string, path: string, body?: unknown, raw?: string | Uint8Array) =>
        call(printwright.port, method, path, body, { agent, ...(raw !== undefined && { raw }) }),
    };
    const send: SendInput = await family.open(lane);
    for (let turn = 0; performance.now() < ends && faults.count() < MOST_FAULTS; turn++) {
      const began = performance.now();
      try {
        const status = await inTime(send(), LONGEST_MS);
        counts[classOf(status)] = (counts[classOf(status)] ?? 0) + 1;
      } catch (thrown) {
        faults.add(`${name} ${turn}`, thrown, last);
      }
      inputs++;
      const tookMs = performance.now() - began;
      if (tookMs > SLOW_MS) {
        slow++;
        console.log(`${Math.round(tookMs)} ms for input ${turn} in lane ${name}: ${String(last).slice(0, MOST_SHOWN)}`);
      }
      slowestMs = Math.max(slowestMs, tookMs);
    }
  }

  const restBefore = residentBytes(printwright.pid);
  await Promise.all(Array.from({ length: family.lanes }, (_, number) => work(number)));
  const pings = describePings(await pinger.times());
  await sleep(REST_MS);
  const [peak, rest] = [peakBytes(printwright.pid), residentBytes(printwright.pid)];
  const isTooLarge = peak > MAX_MEMORY_BYTES;
  if (isTooLarge) console.log(`FAULT: the peak of ${mib(peak)} is above --max-memory`);
  await pinger.stop();
  agent.destroy();
  await server.close();
  return {
    family: family.name,
    inputs,
    ...counts,
    faults: faults.count() + Number(isTooLarge),
    [`over ${SLOW_MS / 1000} s`]: slow,
    "slowest ms": Math.round(slowestMs),
    "peak MiB": Math.round(peak / 2 ** 20),
    "growth MiB": Math.round((rest - restBefore) / 2 ** 20),
    "ping p50 / longest (of an idle server) ms": pings,
  };
}

const shares = families.reduce((sum, { share }) => sum + share, 0);
const rows: Record<string, string | number>[] = [];
for (const family of families) rows.push(await run(family, (family.share / shares) * minutes * 60_000));
console.table(rows);
const sumOf = (column: string): number => rows.reduce((sum, row) => sum + Number(row[column]), 0);
const faults = sumOf("faults");
console.log(`${sumOf("inputs")} inputs, ${faults} faults, seed ${seed}`);
process.exitCode = faults > 0 ? 1 : 0;
