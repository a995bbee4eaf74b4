import { Buffer } from "node:buffer";
import { toCloudEvent } from "./cloud-event.ts";
import type { EventLog, StoredEvent } from "./event-log.ts";

/** What clients wait before they connect again. */
const RETRY_MS = 3000;
/** Interval of comments, by which clients and proxies notice a dead connection. */
const HEARTBEAT_MS = 15_000;
const BATCH = 100;

interface StreamOptions {
  /** The stream begins after the event with this number; undefined: with the next new event. */
  readonly since: number | undefined;
  readonly wants: (type: string) => boolean;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/**
 * The events of a log as server-sent events (HTML standard, section 9.2). It reads the log only as fast as the client takes the events, so a slow client needs no memory, and one that
 * comes back misses nothing. Where events after `since` were removed, or the log is another one, an event `reset` says so, and all that is kept follows.
 */
export function eventStream(log: EventLog, options: StreamOptions): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const texts = textsOf(log, options, AbortSignal.any([options.signal, ended.signal]));
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(Buffer.from(value));
      },
      cancel: () => ended.abort(),
    },
    { highWaterMark: 0 },
  );
}

async function* textsOf(log: EventLog, { since, wants }: StreamOptions, signal: AbortSignal): AsyncGenerator<string> {
  const changed = log.watch();
  const { removed, last } = await log.range();
  const begin = since ?? last;
  const isGone = begin < removed || begin > last;
  let position = isGone ? removed : begin;
  let told = position;
  yield `retry: ${RETRY_MS}\nid: ${position}\n\n`;
  if (isGone) yield `event: reset\nid: ${position}\ndata: ${JSON.stringify({ first: String(removed + 1) })}\n\n`;
  while (!signal.aborted) {
    const events = await log.read(position, BATCH);
    position = events.at(-1)?.sequence ?? position;
    const wanted = events.filter(({ type }) => wants(type));
    if (wanted.length > 0) {
      told = position;
      yield wanted.map(textOf).join("");
    } else if (events.length === 0 && !(await hasNews(changed, signal)) && !signal.aborted) {
      // A client that wants rare events must not come back with the number of one that was removed long ago.
      yield position === told ? ":\n\n" : `:\nid: ${position}\n\n`;
      told = position;
    }
  }
}

async function hasNews(changed: ReturnType<EventLog["watch"]>, signal: AbortSignal): Promise<boolean> {
  const begin = performance.now();
  await changed(HEARTBEAT_MS, signal);
  return performance.now() - begin < HEARTBEAT_MS;
}

function textOf(event: StoredEvent): string {
  const sent = toCloudEvent(event);
  return `id: ${sent.sequence}\nevent: ${sent.type}\ndata: ${JSON.stringify(sent)}\n\n`;
}
