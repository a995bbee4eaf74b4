import { setTimeout as sleep } from "node:timers/promises";
import { JOB_STATES, type JobCount, type JobQueue, LANES } from "../queue/job-queue.ts";
import { type MetricFamily, gauge } from "./metric-text.ts";

/** A queue that does not answer for so long is not ready for work. */
const PATIENCE_MS = 10_000;

/** What a call of a queue gives; undefined where it fails, or takes too long. */
export async function answerWithin<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const timeout = sleep(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined);
  const value = await Promise.race([answer.catch(() => undefined), timeout]);
  late.abort();
  return value;
}

/** The state of a queue, of which every worker tells the same; `printwright_queue_up` alone where it does not answer. */
export async function queueFamilies(queue: JobQueue): Promise<MetricFamily[]> {
  const counts = await answerWithin(queue.count());
  const up = gauge("printwright_queue_up", "Whether the queue answers.", counts ? 1 : 0);
  if (!counts) return [up];
  const found = (lane: string, state: string): JobCount | undefined =>
    counts.find((one) => one.lane === lane && one.state === state);
  const ageS = (lane: string): number => {
    const oldest = found(lane, "ready")?.oldest;
    return oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0;
  };
  return [
    up,
    gauge(
      "printwright_jobs",
      "Jobs in the queue.",
      LANES.flatMap((lane) =>
        JOB_STATES.map((state) => ({ labels: { lane, state }, value: found(lane, state)?.count ?? 0 })),
      ),
    ),
    gauge(
      "printwright_oldest_ready_seconds",
      "Time since the oldest job that waits was submitted; 0 if none waits.",
      LANES.map((lane) => ({ labels: { lane }, value: ageS(lane) })),
    ),
  ];
}
