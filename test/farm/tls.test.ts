import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readEventsConfig } from "../../src/farm/events/events-config.ts";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { sendMqtt } from "../../src/farm/mqtt/send-mqtt.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { postWebhook } from "../../src/farm/webhooks/post-webhook.ts";
import { signedHeaders } from "../../src/farm/webhooks/sign-webhook.ts";
import { ELSEWHERE, LOCALHOST, type ServerCertificate, TEST_CA } from "../fixture/certificates.ts";
import { startBroker } from "../fixture/mqtt-broker.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";
import { SECRET, startReceiver } from "../fixture/webhook-receiver.ts";

// Receivers and brokers that are reached by TLS, as the file of `printwright events` names them.

const write = temporaryFiles();
const folder = dirname(write("ca.pem", TEST_CA));
chmodSync(write("shop.secret", `${SECRET}\n`), 0o600);
const configOf = (content: object) => {
  write("events.json", JSON.stringify(content));
  return readEventsConfig(join(folder, "events.json"));
};
const CA = { ca_file: "ca.pem" };

/** Sends a webhook to a receiver with this certificate. Returns its status, or why it was not sent. */
async function sendTo(certificate: ServerCertificate, more: object, host = "127.0.0.1"): Promise<number | string> {
  const receiver = await startReceiver((_, response) => void response.writeHead(204).end(), certificate);
  const url = receiver.url.href.replace("127.0.0.1", host);
  const entry = { name: "shop", url, secret_files: ["shop.secret"], allow_private_addresses: true, ...more };
  const [endpoint] = configOf({ webhooks: [entry] }).webhooks;
  const body = JSON.stringify({ id: "evt_1" });
  const headers = signedHeaders("evt_1", body, endpoint!.secrets);
  const answer = await postWebhook({ ...endpoint!, headers, body }).then(
    ({ status }) => status,
    (thrown: Error) => thrown.message,
  );
  assert.equal(receiver.arrived.length, answer === 204 ? 1 : 0, "a server that is not trusted gets nothing");
  assert.ok(receiver.arrived.every(({ isSigned }) => isSigned));
  receiver.close();
  return answer;
}

test("webhooks go by TLS to a server whose certificate is trusted and has its name, and to no other", async () => {
  assert.equal(await sendTo(LOCALHOST, CA), 204);
  assert.equal(await sendTo(LOCALHOST, CA, "localhost"), 204);
  assert.match(String(await sendTo(LOCALHOST, {})), /certificate|issuer|self.signed/i);
  assert.match(String(await sendTo(ELSEWHERE, CA)), /certificate|altname|IP/i);
  assert.match(String(await sendTo(ELSEWHERE, CA, "localhost")), /certificate|altname/i);
});

test("MQTT goes by TLS to a broker whose certificate is trusted and has its name, and to no other", async () => {
  write("broker.login", "me\nsecret\n");
  chmodSync(join(folder, "broker.login"), 0o600);
  const publishTo = async (certificate: ServerCertificate, more: object, host: string) => {
    const broker = await startBroker({ certificate });
    const path = write(`${broker.port}.sqlite`, "");
    const { mqtt } = configOf({
      mqtt: { url: `mqtts://${host}:${broker.port}`, credentials_file: "broker.login", ...more },
    });
    const [log, queue] = await Promise.all([openSqliteEventLog(path), openSqliteQueue(path)]);
    const stop = new AbortController();
    const reported: string[] = [];
    const options = { report: (text: string) => void reported.push(text), reconnectMs: 20 };
    const sending = sendMqtt(log, queue, mqtt!, stop.signal, options);
    await until("it has an answer", () => broker.published.length > 0 || reported.length > 0);
    stop.abort();
    await sending;
    await Promise.all([log.close(), queue.close()]);
    broker.close();
    return { isPublished: broker.published.length > 0, login: broker.login, reported: reported.join() };
  };
  for (const host of ["127.0.0.1", "localhost"]) {
    const { isPublished, login } = await publishTo(LOCALHOST, CA, host);
    assert.ok(isPublished, host);
    assert.deepEqual(login, { username: "me", password: "secret" });
  }
  for (const [certificate, more] of [
    [LOCALHOST, {}],
    [ELSEWHERE, CA],
  ] as const) {
    const { isPublished, login, reported } = await publishTo(certificate, more, "localhost");
    assert.ok(!isPublished && login.password === undefined, "a broker that is not trusted gets no password");
    assert.match(reported, /not reached: .*(certificate|altname|issuer|self.signed|authorized)/i);
  }
});
