import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { counted } from "../core/quantities.ts";
import { inputError } from "../core/api-error.ts";
import { defaultStateFolder } from "../core/state-folder.ts";
import { machineHashes } from "../farm/job/machine-hashes.ts";
import { type MetricsAddress, parseMetricsAddress } from "../farm/metrics/metrics-address.ts";
import { type JobQueue, LANES, type Lane } from "../farm/queue/job-queue.ts";
import { openQueue } from "../farm/queue/open-queue.ts";
import { QueueUnreachable } from "../farm/queue/reconnect.ts";
import type { MeasuredFiles } from "../farm/metrics/measured-files.ts";
import { openFileCache } from "../farm/store/file-cache.ts";
import type { FileStore } from "../farm/store/file-store.ts";
import { openStore } from "../farm/store/open-store.ts";
import type { AttemptTools } from "../farm/work/attempt.ts";
import { untilReached } from "../farm/work/lease.ts";
import { ownCommand, startStepRunner } from "../farm/work/step-runner.ts";
import { newWarmRunner } from "../farm/work/warm-runner.ts";
import { tidyFarm } from "../farm/work/tidy.ts";
import { startWorker } from "../farm/work/worker.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";
import { WORK_OPTIONS, parseSize, readWorkArguments, wholeNumber } from "./work-arguments.ts";

const USAGE = `Usage: printwright worker [options]

Takes jobs that printwright submit put into a queue, carries out their steps, and stores what they write. Any number of
workers share a queue, on one machine or on several. A worker that is killed loses no job: another one begins it again within
half a minute. Ctrl-C or SIGTERM: it takes no more jobs and ends once its own have ended; the second time it gives them back.

  --queue ADDRESS     the queue: a SQLite file for the workers of one machine, or postgres://USER@HOST/DATABASE (default: a
                      file of this user); a password only in PRINTWRIGHT_QUEUE, PRINTWRIGHT_QUEUE_FILE or PGPASSFILE
  --store FOLDER      where the files of jobs are: a folder, which may be on NFS, or s3://BUCKET/PREFIX with the keys of
                      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or of the file PRINTWRIGHT_S3_FILE (default: a folder of
                      this user)
  --lanes quote=N,plate=N
                      jobs at the same time (default: quote=1 and a plate for each core but one). Quotes share one process
                      that stays; each plate has a process of its own
  --work FOLDER       folder of running jobs and of the cache of files (default: a folder of this user)
  --cache SIZE        most bytes of that cache (default 20G)
  --allow-print       take jobs that reach printers
  --once              end once no job is ready
  --drain-timeout S   longest wait for running jobs at the first signal (default 120)
  --keep DAYS         delete ended jobs from the queue after these days (default 30), and files that no job names
  --metrics PORT      serve /metrics for Prometheus, /health/live and /health/ready on this port of this machine alone, or on
                      ADDRESS:PORT
  --threads N         worker threads of each plate (default: cores divided by plates)
  --max-memory SIZE   memory of all jobs together (default: 70 % of the machine's or of its container's limit)
  Printers, converters, machines and resins are passed on to the jobs: printwright run --help has their options.

It waits for a queue that is not reached, also at its start. Exit status: 0 it has drained, or no job is left; 2 the words are
wrong, or the queue or the store cannot be opened.`;

const OPTIONS = {
  queue: { type: "string" },
  store: { type: "string" },
  lanes: { type: "string" },
  work: { type: "string" },
  cache: { type: "string", default: "20G" },
  "allow-print": { type: "boolean", default: false },
  once: { type: "boolean", default: false },
  "drain-timeout": { type: "string", default: "120" },
  keep: { type: "string", default: "30" },
  metrics: { type: "string" },
  ...WORK_OPTIONS,
} as const;
type Values = ReturnType<typeof parseWords<typeof OPTIONS>>["values"];

const DAY_MS = 24 * 60 * 60 * 1000;
/** A day at most, and not at the same time as other workers. */
const tidyPauseMs = (): number => DAY_MS * (0.5 + Math.random() / 2);

/** `printwright worker`: carries out the jobs of a queue. */
export const workerCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, _open, _output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    if (positionals.length > 0) throw inputError(`a worker takes options alone, not "${positionals[0]}"`);
    const { maxMemoryBytes, threads } = readWorkArguments(values);
    const slots = readLanes(values.lanes);
    const keptDays = numberOf("keep", values.keep);
    const drainTimeoutMs = 1000 * numberOf("drain-timeout", values["drain-timeout"]);
    const metricsAddress = values.metrics === undefined ? undefined : parseMetricsAddress(values.metrics);
    const cacheBytes = parseSize(values.cache);
    if (cacheBytes === undefined) throw inputError(`--cache must be a size such as 900M or 20G, not "${values.cache}"`);
    const say = (line: string): void => console.error(`${new Date().toISOString()} ${line}`);
    const ending = new AbortController();
    let drain = (): void => ending.abort();
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => drain());
    const store = await openStore(values.store);
    const queue = await openAtLast(values.queue, ending.signal, say);
    if (!queue) return 0;
    const workFolder = resolve(values.work ?? join(defaultStateFolder(), "work"));
    const files = metricsAddress && (await measureFiles(store));
    const cache = await openFileCache(files?.store ?? store, join(workFolder, "cache"), cacheBytes, files?.countHit);
    const runners = startRunners(values, slots, maxMemoryBytes, threads);
    const machines = await machineHashes(values);
    const metrics =
      metricsAddress && (await startMetrics(metricsAddress, queue, slots, () => ending.signal.aborted, files));
    const worker = await startWorker({
      queue: metrics?.queue ?? queue,
      tools: {
        store: files?.store ?? store,
        cache,
        workFolder,
        allowsPrint: values["allow-print"],
        machines,
        run: runners.run,
      },
      slots,
      isOnce: values.once,
      drainTimeoutMs,
      say,
    });
    say(`takes ${LANES.map((lane) => counted(slots[lane], lane)).join(" and ")} at the same time`);
    let tidying = setTimeout(function tidy() {
      tidyFarm(queue, store, DAY_MS * keptDays).then(say, (error: Error) => say(`cannot tidy: ${error.message}`));
      tidying = setTimeout(tidy, tidyPauseMs());
    }, tidyPauseMs());
    drain = () => {
      ending.abort();
      worker.drain();
    };
    if (ending.signal.aborted) worker.drain();
    try {
      await worker.ended;
      return 0;
    } finally {
      clearTimeout(tidying);
      metrics?.close();
      runners.close();
      await queue.close();
    }
  },
};

