import { once } from "node:events";
import type { EventCounts } from "../metrics/events-metrics.ts";
import type { MqttConfig } from "../mqtt/mqtt-config.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import { sendWebhooks } from "../webhooks/send-webhooks.ts";
import { claimWhenFree } from "./claim-when-free.ts";
import type { EventLog } from "./event-log.ts";
import type { EventsConfig } from "./events-config.ts";
import { keepTidy } from "./keep-tidy.ts";

interface SendingOptions {
  readonly report: (text: string) => void;
  readonly counts?: EventCounts | undefined;
}

/** A queue with its events. */
interface Farm {
  readonly log: EventLog;
  /** Opens the queue, for those who are told of its state. */
  readonly queue: () => Promise<JobQueue>;
}

/**
 * Sends the events of a log where the configuration says, until `signal` is aborted. Of several processes with one queue one sends; the others wait, and one of them goes on
 * when it has ended. Throws OPERATION_FAILED where the queue does not answer.
 */
export async function sendEvents(
  { log, queue }: Farm,
  config: EventsConfig,
  signal: AbortSignal,
  options: SendingOptions,
): Promise<void> {
  const stopTidying = keepTidy(log);
  try {
    while (!signal.aborted) {
      const claim = await claimWhenFree(log, "sender", signal, options.report);
      if (!claim) return;
      await sendWhileClaimed({ log, queue }, config, AbortSignal.any([signal, claim.lost]), options).finally(
        claim.release,
      );
    }
  } finally {
    stopTidying();
  }
}

async function sendWhileClaimed(
  { log, queue }: Farm,
  { webhooks, mqtt }: EventsConfig,
  signal: AbortSignal,
  options: SendingOptions,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // An endpoint that is gone ends alone; an error ends all.
  const senders = [
    ...webhooks.map((endpoint) => sendWebhooks(log, endpoint, either, options)),
    ...(mqtt ? [publish({ log, queue }, mqtt, either, options)] : []),
  ].map((sender) =>
    sender.catch((thrown: unknown) => {
      failed.abort();
      throw thrown;
    }),
  );
  const ended = either.aborted ? undefined : once(either, "abort");
  for (const result of await Promise.allSettled([...senders, ended])) {
    if (result.status === "rejected") throw result.reason;
  }
}

async function publish(
  { log, queue }: Farm,
  mqtt: MqttConfig,
  signal: AbortSignal,
  options: SendingOptions,
): Promise<void> {
  const { sendMqtt } = await import("../mqtt/send-mqtt.ts");
  const opened = await queue();
  await sendMqtt(log, opened, mqtt, signal, options).finally(() => opened.close());
}
