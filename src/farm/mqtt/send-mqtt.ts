import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { IClientOptions, MqttClient } from "mqtt";
import { trustedCertificates } from "../../core/trusted-certificates.ts";
import { toCloudEvent } from "../events/cloud-event.ts";
import type { EventLog } from "../events/event-log.ts";
import type { EventCounts } from "../metrics/events-metrics.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { MqttConfig } from "./mqtt-config.ts";
import { PublishedPrinters } from "./published-printers.ts";
import { HOME_ASSISTANT_STATUS, discoveryOf, queueState, topicsOf } from "./mqtt-topics.ts";

const KEEPALIVE_S = 30;
const RECONNECT_MS = 5000;
/** The shortest pause between two states of the queue, and the longest. */
const QUEUE_PAUSE_MS = 5000;
const QUEUE_EVERY_MS = 60_000;
const BATCH = 50;
const HOUR_MS = 60 * 60 * 1000;

/** The version of the protocol in CONNECT: 5, and 3.1.1 for brokers that do not know it. */
const MQTT_5 = 5;
const MQTT_3_1_1 = 4;
/** Return codes of CONNACK for a version that the broker does not know: of MQTT 3.1.1, and of 5. */
const UNKNOWN_VERSION: ReadonlySet<unknown> = new Set([1, 132]);

interface MqttOptions {
  /** Told once when the broker is not reached, and when it is again. */
  readonly report: (text: string) => void;
  readonly counts?: Pick<EventCounts, "published"> | undefined;
  readonly queuePauseMs?: number;
  readonly reconnectMs?: number;
}

/**
 * Publishes the events of a log, the state of its queue and those of printers until `signal` is aborted. The broker gets each event at least once (QoS 1), in their order; the position is stored once it has
 * confirmed them. Resolves when the position is stored.
 */
