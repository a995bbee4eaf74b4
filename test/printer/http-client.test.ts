import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CancelledError } from "../../src/core/progress.ts";
import { type HttpCall, httpCall, jsonOf } from "../../src/printer/http-client.ts";
import { HttpFailure } from "../../src/printer/http-failure.ts";
import { answering, endlessly, hostileServer, receiving } from "../fixture/hostile-server.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-http-"));
after(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, "job.sl1");
const FILE_BYTES = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251));
writeFileSync(FILE, FILE_BYTES);
const WHOLE_FILE = { path: FILE, from: 0, to: FILE_BYTES.length };

/** Limits that end no call on a busy machine; {@link HASTY} is for servers that never answer. */
const PATIENT = { idleMs: 20_000, replyMs: 20_000, replyBytes: 100_000 };
const HASTY = { ...PATIENT, idleMs: 200, replyMs: 200 };

/** One call to a server that handles each connection with `serve`. Afterwards no connection may be left. */
async function callTo(serve: (socket: Socket) => void, call: Omit<HttpCall, "url"> = {}) {
  const server = await hostileServer(serve);
  try {
    return await httpCall({ url: server.url, limits: PATIENT, ...call });
  } finally {
    await server.deserted();
    await server.close();
  }
}

const failure = (kind: string, message: RegExp) => (thrown: unknown) =>
  thrown instanceof HttpFailure &&
  thrown.kind === kind &&
  thrown.code === "OPERATION_FAILED" &&
  message.test(thrown.message);

test("a call sends its method, headers and body, with its length, and gets status, headers and body", async () => {
  const echo = receiving((socket, head, body) => {
    const reply = Buffer.concat([Buffer.from(`${head}\n`), body]);
    socket.end(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 201 Created\r\nX-Two: b\r\nContent-Length: ${reply.length}\r\n\r\n`),
        reply,
      ]),
    );
  });
  const limits = { replyBytes: 4e6 };
  const sent: number[] = [];
  const body = [Buffer.from("begin,"), WHOLE_FILE, { path: FILE, from: 5, to: 9 }, Buffer.from(",end")];
  const reply = await callTo(echo, {
    method: "PUT",
    headers: { "X-One": "a" },
    body,
    limits,
    onSent: (bytes) => void sent.push(bytes),
  });
  assert.equal(reply.status, 201);
  assert.equal(reply.headers["x-two"], "b");
  const [head] = Buffer.from(reply.body).toString("latin1").split("\n\u0000")[0].split("begin,");
  assert.match(head, /^PUT \/ HTTP\/1.1/);
  assert.match(head, /x-one: a\r/i);
  assert.match(head, /content-length: 3000014\r/i);
  const expected = Buffer.concat([Buffer.from("begin,"), FILE_BYTES, FILE_BYTES.subarray(5, 9), Buffer.from(",end")]);
  assert.ok(Buffer.from(reply.body).subarray(-expected.length).equals(expected));
  assert.equal(sent.at(-1), expected.length);
  assert.deepEqual(
    sent,
    sent.toSorted((a, b) => a - b),
  );
});

test("a call without a body has the length headers that its method needs", async () => {
  const echo = receiving((socket, head) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${head}`));
  const headOf = async (method: string) => Buffer.from((await callTo(echo, { method })).body).toString();
  for (const method of ["POST", "PUT", "DELETE"]) assert.match(await headOf(method), /\ncontent-length: 0\r/i);
  assert.doesNotMatch(await headOf("GET"), /content-length|transfer-encoding/i);
});

test("JSON is parsed, and anything else is refused", async () => {
  const of = async (body: string) => {
    const reply = await callTo(answering(`HTTP/1.1 200 OK\r\n\r\n${body}`));
    return jsonOf(reply, new URL("http://printer/"));
  };
  assert.deepEqual(await of('{"api": "0.1"}'), { api: "0.1" });
  for (const bad of ["", "<html>", "[".repeat(99_000), '{"a":', "\ud800"]) {
    await assert.rejects(of(bad), failure("unusable", /^printer .*not JSON/), bad.slice(0, 10));
  }
});

const BAD_REPLIES: readonly (readonly [what: string, reply: string, kind: string, message: RegExp])[] = [
  ["garbage", "\u0000\u0001hello\r\n\r\n", "unusable", /else than HTTP/],
  ["another protocol", "SSH-2.0-OpenSSH_9.6\r\n", "unusable", /else than HTTP/],
  ["nothing", "", "broken", /in the middle/],
  [
    "a redirect to a file",
    "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
    "unusable",
    /file:.*not followed/,
  ],
  [
    "a redirect to loopback",
    "HTTP/1.1 307 x\r\nLocation: http://127.0.0.1:22/\r\n\r\n",
    "unusable",
    /127.0.0.1:22.*not followed/,
  ],
  ["a redirect to itself", "HTTP/1.1 301 x\r\nLocation: /\r\n\r\n", "unusable", /not followed/],
  ["a long header", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, "unusable", /16384 bytes of headers/],
  ["a body that is too large", `HTTP/1.1 200 OK\r\n\r\n${"y".repeat(100_001)}`, "unusable", /100000 bytes/],
  ["an announced giant", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "broken", /middle/],
  ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "unusable", /else than HTTP/],
  ["a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "", /./],
];

for (const [what, reply, kind, message] of BAD_REPLIES) {
  test(`${what} is not a reply`, async () => {
    const isIt = kind === "" ? (thrown: unknown) => thrown instanceof HttpFailure : failure(kind, message);
    await assert.rejects(callTo(answering(reply)), isIt);
  });
}

const BOMBS: readonly (readonly [what: string, head: string, piece: string, message: RegExp])[] = [
  ["headers", "HTTP/1.1 200 OK\r\n", `X-A: ${"y".repeat(1000)}\r\n`, /headers/],
  ["one header", "HTTP/1.1 200 OK\r\nX-A: ", "y".repeat(65_536), /headers/],
  ["a body", "HTTP/1.1 200 OK\r\n\r\n", "y".repeat(65_536), /more than 100000 bytes/],
  [
    "chunks",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    `10000\r\n${"y".repeat(65_536)}\r\n`,
    /more than 100000 bytes/,
  ],
  ["interim replies", "", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), /without end/],
];

