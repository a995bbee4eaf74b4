import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { isAllowedAddress } from "../../src/farm/webhooks/allowed-address.ts";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { newEventCounts } from "../../src/farm/metrics/events-metrics.ts";
import { postWebhook } from "../../src/farm/webhooks/post-webhook.ts";
import { sendWebhooks } from "../../src/farm/webhooks/send-webhooks.ts";
import { newWebhookSecret, parseWebhookSecret, signedHeaders } from "../../src/farm/webhooks/sign-webhook.ts";
import { runEventTrial } from "../fixture/event-trial.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";
import { type Arrived, SECRET, startReceiver } from "../fixture/webhook-receiver.ts";

const write = temporaryFiles();
let logs = 0;
const openLog = () => openSqliteEventLog(write(`${logs++}/queue.sqlite`, ""));
const event = (subject: string, n: number) => ({ type: "job.done", subject, data: { n } });
const done = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, headers).end("the shop is closed");

test("signatures are those of Standard Webhooks", () => {
  // As its library signs them (standardwebhooks 1.1.1 of npm).
  const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const headers = signedHeaders(
    "msg_p5jXN8AQM9LWM0D4loKWxEek",
    '{"test": 2432232314}',
    [secret],
    new Date(1614265330000),
  );
  assert.deepEqual(headers, {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxEek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,xm3N4+aKmqpsHqf2GrAK/g6ew7J0s6ILlNe44yY/l78=",
  });
  const both = signedHeaders("a", "b", [secret, parseWebhookSecret(SECRET, "")])["webhook-signature"].split(" ");
  assert.equal(both.length, 2);
});