export async function sendMqtt(
  log: EventLog,
  queue: JobQueue,
  config: MqttConfig,
  signal: AbortSignal,
  { report, counts, queuePauseMs = QUEUE_PAUSE_MS, reconnectMs = RECONNECT_MS }: MqttOptions,
): Promise<void> {
  const name = `mqtt/${config.shop}`;
  const begun = await begin(log, name);
  let { position } = begun;
  const printers = new PublishedPrinters(config, begun.printers ?? []);
  const client = await connectTo(config, printers, signal, report, reconnectMs);
  if (!client) return;
  const topics = topicsOf(config.shop);
  const ended = once(signal, "abort").then(() => undefined);
  const publishQueue = async (): Promise<void> => {
    let last = "";
    let at = 0;
    while (!signal.aborted) {
      const state = queueState(await queue.count());
      const key = JSON.stringify(state).replaceAll(/"oldest_ready_seconds":\d+/g, "");
      if (client.connected && (key !== last || Date.now() - at >= QUEUE_EVERY_MS)) {
        [last, at] = [key, Date.now()];
        client.publish(topics.queue, JSON.stringify(state), { qos: 0, retain: true });
      }
      await sleep(queuePauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const publishEvents = async (): Promise<void> => {
    const changed = log.watch();
    let isNew = true;
    while (!signal.aborted) {
      const events = await log.read(position, BATCH);
      const wanted = events.filter(({ type }) => config.wants(type)).map(toCloudEvent);
      const sent: Promise<unknown>[] = wanted.map((event) =>
        client.publishAsync(topics.event(event.subject), JSON.stringify(event), { qos: 1 }),
      );
      if (isNew || events.some(({ type }) => type.startsWith("printer."))) sent.push(printers.update(log, client));
      // An unconfirmed message is sent again by the client after it has connected again.
      if ((await Promise.race([Promise.all(sent), ended])) === undefined && sent.length > 0) break;
      counts?.published(wanted.length);
      position = events.at(-1)?.sequence ?? position;
      if (events.length > 0 || isNew) await log.save(name, { position, printers: printers.ids } satisfies Stored);
      isNew = false;
      if (events.length === 0) await changed(HOUR_MS, signal);
    }
  };
  try {
    await Promise.all([publishQueue(), publishEvents()]);
  } finally {
    if (client.connected)
      await client.publishAsync(topics.state, "offline", { qos: 1, retain: true }).catch(() => undefined);
    // Without its farewell the broker would publish the will.
    await client.endAsync(!client.connected);
  }
}

/** How far the broker is, as it is stored. */
interface Stored {
  readonly position: number;
  /** The printers whose states it has. */
  readonly printers?: readonly string[];
}

/** Where the events begin: after those that the broker had, or with the ones from now on. */
async function begin(log: EventLog, name: string): Promise<Stored> {
  const { removed, last } = await log.range();
  const stored = (await log.load(name)) as Stored | undefined;
  if (stored) return stored.position < removed || stored.position > last ? { ...stored, position: removed } : stored;
  await log.save(name, { position: last } satisfies Stored);
  return { position: last };
}

/** Connects with the newest version that the broker knows, and stays connected. Undefined where `signal` was aborted before. */
async function connectTo(
  config: MqttConfig,
  printers: PublishedPrinters,
  signal: AbortSignal,
  report: (text: string) => void,
  reconnectMs: number,
): Promise<MqttClient | undefined> {
  const { default: mqtt } = await import("mqtt");
  const { host, port, protocol, shop, username, password, ca } = config;
  const topics = topicsOf(shop);
  const options: IClientOptions = {
    // Not as a URL: the library parses it with a function that is deprecated.
    host,
    port,
    protocol,
    clientId: `printwright_${shop}_${process.pid}`,
    clean: true,
    keepalive: KEEPALIVE_S,
    reconnectPeriod: reconnectMs,
    will: { topic: topics.state, payload: Buffer.from("offline"), qos: 1, retain: true },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(protocol === "mqtts" && { ca: [...trustedCertificates(), ...(ca === undefined ? [] : [ca])] }),
  };
  for (const protocolVersion of [MQTT_5, MQTT_3_1_1] as const) {
    const client = mqtt.connect({ ...options, protocolVersion });
    watchClient(client, config, printers, report);
    const ended = once(signal, "abort").then(() => "ended" as const);
    const connected = new Promise<"connected" | "unknown version">((resolve) => {
      client.once("connect", () => resolve("connected"));
      client.on("error", (error) => {
        if (UNKNOWN_VERSION.has((error as { readonly code?: unknown }).code)) resolve("unknown version");
      });
    });
    const result = signal.aborted ? "ended" : await Promise.race([connected, ended]);
    if (result === "connected") return client;
    await client.endAsync(true);
    if (result === "ended") return undefined;
  }
  throw new Error(`${host} knows neither MQTT 5 nor MQTT 3.1.1`);
}

function watchClient(
  client: MqttClient,
  { host, shop, isInHomeAssistant }: MqttConfig,
  printers: PublishedPrinters,
  report: (text: string) => void,
): void {
  const topics = topicsOf(shop);
  let isAway = false;
  const introduce = (): void => {
    if (isInHomeAssistant)
      client.publish(topics.discovery, JSON.stringify(discoveryOf(shop)), { qos: 1, retain: true });
    printers.again(client);
  };
  client.on("connect", () => {
    if (isAway) report(`the broker ${host} is reached again`);
    isAway = false;
    introduce();
    client.publish(topics.state, "online", { qos: 1, retain: true });
    if (isInHomeAssistant) client.subscribe(HOME_ASSISTANT_STATUS, { qos: 0 });
  });
  client.on("message", (topic, payload) => {
    if (topic === HOME_ASSISTANT_STATUS && payload.toString() === "online") introduce();
  });
  const onAway = (why: string): void => {
    if (!isAway) report(`the broker ${host} is not reached: ${why}`);
    isAway = true;
  };
  client.on("error", (error) => onAway(error.message));
  client.on("offline", () => onAway("the connection ended"));
}