for (const [what, head, piece, message] of BOMBS) {
  test(`${what} without end are cut off`, async () => {
    await assert.rejects(callTo(endlessly(head, piece)), failure("unusable", message));
  });
}

test("a reply that is cut at any byte fails with the expected error", async () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"text":"ab"}';
  for (let cut = 0; cut < whole.length; cut++) {
    await assert.rejects(callTo(answering(whole.slice(0, cut))), failure("broken", /middle/), `after ${cut} bytes`);
  }
  assert.equal((await callTo(answering(whole))).status, 200);
});

test("a call to a server that accepts and sends nothing, or a byte now and then, ends in time", async () => {
  await assert.rejects(
    callTo(() => {}, { limits: HASTY }),
    failure("broken", /within 0.2 s/),
  );
  const slowly = (socket: Socket): void => {
    const timer = setInterval(() => socket.write("H"), 20);
    socket.once("close", () => clearInterval(timer));
  };
  await assert.rejects(
    callTo((socket) => socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nX: ", () => slowly(socket))), {
      limits: HASTY,
    }),
    failure("broken", /within 0.2 s/),
  );
  await assert.rejects(
    callTo((socket) => socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\n", () => slowly(socket))), {
      limits: HASTY,
    }),
    failure("broken", /within 0.2 s/),
  );
});

test("a call to a server that stops reading the body ends in time", async () => {
  const body = Array.from({ length: 10 }, () => WHOLE_FILE);
  await assert.rejects(
    callTo((socket) => socket.pause(), { method: "PUT", body, limits: HASTY }),
    failure("broken", /accepted no more/),
  );
});

