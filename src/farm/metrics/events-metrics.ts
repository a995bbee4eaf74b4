import type { JobQueue } from "../queue/job-queue.ts";
import { Counter, type MetricFamily } from "./metric-text.ts";
import type { MetricsAddress } from "./metrics-address.ts";
import { answerWithin, queueFamilies } from "./queue-families.ts";
import { serveMetrics } from "./serve-metrics.ts";

/** How a try to send a webhook ended. `dead`: its event was given up after all tries. `gone`: the receiver wants none any more. */
export type WebhookOutcome = "sent" | "failed" | "dead" | "gone";

/** Counts what is sent. */
export interface EventCounts {
  webhook(name: string, outcome: WebhookOutcome): void;
  published(count: number): void;
  families(): MetricFamily[];
}

/** `webhooks`: the names of all of them. */
export function newEventCounts(webhooks: readonly string[]): EventCounts {
  const requests = new Counter();
  const published = new Counter();
  // A counter that was never added to is 0, and not absent.
  for (const webhook of webhooks)
    for (const outcome of ["sent", "failed", "dead"]) requests.add({ webhook, outcome }, 0);
  published.add({}, 0);
  return {
    webhook: (webhook, outcome) => requests.add({ webhook, outcome }),
    published: (count) => published.add({}, count),
    families: () => [
      requests.family("printwright_webhooks_total", "Tries to send events to webhooks, by how they ended."),
      published.family("printwright_mqtt_published_total", "Events that the MQTT broker has confirmed."),
    ],
  };
}

/** Serves the metrics and the health of a sender of events. */
export function eventsMetrics(address: MetricsAddress, queue: JobQueue, counts: EventCounts) {
  return serveMetrics(address, {
    families: async () => [...(await queueFamilies(queue)), ...counts.families()],
    whyNotReady: async () => ((await answerWithin(queue.list({ limit: 1 }))) ? undefined : "the queue does not answer"),
  });
}
