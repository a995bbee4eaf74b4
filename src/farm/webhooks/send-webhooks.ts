import { setTimeout as sleep } from "node:timers/promises";
import { toCloudEvent } from "../events/cloud-event.ts";
import type { EventLog } from "../events/event-log.ts";
import type { EventCounts, WebhookOutcome } from "../metrics/events-metrics.ts";
import { type WebhookAnswer, postWebhook } from "./post-webhook.ts";
import { signedHeaders } from "./sign-webhook.ts";
import { type Pending, WebhookBacklog, type WebhookEndpoint } from "./webhook-backlog.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** The pauses after failed tries: the schedule that Standard Webhooks 1.0.0 suggests ("Retries"). After the last one the event is given up. */
const RETRY_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const JITTER = 0.1;
/** Requests at the same time, of different subjects. */
const MAX_AT_ONCE = 8;
/** Events that wait for another try. A receiver that refuses more gets no new events meanwhile. */
const MAX_PENDING = 1000;
const BATCH = 50;
const GONE = 410;

export interface SendOptions {
  readonly retryMs?: readonly number[];
  /** Told once when an endpoint begins to fail, when it takes events again, and when events are given up. */
  readonly report: (text: string) => void;
  readonly counts?: Pick<EventCounts, "webhook"> | undefined;
}

/**
 * Sends the events of a log to an endpoint until `signal` is aborted, each at least once, and those of a subject in their order: the next one is sent when the receiver has
 * confirmed the one before. A subject whose event is refused does not hold up others. Resolves when the requests that run have ended and the position is stored.
 */
export async function sendWebhooks(
  log: EventLog,
  endpoint: WebhookEndpoint,
  signal: AbortSignal,
  { retryMs = RETRY_MS, report, counts }: SendOptions,
): Promise<void> {
  const backlog = await WebhookBacklog.open(log, endpoint.name);
  const running = new Map<string, Promise<void>>();
  const changed = log.watch();
  let news: Promise<void> | undefined;
  let isFailing = false;

  const deliver = async (head: Pending): Promise<void> => {
    const answer = await tryOnce(log, endpoint, head);
    const count = (outcome: WebhookOutcome): void => counts?.webhook(endpoint.name, outcome);
    if (answer === "removed" || isSuccess(answer)) {
      if (isFailing && answer !== "removed") report(`${endpoint.name} takes events again`);
      isFailing &&= answer === "removed";
      if (answer !== "removed") count("sent");
      backlog.settle(head);
    } else if (backlog.isGone(endpoint.url)) {
      return;
    } else if (answer.status === GONE) {
      report(`${endpoint.name} answers 410: nothing is sent to ${endpoint.url.host} any more`);
      count("gone");
      backlog.markGone(endpoint.url);
      await log.append([eventOf(endpoint, "gone", head)]);
    } else {
      const pause = retryMs[head.attempt];
      count("failed");
      if (!isFailing) report(`${endpoint.name} does not take events: ${reasonOf(answer)}`);
      isFailing = true;
      if (pause === undefined) {
        report(`${endpoint.name}: event ${head.sequence} of ${head.subject} is given up`);
        count("dead");
        await log.append([eventOf(endpoint, "dead", head)]);
        backlog.settle(head);
      } else {
        const jittered = pause * (1 - JITTER + 2 * JITTER * Math.random());
        backlog.postpone(head, Date.now() + Math.max(jittered, answer.retryAfterMs));
      }
    }
    await backlog.save();
  };

  while (!signal.aborted && !backlog.isGone(endpoint.url)) {
    const now = Date.now();
    const idle = backlog.heads().filter(({ subject }) => !running.has(subject));
    const due = idle.filter(({ notBefore }) => notBefore <= now);
    for (const head of due.slice(0, MAX_AT_ONCE - running.size)) {
      const done = deliver(head).finally(() => running.delete(head.subject));
      running.set(head.subject, done);
      // The race below throws it as well.
      done.catch(() => undefined);
    }
    if (due.length < MAX_AT_ONCE && backlog.size < MAX_PENDING) {
      const events = await log.read(backlog.position, BATCH);
      backlog.takeUp(events, ({ type, subject }) => endpoint.wants(type) && subject !== `webhook/${endpoint.name}`);
      if (events.length > 0) {
        await backlog.save();
        continue;
      }
    }
    news ??= changed(HOUR, signal).finally(() => (news = undefined));
    const next = Math.min(HOUR, ...idle.filter(({ notBefore }) => notBefore > now).map((one) => one.notBefore - now));
    const timer = new AbortController();
    await Promise.race([news, ...running.values(), sleep(next, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
  await Promise.all(running.values());
  await backlog.save();
}

const isSuccess = ({ status }: WebhookAnswer): boolean => status >= 200 && status < 300;

/** Sends an event. "removed": it is not kept any more. A request that fails has the status 0. */
async function tryOnce(log: EventLog, endpoint: WebhookEndpoint, head: Pending): Promise<WebhookAnswer | "removed"> {
  const event = head.event ?? (await log.read(head.sequence - 1, 1))[0];
  if (event?.sequence !== head.sequence) return "removed";
  const sent = toCloudEvent(event);
  const body = JSON.stringify(sent);
  const headers = {
    "Content-Type": "application/cloudevents+json",
    "User-Agent": "Printwright",
    ...signedHeaders(sent.id, body, endpoint.secrets),
  };
  try {
    return await postWebhook({ ...endpoint, headers, body });
  } catch (thrown) {
    return { status: 0, retryAfterMs: 0, text: (thrown as Error).message };
  }
}

const reasonOf = ({ status, text }: WebhookAnswer): string =>
  status === 0 ? text : `status ${status}${text === "" ? "" : `, ${JSON.stringify(text)}`}`;

const eventOf = ({ name }: WebhookEndpoint, what: "gone" | "dead", { sequence, subject }: Pending) => ({
  type: `webhook.${what}`,
  subject: `webhook/${name}`,
  data: { sequence: String(sequence), subject },
});
