import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { readPaced } from "../../../src/printer/sdcp/paced-reader.ts";
import { sdcpProtocol } from "../../../src/printer/sdcp/sdcp-protocol.ts";
import { QUICK } from "../../fixture/sdcp-bench.ts";
import { until } from "../../fixture/until.ts";
import { startSdcpFakes } from "../../fixture/sdcp-fake.ts";

/** A socket with which a test plays the printer; each byte is a message. */
function playedSocket() {
  const socket = Object.assign(new EventEmitter(), { isPaused: false, pause: () => {}, resume: () => {} });
  socket.pause = () => void (socket.isPaused = true);
  socket.resume = () => void (socket.isPaused = false);
  return socket;
}

test("a burst of messages is handled in batches, in order, while the rest waits", async () => {
  const socket = playedSocket();
  const handled: number[] = [];
  const handle = (bytes: Buffer): number => (bytes.length === 0 ? 0 : handled.push(bytes[0]) && 1);
  readPaced({ socket: socket as unknown as Socket, handle, onFlood: assert.fail });
  const sent = Array.from({ length: 100 }, (_, i) => i);
  socket.emit("data", Buffer.from(sent));
  const first = handled.length;
  assert.ok(first > 0 && first < 50, `${first} in the first batch`);
  assert.equal(socket.isPaused, true);
  await setImmediate();
  assert.ok(handled.length - first <= first, `${handled.length - first} in the second batch`);
  for (let turns = 0; turns < 100 && handled.length < sent.length; turns++) await setImmediate();
  assert.deepEqual(handled, sent);
  assert.equal(socket.isPaused, false);
});

test("a printer that floods is disconnected once, and none of its later messages is handled", async () => {
  for (const size of [1, 100_000]) {
    const socket = playedSocket();
    const reasons: string[] = [];
    let handled = 0;
    const handle = (bytes: Buffer): number => (bytes.length < size ? 0 : (handled++, size));
    readPaced({ socket: socket as unknown as Socket, handle, onFlood: (reason) => void reasons.push(reason) });
    socket.emit("data", Buffer.alloc(400 * size));
    for (let turns = 0; turns < 200; turns++) await setImmediate();
    const before = handled;
    socket.emit("data", Buffer.alloc(size));
    assert.equal(handled, before);
    assert.ok(handled > 10 && handled < 300, `${handled} messages`);
    assert.deepEqual(reasons.length, 1);
    assert.match(reasons[0], size === 1 ? /more than 200 messages a second/ : /more than 8388608 bytes a second/);
  }
});

test("the log names a printer that floods, which is connected again later", async () => {
  const fakes = await startSdcpFakes({});
  const [{ host, port, send, seen }] = fakes.printers;
  const lines: string[] = [];
  const log = {
    write: (event: string, details?: object) => void lines.push(`${event} ${JSON.stringify(details)}`),
    close() {},
  };
  const known = [{ protocol: "sdcp", host, port }] as const;
  const protocol = sdcpProtocol({ known, discoveryAddresses: [], timing: QUICK, log });
  await until("it is connected", () => protocol.connected().length === 1);
  const PING = [0x89, 0];
  await send(Buffer.from(Array.from({ length: 1000 }, () => PING).flat()));
  await until("it is dropped", () =>
    lines.some((line) => /^printer lost .*more than 200 messages a second/.test(line)),
  );
  await until("it is connected again", () => protocol.connected().length === 1);
  assert.ok((await seen()).connections > 1);
  await protocol.close();
  await fakes.stop();
});
