import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import { inputError } from "../../src/core/api-error.ts";
import type { EventLog } from "../../src/farm/events/event-log.ts";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { newEventCounts } from "../../src/farm/metrics/events-metrics.ts";
import { type MqttConfig, mqttConfig } from "../../src/farm/mqtt/mqtt-config.ts";
import { discoveryOf } from "../../src/farm/mqtt/mqtt-topics.ts";
import { sendMqtt } from "../../src/farm/mqtt/send-mqtt.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { type MqttBroker, startBroker } from "../fixture/mqtt-broker.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";

const write = temporaryFiles();
let queues = 0;

const configOf = (port: number, more: Partial<MqttConfig> = {}): MqttConfig => ({
  host: "127.0.0.1",
  port,
  protocol: "mqtt",
  shop: "shop",
  wants: (type) => type.startsWith("job."),
  isInHomeAssistant: true,
  ...more,
});

/** A sender that runs, with its queue. */
async function startSender(broker: MqttBroker, more: Partial<MqttConfig> = {}, path = write(`${queues++}.sqlite`, "")) {
  const [log, queue] = await Promise.all([openSqliteEventLog(path), openSqliteQueue(path)]);
  const stop = new AbortController();
  const reported: string[] = [];
  const counts = newEventCounts([]);
  const report = (text: string): void => void reported.push(text);
  const options = { report, counts, queuePauseMs: 20, reconnectMs: 20 };
  const sending = sendMqtt(log, queue, configOf(broker.port, more), stop.signal, options);
  await until("it is online", () => broker.published.some(({ text }) => text === "online"));
  return {
    log,
    queue,
    path,
    reported,
    published: () =>
      counts.families().find(({ name }) => name === "printwright_mqtt_published_total")?.samples[0]?.value,
    async stop() {
      stop.abort();
      await sending;
      await Promise.all([log.close(), queue.close()]);
    },
  };
}

const job = (n: number) => ({ type: "job.done", subject: "job/a", data: { n } });
const eventsOf = ({ published }: MqttBroker): any[] =>
  published.filter(({ topic }) => topic === "printwright/shop/job/a/event").map(({ text }) => JSON.parse(text));
const ofTopic = ({ published }: MqttBroker, topic: string) => published.filter((one) => one.topic === topic);

test("events, the state of the shop and that of the queue are published, and the device of Home Assistant", async () => {
  const broker = await startBroker();
  const sender = await startSender(broker);
  await sender.log.append([job(0), { ...job(1), type: "printer.state" }, job(2)]);
  await sender.queue.submit([{ key: "k", lane: "plate", payload: 1 }]);
  await until("both events are there", () => eventsOf(broker).length === 2);
  assert.deepEqual(
    eventsOf(broker).map(({ type, data }) => [type, data.n]),
    [
      ["printwright.job.done", 0],
      ["printwright.job.done", 2],
    ],
  );
  // With that of the submitted job.
  await until("all are counted", () => sender.published() === 3);
  const states = () => ofTopic(broker, "printwright/shop/queue").map(({ text }) => JSON.parse(text).plate.ready);
  await until("the job is counted", () => states().at(-1) === 1);
  await sender.stop();
  const [first, last] = [0, -1].map((at) => ofTopic(broker, "printwright/shop/state").at(at));
  assert.deepEqual(first, { topic: "printwright/shop/state", text: "online", retain: true, qos: 1 });
  assert.deepEqual(last?.text, "offline");
  const [discovery] = ofTopic(broker, "homeassistant/device/pw_shop/config");
  assert.ok(discovery?.retain);
  assert.deepEqual(JSON.parse(discovery.text), JSON.parse(JSON.stringify(discoveryOf("shop"))));
  assert.deepEqual(broker.versions, [5]);
  broker.close();
});

test("the device has what Home Assistant requires, and each of its values is in the state of the queue", async () => {
  const broker = await startBroker();
  const sender = await startSender(broker);
  await until("the state is there", () => ofTopic(broker, "printwright/shop/queue").length > 0);
  await sender.stop();
  const state = JSON.parse(ofTopic(broker, "printwright/shop/queue")[0]?.text ?? "");
  const device = discoveryOf("shop") as any;
  assert.ok(device.dev.ids.length > 0 && device.o.name !== "");
  assert.deepEqual(
    [device.state_topic, device.availability_topic],
    ["printwright/shop/queue", "printwright/shop/state"],
  );
  const sensors = Object.values<any>(device.cmps);
  assert.equal(new Set(sensors.map(({ unique_id }) => unique_id)).size, sensors.length);
  for (const { p, unique_id, value_template } of sensors) {
    assert.match(unique_id, /^[\w-]+$/);
    assert.equal(p, "sensor");
    const [, lane, key] = /^\{\{ value_json\.(\w+)\.(\w+) \}\}$/.exec(value_template) ?? [];
    assert.equal(typeof state[lane ?? ""][key ?? ""], "number", value_template);
  }
  broker.close();
});

test("Home Assistant hears of the device again when it begins", async () => {
  const broker = await startBroker();
  const sender = await startSender(broker);
  const introductions = () => ofTopic(broker, "homeassistant/device/pw_shop/config").length;
  await until("it was introduced", () => introductions() === 1);
  await until("it is heard", () => {
    broker.send("homeassistant/status", "offline");
    broker.send("homeassistant/status", "online");
    return introductions() > 1;
  });
  await sender.stop();
  broker.close();
});

