import type { MqttClient } from "mqtt";
import type { EventLog } from "../events/event-log.ts";
import { type PrinterState, SHOPS, type ShopState } from "../shop/shop-state.ts";
import type { MqttConfig } from "./mqtt-config.ts";
import { printerDiscovery, topicsOf } from "./mqtt-topics.ts";

const RETAINED = { qos: 1, retain: true } as const;

/** The printers that servers tell of, as retained messages at a broker: the state of each, and its device for Home Assistant. */
export class PublishedPrinters {
  readonly #config: MqttConfig;
  /** By the ids of the printers; undefined: it was published before, and the present state is not known yet. */
  readonly #states: Map<string, PrinterState | undefined>;

  /** `ids`: those of the printers that the broker has from an earlier sender. */
  constructor(config: MqttConfig, ids: readonly string[]) {
    this.#config = config;
    this.#states = new Map(ids.map((id) => [id, undefined]));
  }

  get ids(): string[] {
    return [...this.#states.keys()];
  }

  /** Publishes what has changed, and removes printers that no server knows any more. Resolves when the broker has confirmed it. */
  async update(log: EventLog, client: MqttClient): Promise<void> {
    const now = await printersOf(log);
    const sent: Promise<unknown>[] = [];
    for (const [id, state] of now) {
      const old = this.#states.get(id);
      this.#states.set(id, state);
      if (old?.product !== state.product) sent.push(...this.#introduce(id, state, client));
      if (old?.since !== state.since) sent.push(this.#tell(id, state, client));
    }
    const { shop } = this.#config;
    for (const id of this.ids.filter((one) => !now.has(one))) {
      this.#states.delete(id);
      for (const topic of [topicsOf(shop).printer(id), topicsOf(shop).printerDevice(id)])
        sent.push(client.publishAsync(topic, "", RETAINED));
    }
    await Promise.all(sent);
  }

  /** Publishes all again, for a broker or a Home Assistant that has begun. */
  again(client: MqttClient): void {
    for (const [id, state] of this.#states) {
      if (!state) continue;
      // The client sends unconfirmed messages again; it rejects them where it ends.
      for (const sending of [...this.#introduce(id, state, client), this.#tell(id, state, client)])
        sending.catch(() => undefined);
    }
  }

  #introduce(id: string, { product }: PrinterState, client: MqttClient): Promise<unknown>[] {
    const { shop, isInHomeAssistant } = this.#config;
    if (!isInHomeAssistant) return [];
    const text = JSON.stringify(printerDiscovery(shop, id, product));
    return [client.publishAsync(topicsOf(shop).printerDevice(id), text, RETAINED)];
  }

  #tell(id: string, { status, job, since }: PrinterState, client: MqttClient): Promise<unknown> {
    return client.publishAsync(
      topicsOf(this.#config.shop).printer(id),
      JSON.stringify({ status, job, since }),
      RETAINED,
    );
  }
}

/** The printers of all servers by their ids. Of a printer that several servers know, the state counts of one that reaches it, or the newest. */
async function printersOf(log: EventLog): Promise<ReadonlyMap<string, PrinterState>> {
  const shops = [...(await log.loadAll(SHOPS)).values()] as ShopState[];
  const all = shops.flatMap(({ printers }) => Object.entries(printers));
  const rank = ({ status, since }: PrinterState): string => `${status === "offline" ? 0 : 1} ${since}`;
  return new Map(all.sort(([, a], [, b]) => (rank(a) < rank(b) ? -1 : 1)));
}
