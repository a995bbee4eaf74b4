import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { peakBytes, quantile, residentBytes } from "../bench/measure.ts";
import { call } from "../fixture/client.ts";
import { startPrintwright } from "../fixture/printwright.ts";
import { randomFrom } from "../fixture/random.ts";
import { assertAnswered } from "./answer.ts";
import { trialOptions } from "./options.ts";
import { Pinger, describePings } from "./ping.ts";
import { SHOP_JOBS, type ShopJob } from "./shop-jobs.ts";

// `bun run test:soak [--minutes N] [--seed N] [job …]` gives the compiled executable the work of a shop: several customers at once
// do jobs in random order. Every job must have the same answers as the first time, with files equal byte by byte, and the memory at
// rest must not grow. At the end many customers come at once, and reads during their work must be answered at once. Otherwise the
// exit status is 1.

const CUSTOMERS = 3;
/** Number of customers of the last shift, each with one busy scene. */
const CROWD = 24;
const CROWD_MINUTES = 2;
/** Longest time of 99 of 100 reads of a kind during the work of many customers, beyond that of an idle server. */
const MOST_READ_MS = 20;
const PRINTER = "Shop printer";
/** After this time idle threads have ended, and the system has their memory back. */
const REST_MS = 10_000;
/** Time between the moments at which the shop rests and its memory is measured. */
const SHIFT_MINUTES = 10;
/** Largest growth of the memory at rest that counts as noise of the allocator. */
const MOST_GROWTH_BYTES = 48 * 2 ** 20;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

const { minutes, seed, chosen } = trialOptions("test:soak", { minutes: 1 });
const jobs = SHOP_JOBS.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
const folder = mkdtempSync(join(tmpdir(), "printwright-soak-"));
const jobFolder = join(folder, "jobs");
mkdirSync(jobFolder);
const server = await startPrintwright(["--virtual-printer", `FORM-4-0=${PRINTER}`, "--job-dir", jobFolder]);
const pinger = new Pinger(server.port);
const agent = new Agent({ keepAlive: true });
/** The answers to each job at its first run. */
const answersOf = new Map<string, string[]>();
const timesOf = new Map<string, number[]>(jobs.map(({ name }) => [name, []]));
let faults = 0;

/** Ids are replaced by the order of their first appearance. Folders, and names from the place of a scene, differ between customers. */
function comparable(texts: readonly string[], own: string): string[] {
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return ids.get(id)!;
  };
  return texts.map((text) =>
    text
      .replaceAll(own, "FOLDER")
      .replaceAll(/"Scene \d+"/g, "SCENE")
      .replaceAll(UUID, numbered),
  );
}

async function serve(customer: number, job: ShopJob): Promise<void> {
  const own = join(folder, `customer-${customer}`);
  mkdirSync(own, { recursive: true });
  const texts: string[] = [];
  const began = performance.now();
  try {
    await job.run({
      folder: own,
      printer: PRINTER,
      async ask(method, path, body) {
        const reply = await call(server.port, method, path, body, { agent });
        assertAnswered(reply);
        texts.push(`${path} ${reply.status} ${JSON.stringify(reply.body)}`);
        return reply.body;
      },
      note: (content) => texts.push(content),
    });
    const answers = comparable(texts, own);
    const first = answersOf.get(job.name);
    if (first) assert.deepEqual(answers, first);
    else answersOf.set(job.name, answers);
  } catch (thrown) {
    faults++;
    console.log(`FAULT in "${job.name}": ${(thrown as Error).message.slice(0, 2000)}`);
  }
  timesOf.get(job.name)!.push(performance.now() - began);
}

async function restBytes(): Promise<number> {
  await sleep(REST_MS);
  return residentBytes(server.pid);
}

async function shift(number: number, runMs: number, length = CUSTOMERS): Promise<void> {
  const ends = performance.now() + runMs;
  await together(length, async (customer) => {
    const random = randomFrom(seed * 10_007 + number * length + customer);
    while (performance.now() < ends) await serve(customer, jobs[Math.floor(random() * jobs.length)]);
  });
}

/** Does the work of this number of customers at the same time. */
const together = (count: number, work: (customer: number) => Promise<void>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, customer) => work(customer)));

/** Times of reads while many customers are served at once. */
async function crowd(): Promise<void> {
  const reader = new Pinger(server.port, { reads: true });
  await shift(resting.length, 60_000 * CROWD_MINUTES, CROWD);
  const { idle, reads } = await reader.times();
  await reader.stop();
  const idleMs = quantile(idle, 0.99);
  for (const [path, times] of Object.entries(reads)) {
    const ms = quantile(times, 0.99);
    if (ms - idleMs <= MOST_READ_MS) continue;
    faults++;
    console.log(`FAULT: 1 of 100 reads by ${path} takes ${Math.round(ms)} ms beside ${CROWD} busy scenes`);
  }
  const describe = ([read, times]: [string, readonly number[]]) => ({
    read,
    asked: times.length,
    ...Object.fromEntries([0.5, 0.99, 1].map((share) => [`p${100 * share} ms`, Math.round(quantile(times, share))])),
  });
  console.table([...Object.entries(reads), ["an idle server", idle] as [string, readonly number[]]].map(describe));
}

for (const job of jobs) await serve(0, job);
// Simultaneous jobs leave, once, up to 50 MiB more at rest than the same jobs alone, so the comparison begins after them.
await together(CUSTOMERS, async (customer) => {
  for (const job of jobs) await serve(customer, job);
});
const resting = [await restBytes()];
for (let left = minutes; left > 0; left -= SHIFT_MINUTES) {
  await shift(resting.length, 60_000 * Math.min(left, SHIFT_MINUTES));
  resting.push(await restBytes());
  console.log(`${Math.round(resting[resting.length - 1] / 2 ** 20)} MiB at rest after shift ${resting.length - 1}`);
}
const growth = resting[resting.length - 1] - resting[0];
if (growth > MOST_GROWTH_BYTES) {
  faults++;
  console.log(`FAULT: the memory at rest grew from ${resting[0]} to ${resting[resting.length - 1]} bytes`);
}
await crowd();
const done = [...timesOf.values()].reduce((sum, times) => sum + times.length, 0);
console.table(
  jobs.map(({ name }) => {
    const times = timesOf.get(name)!;
    return { job: name, done: times.length, "slowest ms": Math.round(Math.max(...times)) };
  }),
);
console.table([
  {
    "peak MiB": Math.round(peakBytes(server.pid) / 2 ** 20),
    "at rest MiB": resting.map((bytes) => Math.round(bytes / 2 ** 20)).join(", "),
    "ping p50 / longest (of an idle server) ms": describePings(await pinger.times()),
  },
]);
await pinger.stop();
agent.destroy();
await server.stop();
rmSync(folder, { recursive: true });
console.log(`${done} jobs, ${faults} faults, seed ${seed}`);
process.exitCode = faults > 0 ? 1 : 0;
