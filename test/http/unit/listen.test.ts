import assert from "node:assert/strict";
import { type Socket, connect } from "node:net";
import { after, before, test } from "node:test";
import { jsonResponse } from "../../../src/http/json-response.ts";
import { listen } from "../../../src/http/listen.ts";
import { call } from "../../fixture/client.ts";
import { until } from "../../fixture/until.ts";

// Half-sent bodies and large answers, with short times and small limits.

const LIMITS = { bytes: 1000, unfinishedBytes: 2000, idleMs: 150, totalMs: 400 };
/** A list of lists, an empty one, a text that needs escapes, and a field without a value. */
const LARGE = {
  scenes: Array.from({ length: 70 }, (_, i) => ({
    id: i,
    models: Array.from({ length: 300 }, (_, k) => ({ k, name: 'ä"\n' })),
  })),
  empty: [],
  nothing: undefined,
};

let left = Promise.withResolvers<void>();

/** An answer of one piece, and then nothing until the client leaves. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(Uint8Array.of(65)),
    cancel: () => left.resolve(),
  });

/** An answer that fails after its first piece. */
const failing = (): ReadableStream<Uint8Array> => {
  let count = 0;
  return new ReadableStream({
    pull: (controller) => (count++ === 0 ? controller.enqueue(Uint8Array.of(65)) : controller.error(new Error("no"))),
  });
};

const STREAMED = { headers: { "Transfer-Encoding": "chunked" } };

let listener: Awaited<ReturnType<typeof listen>>;
before(async () => {
  listener = await listen(
    async ({ url }, { rawBody, bodyStream }) => {
      if (url.endsWith("/large")) return jsonResponse(LARGE);
      if (url.endsWith("/endless")) return new Response(endless(), STREAMED);
      if (url.endsWith("/failing")) return new Response(failing(), STREAMED);
      if (!bodyStream) return Response.json({ size: rawBody.bytes().length });
      let size = 0;
      for await (const piece of bodyStream) size += piece.length;
      return Response.json({ size });
    },
    { port: 0, addresses: ["127.0.0.1"], allowedHosts: [], bodyLimits: LIMITS, streamedPaths: ["/files"] },
  );
});
after(() => listener.close());

interface RawConnection {
  readonly socket: Socket;
  /** Everything that is received until the server closes the connection. */
  readonly answer: Promise<string>;
}

function open(text: string): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(listener.port, "127.0.0.1", () => socket.write(text, () => resolve({ socket, answer })));
    const answer = new Promise<string>((close) => socket.on("close", () => close(received)));
    socket.on("data", (chunk) => (received += chunk));
    socket.on("error", reject);
  });
}

const head = (length: number): string =>
  `POST /v1/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;
const sizeOf = async (size: number) =>
  (await call(listener.port, "POST", "/v1/", undefined, { raw: "x".repeat(size) })).body;

test("a body that stops half-way is 408 after a while", async () => {
  const { answer } = await open(`${head(10)}abc`);
  assert.match(await answer, /^HTTP\/1\.1 408 [^]*"code":"REQUEST_TIMEOUT"[^]*nothing came for 0\.15 s/);
});

test("a chunked body that stops half-way is 408, too, and its connection ends although the client would keep it", async () => {
  const { answer } = await open("POST /v1/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc");
  assert.match(await answer, /^HTTP\/1\.1 408 /);
});

test("a body that arrives byte by byte is 408 in the end", async () => {
  const { socket, answer } = await open(head(1000));
  const drip = setInterval(() => socket.write("x"), 20);
  try {
    assert.match(await answer, /^HTTP\/1\.1 408 [^]*longer than 0\.4 s/);
  } finally {
    clearInterval(drip);
  }
});

test("a body of exactly the limit is received, one more byte is 413", async () => {
  assert.deepEqual(await sizeOf(1000), { size: 1000 });
  assert.equal((await sizeOf(1001)).error.code, "BODY_TOO_LARGE");
});

test("the largest of several unfinished bodies is dropped, and small requests are answered", async () => {
  const sizes = [800, 900, 700];
  const connections: RawConnection[] = [];
  for (const size of sizes) connections.push(await open(head(size) + "x".repeat(size - 1)));
  assert.deepEqual(await sizeOf(50), { size: 50 });
  for (const { socket } of connections) socket.write("x");
  const answers = await Promise.all(connections.map(({ answer }) => answer));
  const statuses = answers.map((text) => Number(text.slice(9, 12)));
  assert.deepEqual(statuses, [200, 413, 200]);
  assert.match(answers[1], /send it again when others are done/);
  // Dropped and answered bodies no longer count.
  assert.deepEqual(await Promise.all([1000, 900].map(sizeOf)), [{ size: 1000 }, { size: 900 }]);
});

test("a client that disconnects during its request leaves no open resource", async () => {
  for (let i = 0; i < 5; i++) (await open(`${head(1000)}${"x".repeat(900)}`)).socket.destroy();
  for (let tries = 0; ; tries++) {
    const replies = await Promise.all([1000, 900].map(sizeOf));
    if (replies.every(({ size }) => size > 0)) return;
    assert.ok(tries < 50, JSON.stringify(replies));
  }
});

test("a large answer is the same JSON in pieces", async () => {
  const { headers, body } = await call(listener.port, "GET", "/large");
  assert.equal(headers["content-type"], "application/json");
  assert.deepEqual(body, JSON.parse(JSON.stringify(LARGE)));
});

test("a client that leaves during a large answer does not disturb others", async () => {
  const { socket } = await open("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve));
  socket.destroy();
  assert.deepEqual(await sizeOf(3), { size: 3 });
});

test("an answer that waits for its next piece ends when its client leaves", async () => {
  left = Promise.withResolvers();
  const { socket } = await open("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await new Promise((resolve) => socket.once("data", resolve));
  socket.destroy();
  await left.promise;
});

test("an answer that fails half-way is cut off, and does not disturb others", async () => {
  const { answer } = await open("GET /failing HTTP/1.1\r\nHost: localhost\r\n\r\n");
  assert.doesNotMatch(await answer, /\r\n0\r\n/);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(await sizeOf(3), { size: 3 });
});

test("a path that reads bodies as streams accepts more than the limit", async () => {
  const { body } = await call(listener.port, "POST", "/files?name=a", undefined, { raw: "x".repeat(300_000) });
  assert.deepEqual(body, { size: 300_000 });
});

test("connections beyond the bound get an answer, and are served once others have closed", async () => {
  const few = await listen(async () => Response.json({}), {
    port: 0,
    addresses: ["127.0.0.1"],
    allowedHosts: [],
    maxConnections: 2,
  });
  const ask = (isKept: boolean): Promise<{ status: number; text: string; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const socket = connect(few.port, "127.0.0.1");
      let text = "";
      socket.on("error", reject);
      socket.on("data", (bytes) => {
        text += bytes;
        if (text.endsWith("}")) resolve({ status: Number(text.slice(9, 12)), text, socket });
      });
      socket.write(`GET /v1/ HTTP/1.1\r\nHost: localhost\r\n${isKept ? "" : "Connection: close\r\n"}\r\n`);
    });
  const kept = [await ask(true), await ask(true)];
  assert.deepEqual(
    kept.map(({ status }) => status),
    [200, 200],
  );
  const { status, text } = await ask(true);
  assert.equal(status, 503);
  assert.match(text, /connection: close[^]*"code":"TOO_MANY_CONNECTIONS"[^]*2 connections are open/i);
  kept[0].socket.destroy();
  await until("another is served", async () => (await ask(false)).status === 200);
  kept[1].socket.destroy();
  few.close();
});
