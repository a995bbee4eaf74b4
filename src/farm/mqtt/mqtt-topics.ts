import { VERSION } from "../../core/version.ts";
import { PRINTER_STATUSES, printerSubject } from "../shop/shop-state.ts";
import { type JobCount, JOB_STATES, LANES } from "../queue/job-queue.ts";

/** The topics of a shop. */
export const topicsOf = (shop: string) => ({
  /** "online" or "offline", retained. */
  state: `printwright/${shop}/state`,
  /** {@link QueueState}, retained. */
  queue: `printwright/${shop}/queue`,
  /** The events of a subject, such as `job/ID`. */
  event: (subject: string) => `printwright/${shop}/${subject}/event`,
  discovery: `homeassistant/device/pw_${shop}/config`,
  /** The state of a printer, retained. */
  printer: (id: string) => `printwright/${shop}/${printerSubject(id)}/state`,
  printerDevice: (id: string) => `homeassistant/device/${printerDeviceId(shop, id)}/config`,
});

/** Home Assistant takes letters, digits, - and _ alone. */
const printerDeviceId = (shop: string, id: string): string =>
  `pw_${shop}_${id.replaceAll(/[^A-Za-z0-9-]/gu, (one) => `_${one.codePointAt(0)?.toString(16)}`)}`;

/** Where Home Assistant says that it has begun: it then knows no devices but those that are retained. */
export const HOME_ASSISTANT_STATUS = "homeassistant/status";

/** The jobs of a queue by lane and state, and for how long the oldest ready one waits. */
type QueueState = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function queueState(counts: readonly JobCount[], now = Date.now()): QueueState {
  const ofLane = (lane: string) => {
    const found = (state: string) => counts.find((one) => one.lane === lane && one.state === state);
    const oldest = found("ready")?.oldest;
    return {
      ...Object.fromEntries(JOB_STATES.map((state) => [state, found(state)?.count ?? 0])),
      oldest_ready_seconds: oldest ? Math.max(0, Math.round((now - oldest.getTime()) / 1000)) : 0,
    };
  };
  return Object.fromEntries(LANES.map((lane) => [lane, ofLane(lane)]));
}

/** States that people watch; the others are ends, whose numbers only grow. */
const SHOWN = ["ready", "running", "failed", "dead"] as const;

/** The queue as a device of Home Assistant, with a sensor for each number: MQTT device discovery, since its version 2024.11. */
export function discoveryOf(shop: string): object {
  const topics = topicsOf(shop);
  const id = `pw_${shop}`;
  const sensor = (lane: string, key: string, more: object) => [
    `${lane}_${key}`,
    { p: "sensor", unique_id: `${id}_${lane}_${key}`, value_template: `{{ value_json.${lane}.${key} }}`, ...more },
  ];
  const sensors = LANES.flatMap((lane) => [
    ...SHOWN.map((state) => sensor(lane, state, { name: `${lane}s ${state}`, state_class: "measurement" })),
    sensor(lane, "oldest_ready_seconds", {
      name: `oldest waiting ${lane}`,
      device_class: "duration",
      unit_of_measurement: "s",
    }),
  ]);
  return {
    dev: { ids: [id], name: `Printwright ${shop}`, mf: "Printwright", mdl: "Queue of jobs", sw: VERSION },
    o: { name: "printwright", sw: VERSION },
    cmps: Object.fromEntries(sensors),
    state_topic: topics.queue,
    availability_topic: topics.state,
    qos: 1,
  };
}

/** A printer as a device of Home Assistant. */
export function printerDiscovery(shop: string, id: string, product: string): object {
  const topics = topicsOf(shop);
  const device = printerDeviceId(shop, id);
  const sensor = (name: string, value_template: string, more: object = {}) => ({
    p: "sensor",
    unique_id: `${device}_${name}`,
    name,
    value_template,
    ...more,
  });
  return {
    dev: { ids: [device], name: id, mdl: product, via_device: `pw_${shop}` },
    o: { name: "printwright", sw: VERSION },
    cmps: {
      status: sensor("status", "{{ value_json.status }}", { device_class: "enum", options: PRINTER_STATUSES }),
      job: sensor("job", "{{ value_json.job or 'none' }}"),
    },
    state_topic: topics.printer(id),
    availability_topic: topics.state,
    qos: 1,
  };
}
