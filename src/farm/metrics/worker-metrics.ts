import { type JobQueue, LANES, type Lane } from "../queue/job-queue.ts";
import { gauge } from "./metric-text.ts";
import type { MeasuredFiles } from "./measured-files.ts";
import { measuredQueue } from "./measured-queue.ts";
import { answerWithin, queueFamilies } from "./queue-families.ts";
import type { MetricsAddress } from "./metrics-address.ts";
import { serveMetrics } from "./serve-metrics.ts";

interface WorkerMetrics {
  /** The queue that the worker is to use. */
  readonly queue: JobQueue;
  readonly port: number;
  close(): void;
}

/** Serves the metrics and the health of a worker with these slots. */
export async function workerMetrics(
  address: MetricsAddress,
  queue: JobQueue,
  slots: Readonly<Record<Lane, number>>,
  isDraining: () => boolean,
  files?: MeasuredFiles,
): Promise<WorkerMetrics> {
  const measured = measuredQueue(queue);
  const { port, close } = await serveMetrics(address, {
    families: async () => [
      ...(await queueFamilies(queue)),
      ...measured.families(),
      ...(files?.families() ?? []),
      gauge(
        "printwright_worker_slots",
        "Jobs that this worker takes at the same time.",
        LANES.map((lane) => ({ labels: { lane }, value: slots[lane] })),
      ),
    ],
    async whyNotReady() {
      if (isDraining()) return "draining";
      return (await answerWithin(queue.list({ limit: 1 }))) ? undefined : "the queue does not answer";
    },
  });
  return { queue: measured.queue, port, close };
}
