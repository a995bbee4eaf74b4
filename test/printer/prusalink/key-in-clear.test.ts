import assert from "node:assert/strict";
import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { KnownPrinter } from "../../../src/printer/known-printers.ts";
import { prusaLinkProtocol } from "../../../src/printer/prusalink/prusalink-protocol.ts";
import { hostileServer } from "../../fixture/hostile-server.ts";
import { FAST } from "../../fixture/polled.ts";
import { someJob } from "../../fixture/some-job.ts";
import { until } from "../../fixture/until.ts";

// The cases in which an API key is sent.

const KEY = "Secret12";

/** A machine that demands proofs with these headers and accepts none, and the headers of the requests to it. */
async function refusingMachine(challenge: string | string[]) {
  const seen: IncomingMessage["headers"][] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers);
    response.writeHead(401, { "WWW-Authenticate": challenge, Connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { seen, server, port: (server.address() as AddressInfo).port };
}

/** The description of the printer after `count` requests to the machine, and the headers of these requests. */
async function ask(challenge: string | string[], credentials: Partial<KnownPrinter["credentials"]> = {}, count = 8) {
  const { seen, server, port } = await refusingMachine(challenge);
  const known: KnownPrinter = {
    protocol: "prusalink",
    host: "127.0.0.1",
    port,
    name: "Left",
    machineType: "PRUSA-SL1S",
    credentials: { username: undefined, key: KEY, ...credentials },
  };
  const logged: unknown[] = [];
  const log = { write: (event: string, details = {}) => void logged.push({ event, ...details }), close() {} };
  const protocol = prusaLinkProtocol({ known: [known], discoveryAddresses: [], timing: FAST, log });
  await until("it is asked", () => seen.length >= count && protocol.connected().length === 1);
  const [printer] = protocol.connected();
  const refusal = await printer.submit(someJob()).catch((thrown: Error) => thrown.message);
  const { status } = printer.describe();
  await protocol.close();
  server.close();
  return { seen, status, refusal: String(refusal), logged };
}

const withKey = (seen: readonly IncomingMessage["headers"][]): number =>
  seen.filter((headers) => JSON.stringify(headers).includes(KEY)).length;

test("a key is not sent in clear unless the file allows it", async () => {
  const { seen, status, refusal, logged } = await ask('ApiKey realm="prusa-sl1"');
  assert.equal(withKey(seen), 0);
  assert.equal(logged.length, 1, "the log says once why it takes no jobs");
  assert.match(JSON.stringify(logged), /"printer found".*wants its API key in clear/);
  assert.equal(status, "Wants its API key in clear");
  assert.match(refusal, /"plain_key": true/);
});

test("a key that is sent in clear and refused is never sent again", async () => {
  const { seen, status, refusal } = await ask('ApiKey realm="prusa-sl1"', { plainKey: true }, 12);
  assert.equal(withKey(seen), 1);
  assert.equal(status, "Refuses its API key");
  assert.match(refusal, /compare it .* start the server again/);
});

test("a digest that cannot be answered is not answered with the key", async () => {
  const challenge = 'Digest realm="a", nonce="b", qop="auth", algorithm=SHA-512-256';
  const { seen, status } = await ask(challenge, { plainKey: true });
  assert.deepEqual([withKey(seen), seen.filter(({ authorization }) => authorization).length], [0, 0]);
  assert.equal(status, "Wants an unknown digest");
});

test("the strongest of several digests is answered", async () => {
  const digest = (algorithm: string): string => `Digest realm="a", nonce="b", qop="auth", algorithm=${algorithm}`;
  const challenges = ['Basic realm="c"', digest("MD5"), digest("SHA-256")];
  for (const challenge of [challenges, challenges.join(", ")]) {
    const { seen } = await ask(challenge);
    const answers = seen.flatMap(({ authorization }) => authorization ?? []);
    assert.ok(answers.length > 0);
    for (const answer of answers) assert.match(answer, /^Digest .*response="[\da-f]{64}", algorithm=SHA-256, qop=auth/);
  }
});

test("a machine behind https gets requests only over TLS", async () => {
  const first: number[] = [];
  const server = await hostileServer((socket) =>
    socket.once("data", (bytes) => {
      first.push(Number(bytes[0]));
      socket.destroy();
    }),
  );
  const known: KnownPrinter = {
    protocol: "prusalink",
    host: "127.0.0.1",
    port: Number(server.url.port),
    isSecure: true,
  };
  const protocol = prusaLinkProtocol({ known: [known], discoveryAddresses: [], timing: FAST });
  await until("it is asked", () => first.length > 0);
  await protocol.close();
  await server.close();
  const TLS_HANDSHAKE = 22;
  assert.deepEqual([...new Set(first)], [TLS_HANDSHAKE]);
});