test("an error reply in the middle of the body is valid, a success is not", async () => {
  const body = Array.from({ length: 10 }, () => WHOLE_FILE);
  const early = (status: string) => answering(`HTTP/1.1 ${status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno`);
  const reply = await callTo(
    (socket) => socket.once("data", () => socket.write("HTTP/1.1 413 x\r\nContent-Length: 2\r\n\r\nno")),
    { method: "PUT", body },
  );
  assert.equal(reply.status, 413);
  assert.equal(Buffer.from(reply.body).toString(), "no");
  await assert.rejects(
    callTo(early("201 Created"), { method: "PUT", body }),
    failure("broken", /before it had all|middle/),
  );
});

test("a connection that is cut in the middle of the body is a failure", async () => {
  const body = Array.from({ length: 10 }, () => WHOLE_FILE);
  const cut = (socket: Socket): void => {
    let bytes = 0;
    socket.on("data", (piece) => ((bytes += piece.length) > 1e6 ? socket.destroy() : undefined));
  };
  await assert.rejects(callTo(cut, { method: "PUT", body }), failure("broken", /middle/));
});

test("a cancelled call ends at once, at every step", async () => {
  const cases: [(socket: Socket) => void, Omit<HttpCall, "url">][] = [
    [() => {}, {}],
    [(socket) => socket.pause(), { method: "PUT", body: Array.from({ length: 10 }, () => WHOLE_FILE) }],
    [(socket) => void socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\nx")), {}],
  ];
  for (const [serve, call] of cases) {
    await assert.rejects(callTo(serve, { ...call, signal: AbortSignal.timeout(30), limits: {} }), CancelledError);
  }
  await assert.rejects(
    callTo(() => {}, { signal: AbortSignal.abort() }),
    CancelledError,
  );
  const stop = (): never => {
    throw new CancelledError();
  };
  await assert.rejects(
    callTo((socket) => socket.resume(), { method: "PUT", body: [WHOLE_FILE], onSent: stop }),
    CancelledError,
  );
});

test("a machine that is missing, refuses or has no known name is distinguished from one that disconnects", async () => {
  const server = await hostileServer(() => {});
  await server.close();
  await assert.rejects(httpCall({ url: server.url }), failure("unreached", /refuses connections/));
  await assert.rejects(httpCall({ url: new URL("http://nobody.invalid/") }), failure("unreached", /name/));
});

test("no request is sent to a server without a trusted certificate", async () => {
  const server = await hostileServer(answering("HTTP/1.1 200 OK\r\n\r\n"));
  await assert.rejects(
    httpCall({ url: new URL(server.url.href.replace("http:", "https:")) }),
    (thrown) => thrown instanceof HttpFailure,
  );
  await server.close();
});

test("a file that cannot be read, or becomes shorter, is an error", async () => {
  const send = (path: string, to: number) =>
    callTo((socket) => socket.resume(), { method: "PUT", body: [{ path, from: 0, to }] });
  await assert.rejects(send(join(folder, "missing"), 5), /missing.*does not exist/);
  await assert.rejects(send(FILE, FILE_BYTES.length + 1), /became shorter/);
});

test("a body sent at less than 4096 bytes a second ends the call, one that is slow for a moment does not", async () => {
  const limits = { ...PATIENT, idleMs: 40 };
  const ok = receiving((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
  /** Blocks this thread, as a slow receiver blocks the loop of the sender, without a separate deadline. */
  const spin = (ms: number): void => {
    for (const end = performance.now() + ms; performance.now() < end;);
  };
  const piecesOf = (count: number, bytes: number) => Array.from({ length: count }, () => new Uint8Array(bytes));
  // One byte in 4 ms is 250 bytes a second.
  const slow = callTo(ok, { method: "POST", body: piecesOf(40, 1), limits, onSent: () => spin(4) });
  await assert.rejects(slow, failure("broken", /takes less than 4096 bytes a second/));
  // 4,000 bytes in 20 ms are fewer than one second of the lowest speed has.
  const quick = callTo(ok, { method: "POST", body: piecesOf(5, 800), limits: PATIENT, onSent: () => spin(4) });
  assert.equal((await quick).status, 200);
});