test("secrets have 24 to 64 bytes, and messages do not repeat them", () => {
  assert.equal(parseWebhookSecret(newWebhookSecret(), "").length, 32);
  for (const bytes of [23, 65]) {
    const text = `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
    assert.throws(
      () => parseWebhookSecret(text, "the file"),
      ({ message }: Error) => message.includes("the file") && !message.includes(text.slice(6)),
    );
  }
  for (const text of ["", "whsec_", SECRET.slice(6), `${SECRET}!`])
    assert.throws(() => parseWebhookSecret(text, "f"), { code: "INPUT_ERROR" });
});

test("addresses inside a network need leave, and special ones are never called", () => {
  const open = ["93.184.216.34", "2606:4700::1111", "172.32.0.1", "100.63.0.1"];
  const inside = [
    "127.0.0.1",
    "::1",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "fd00::1",
    "::ffff:10.0.0.1",
  ];
  const never = [
    "169.254.169.254",
    "fe80::1",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "255.255.255.255",
    "::ffff:169.254.169.254",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "shop",
    "",
  ];
  for (const one of open) assert.ok(isAllowedAddress(one, false) && isAllowedAddress(one, true), one);
  for (const one of inside) assert.ok(!isAllowedAddress(one, false) && isAllowedAddress(one, true), one);
  for (const one of never) assert.ok(!isAllowedAddress(one, false) && !isAllowedAddress(one, true), one);
});

test("a name that leads inside the network is not called", async () => {
  const receiver = await startReceiver((_, response) => done(response, 200));
  for (const host of ["localhost", "127.0.0.1", "[::1]", "2130706433", "0x7f.1"]) {
    const url = new URL(receiver.url.href.replace("127.0.0.1", host));
    const post = { url, headers: {}, body: "{}", allowPrivate: false };
    await assert.rejects(postWebhook(post), /inside a network/, host);
  }
  assert.equal(receiver.arrived.length, 0);
  receiver.close();
});

/** Those of the last {@link sendUntil}. */
let counts = newEventCounts([]);
const counted = (): unknown[] =>
  (counts.families()[0]?.samples ?? []).map(({ labels, value }) => [labels?.["outcome"], value]);

/** Sends until `isOver` holds, and returns what was reported. */
async function sendUntil(
  log: Awaited<ReturnType<typeof openLog>>,
  url: URL,
  isOver: () => boolean | Promise<boolean>,
  retryMs: readonly number[] = Array.from({ length: 20 }, () => 1),
): Promise<string[]> {
  const stop = new AbortController();
  const reported: string[] = [];
  const secrets = [parseWebhookSecret(newWebhookSecret(), ""), parseWebhookSecret(SECRET, "")];
  const endpoint = { name: "shop", url, secrets, wants: () => true, allowPrivate: true, certificates: [] };
  counts = newEventCounts(["shop"]);
  const sending = sendWebhooks(log, endpoint, stop.signal, { retryMs, report: (text) => reported.push(text), counts });
  await until("the sender is done", isOver);
  stop.abort();
  await sending;
  return reported;
}

const startAt0 = (log: Awaited<ReturnType<typeof openLog>>): Promise<void> =>
  log.save("webhook/shop", { position: 0, pending: [] });

const numbers = (arrived: readonly Arrived[], subject: string): number[] =>
  arrived.filter((one) => one.subject === subject).map(({ data }) => data.n);

test("a refused event is tried again before the next one of its subject, and holds up no other subject", async () => {
  const log = await openLog();
  await startAt0(log);
  let refusals = 0;
  const receiver = await startReceiver((webhook, response) => {
    const isRefused = webhook.subject === "job/a" && webhook.data.n === 0 && refusals++ < 3;
    done(response, isRefused ? 503 : 204);
  });
  await log.append([event("job/a", 0), event("job/b", 0), event("job/a", 1), event("job/b", 1)]);
  const reported = await sendUntil(log, receiver.url, () => receiver.arrived.length === 7);
  assert.deepEqual(numbers(receiver.arrived, "job/a"), [0, 0, 0, 0, 1]);
  assert.deepEqual(numbers(receiver.arrived, "job/b"), [0, 1]);
  assert.ok(receiver.arrived.every(({ isSigned }) => isSigned));
  assert.match(reported.join("\n"), /^shop does not take events: status 503, "the shop is closed"\n/);
  receiver.close();
  await log.close();
});

test("an event that is refused to the end is given up, and that is an event", async () => {
  const log = await openLog();
  await startAt0(log);
  const receiver = await startReceiver((webhook, response) => done(response, webhook.data.n === 0 ? 500 : 200));
  await log.append([event("job/a", 0), event("job/a", 1)]);
  await sendUntil(log, receiver.url, () => receiver.arrived.length === 4, [1, 1]);
  assert.deepEqual(numbers(receiver.arrived, "job/a"), [0, 0, 0, 1]);
  assert.deepEqual(counted(), [
    ["sent", 1],
    ["failed", 3],
    ["dead", 1],
  ]);
  const dead = (await log.read(2, 9)).map(({ type, subject, data }) => ({ type, subject, data }));
  assert.deepEqual(dead, [
    { type: "webhook.dead", subject: "webhook/shop", data: { sequence: "1", subject: "job/a" } },
  ]);
  receiver.close();
  await log.close();
});

test("410 ends an endpoint for good, until it has another URL", async () => {
  const log = await openLog();
  await startAt0(log);
  const receiver = await startReceiver((_, response) => done(response, 410));
  await log.append([event("job/a", 0)]);
  const isGone = async (): Promise<boolean> => (await log.read(1, 1))[0]?.type === "webhook.gone";
  await sendUntil(log, receiver.url, isGone);
  await log.append([event("job/a", 1)]);
  await sendUntil(log, receiver.url, () => true);
  assert.equal(receiver.arrived.length, 1);
  const other = await startReceiver((_, response) => done(response, 200));
  await sendUntil(log, other.url, () => other.arrived.length === 1);
  assert.deepEqual(numbers(other.arrived, "job/a"), [1]);
  for (const one of [receiver, other]) one.close();
  await log.close();
});

test("Retry-After is respected, and a redirect is a failure", async () => {
  const log = await openLog();
  await startAt0(log);
  const times: number[] = [];
  const receiver = await startReceiver((_, response) => {
    times.push(performance.now());
    if (times.length === 1) done(response, 307, { Location: "/elsewhere" });
    else done(response, times.length === 2 ? 429 : 200, { "Retry-After": "1" });
  });
  await log.append([event("job/a", 0)]);
  await sendUntil(log, receiver.url, () => times.length === 3);
  assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 950);
  receiver.close();
  await log.close();
});

test("a new endpoint begins with the events from now on, and goes on where it was", async () => {
  const log = await openLog();
  await log.append([event("job/a", 0)]);
  const receiver = await startReceiver((_, response) => done(response, 200));
  const has = (n: number) => () => receiver.arrived.length === n;
  await sendUntil(log, receiver.url, async () => (await log.load("webhook/shop")) !== undefined);
  await log.append([event("job/a", 1)]);
  await sendUntil(log, receiver.url, has(1));
  await log.append([event("job/a", 2)]);
  await sendUntil(log, receiver.url, has(2));
  assert.deepEqual(numbers(receiver.arrived, "job/a"), [1, 2]);
  receiver.close();
  await log.close();
});

test("a sender that is killed loses nothing and keeps the order of each subject", async () => {
  await runEventTrial({ kind: "sqlite", channel: "webhook", changes: 60, kills: 2, quietJobs: 0, seed: 34 });
});