test("printers are retained states and devices, which are published again, and removed once no server knows them", async () => {
  const broker = await startBroker();
  const since = "2026-11-29T10:00:00.000Z";
  const printer = (status: string, at = since) => ({ product: "Form 4", status, job: null, since: at });
  const tell = (log: EventLog, server: string, printers: object) =>
    log.append([{ type: "printer.state", subject: "printer/x", data: {} }], {
      name: `shop/${server}`,
      state: { printers, plates: {} },
    });
  const path = write("printers.sqlite", "");
  const before = await openSqliteEventLog(path);
  await tell(before, "front", { "a/b+#": printer("offline"), B: printer("ready") });
  await tell(before, "back", { "a/b+#": printer("busy") });
  await before.close();
  const sender = await startSender(broker, {}, path);
  const [odd, plain] = ["a%2Fb%2B%23", "B"].map((id) => `printwright/shop/printer/${id}/state`) as [string, string];
  const last = (topic: string) => ofTopic(broker, topic).at(-1);
  await until("both are there", () => last(odd) !== undefined && last(plain) !== undefined);
  assert.deepEqual(last(plain), {
    topic: plain,
    text: JSON.stringify({ status: "ready", job: null, since }),
    retain: true,
    qos: 1,
  });
  assert.equal(JSON.parse(last(odd)!.text).status, "busy", "the server counts that reaches it");
  const deviceTopic = "homeassistant/device/pw_shop_a_2fb_2b_23/config";
  const device = JSON.parse(last(deviceTopic)!.text);
  assert.deepEqual([device.dev.name, device.dev.mdl, device.state_topic], ["a/b+#", "Form 4", odd]);
  for (const { unique_id, value_template } of Object.values<any>(device.cmps)) {
    assert.match(unique_id, /^[\w-]+$/);
    assert.match(value_template, /value_json\.(status|job)/);
  }
  const count = broker.published.length;
  await until("Home Assistant is told again", () => {
    broker.send("homeassistant/status", "online");
    return broker.published.slice(count).some(({ topic }) => topic === deviceTopic);
  });
  await tell(sender.log, "front", { B: printer("offline", "2026-11-29T11:00:00.000Z") });
  await until("the change comes", () => last(plain)?.text.includes("offline") === true);
  await sender.stop();
  const later = await openSqliteEventLog(path);
  await tell(later, "back", {});
  await later.close();
  const second = await startSender(broker, {}, path);
  await until("it is removed", () => last(odd)?.text === "" && last(deviceTopic)?.text === "");
  assert.ok(last(odd)?.retain && last(deviceTopic)?.retain);
  await second.stop();
  assert.equal(JSON.parse(last(plain)!.text).status, "offline");
  broker.close();
});

test("nothing is lost while connections break, and a sender goes on where the last one was", async () => {
  let refusals = 0;
  const broker = await startBroker({ refuses: ({ topic }) => topic.endsWith("/event") && refusals++ % 4 === 1 });
  const first = await startSender(broker);
  await first.log.append(Array.from({ length: 6 }, (_, n) => job(n)));
  await until("all are there", () => new Set(eventsOf(broker).map(({ id }) => id)).size === 6);
  await first.stop();
  assert.ok(broker.published.some(({ topic, text }) => topic.endsWith("/state") && text === "offline"));
  assert.match(first.reported.join(), /not reached.*reached again/);
  const log = await openSqliteEventLog(first.path);
  await log.append([job(6)]);
  await log.close();
  const second = await startSender(broker, {}, first.path);
  await until("the rest is there", () => new Set(eventsOf(broker).map(({ id }) => id)).size === 7);
  await second.stop();
  const numbers = eventsOf(broker).map(({ data }) => data.n);
  assert.deepEqual([...new Set(numbers)], [0, 1, 2, 3, 4, 5, 6]);
  broker.close();
});

test("a broker that knows MQTT 3.1.1 alone gets that, with the login", async () => {
  const broker = await startBroker({ version: 4 });
  const sender = await startSender(broker, { username: "me", password: "secret", isInHomeAssistant: false });
  await sender.stop();
  assert.deepEqual(broker.versions, [5, 4]);
  assert.deepEqual(broker.login, { username: "me", password: "secret" });
  assert.equal(ofTopic(broker, "homeassistant/device/pw_shop/config").length, 0);
  broker.close();
});

test("the address of the broker has no password, which is in a file of its owner", () => {
  const file = write("config/events.json", "");
  const login = write("config/login", "me\nsecret\n");
  chmodSync(login, 0o600);
  const read = (entry: object) =>
    mqttConfig({ shop: "shop", types: [], home_assistant: true, url: "mqtts://broker", ...entry }, file, inputError);
  const { host, port, protocol, username, password } = read({ credentials_file: "login" });
  assert.deepEqual([host, port, protocol, username, password], ["broker", 8883, "mqtts", "me", "secret"]);
  assert.equal(read({ url: "mqtt://[::1]" }).port, 1883);
  for (const url of ["broker", "http://broker", "mqtt://", "mqtt://me:secret@broker"])
    assert.throws(
      () => read({ url }),
      ({ message }: Error) => message.includes("/mqtt/url") && !message.includes("secret"),
    );
  chmodSync(login, 0o644);
  assert.throws(() => read({ credentials_file: login }), /chmod 600/);
});
