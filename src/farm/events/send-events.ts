import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../core/api-error.ts";
import { sendWebhooks } from "../webhooks/send-webhooks.ts";
import type { Claim, EventLog } from "./event-log.ts";
import type { EventsConfig } from "./events-config.ts";
import { keepTidy } from "./keep-tidy.ts";

/** How often a process looks whether the sender has ended that it waits for. */
const WAIT_MS = 2000;

/**
 * Sends the events of a log where the configuration says, until `signal` is aborted. Of several processes with one queue one sends; the others wait, and one of them goes on
 * when it has ended. Throws OPERATION_FAILED where the queue does not answer.
 */
export async function sendEvents(
  log: EventLog,
  config: EventsConfig,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<void> {
  const stopTidying = keepTidy(log);
  try {
    while (!signal.aborted) {
      const claim = await claimWhenFree(log, signal, report);
      if (!claim) return;
      await sendWhileClaimed(log, config, AbortSignal.any([signal, claim.lost]), report).finally(claim.release);
    }
  } finally {
    stopTidying();
  }
}

async function sendWhileClaimed(
  log: EventLog,
  { webhooks }: EventsConfig,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  // An endpoint that is gone ends alone; an error ends all.
  const senders = webhooks.map((endpoint) =>
    sendWebhooks(log, endpoint, either, { report }).catch((thrown: unknown) => {
      failed.abort();
      throw thrown;
    }),
  );
  const ended = either.aborted ? undefined : once(either, "abort");
  for (const result of await Promise.allSettled([...senders, ended])) {
    if (result.status === "rejected") throw result.reason;
  }
}

/** Undefined where `signal` was aborted before. */
async function claimWhenFree(
  log: EventLog,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<Claim | undefined> {
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    try {
      return await log.claim("sender");
    } catch (thrown) {
      if (isFirst) report(`${(thrown as ApiError).message} Waiting.`);
      await sleep(WAIT_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}