/** Waits for a queue that is not reached, as while its server starts; undefined if the worker is to end before. */
function openAtLast(
  queue: string | undefined,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<JobQueue | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const opened = untilReached(() => openQueue({ queue }), {
    isPassing: (thrown) => thrown instanceof QueueUnreachable,
    onFailure: ({ message }) => say(`waits for the queue: ${message}`),
  });
  return Promise.race([opened, aborted]);
}

async function measureFiles(store: FileStore): Promise<MeasuredFiles> {
  const { measuredFiles } = await import("../farm/metrics/measured-files.ts");
  return measuredFiles(store);
}

async function startMetrics(
  address: MetricsAddress,
  queue: JobQueue,
  slots: Readonly<Record<Lane, number>>,
  isDraining: () => boolean,
  files: MeasuredFiles | undefined,
) {
  const { workerMetrics } = await import("../farm/metrics/worker-metrics.ts");
  return workerMetrics(address, queue, slots, isDraining, files);
}

function numberOf(option: string, text: string): number {
  const number = wholeNumber(text, 0, 100_000);
  if (number === undefined) throw inputError(`--${option} must be a whole number, not "${text}"`);
  return number;
}

const MAX_SLOTS = 256;

/** The slots of `--lanes`; lanes that it does not name have none. */
function readLanes(text: string | undefined): Record<Lane, number> {
  if (text === undefined) return { quote: 1, plate: Math.max(1, availableParallelism() - 1) };
  const slots: Record<Lane, number> = { quote: 0, plate: 0 };
  for (const part of text.split(",")) {
    const [, lane, count = ""] = /^(quote|plate)=(\d+)$/.exec(part) ?? [];
    const number = wholeNumber(count, 0, MAX_SLOTS);
    if (lane === undefined || number === undefined)
      throw inputError(`--lanes must be as quote=2,plate=1, up to ${MAX_SLOTS} of each, not "${text}"`);
    slots[lane as Lane] = number;
  }
  if (LANES.every((lane) => slots[lane] === 0)) throw inputError("--lanes has no slot: give quote=1 or plate=1");
  return slots;
}

const MIB = 2 ** 20;
/** Memory of the process of quotes for each slot, and once more for its kernels. */
const QUOTE_MIB = 512;
const MIN_MIB = 256;

/** The processes in which jobs run. */
function startRunners(values: Values, slots: Readonly<Record<Lane, number>>, maxMemoryBytes: number, threads?: number) {
  const command = ownCommand();
  const passedOn = optionsOfWork(values);
  const allMib = maxMemoryBytes / MIB;
  const quoteMib =
    slots.quote === 0 ? 0 : Math.min(allMib / (slots.plate === 0 ? 1 : 2), QUOTE_MIB * (slots.quote + 1));
  const start = (itsThreads: number, mib: number) =>
    startStepRunner(command, [
      ...passedOn,
      "--threads",
      String(itsThreads),
      "--max-memory",
      `${Math.floor(Math.max(MIN_MIB, mib))}M`,
    ]);
  const plateThreads = threads ?? Math.max(1, Math.floor(availableParallelism() / Math.max(1, slots.plate)));
  const plateMib = (allMib - quoteMib) / Math.max(1, slots.plate);
  const warm = newWarmRunner(() => start(slots.quote, quoteMib));
  const run: AttemptTools["run"] = async (job, list, signal, onProgress) => {
    // A quote that failed may have ended the process, with the quotes beside it: its next attempt has a process of its own.
    if (job.lane === "quote" && job.attempt === 1) {
      const { ending, results } = await warm.use((runner) => runner.perform(list, signal, onProgress));
      return { ending, results };
    }
    const runner = start(job.lane === "quote" ? 1 : plateThreads, job.lane === "quote" ? quoteMib : plateMib);
    try {
      return await runner.perform(list, signal, onProgress);
    } finally {
      runner.close();
    }
  };
  return { run, close: () => warm.close() };
}

/** The options that a worker has in common with `run`, but for its shares of the machine. */
function optionsOfWork(values: Values): string[] {
  const shares = new Set(["threads", "max-memory"]);
  const names = Object.keys(WORK_OPTIONS).filter((name) => !shares.has(name)) as (keyof typeof WORK_OPTIONS)[];
  return names.flatMap((name) => [values[name] ?? []].flat().flatMap((value) => [`--${name}`, value]));
}
