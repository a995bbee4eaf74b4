import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type Socket, createServer } from "node:net";
import { test } from "node:test";
import { openWebSocket } from "../../../src/printer/sdcp/web-socket.ts";

/** A peer that accepts the handshake (RFC 6455, 1.3) and reads nothing afterwards. */
async function deafPeer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const [, key] = /Sec-WebSocket-Key: (\S+)/.exec(head.toString())!;
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      socket.pause();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** More messages, of 64 KiB each, than the buffers of a system hold for one connection: up to 6 MiB on Linux. */
const MOST_MESSAGES = 200;

test("a peer that reads nothing is disconnected before its messages take memory", async () => {
  const peer = await deafPeer();
  const ended: string[] = [];
  const link = await openWebSocket({
    host: "127.0.0.1",
    port: peer.port,
    path: "/",
    connectMs: 20_000,
    maxMessageBytes: 1000,
    signal: new AbortController().signal,
    onMessage: () => {},
    onClosed: (reason) => ended.push(reason),
  });
  const text = "x".repeat(64 * 1024);
  let sent = 0;
  for (; ended.length === 0 && sent < MOST_MESSAGES; sent++) {
    link.send(text);
    await new Promise(setImmediate);
  }
  peer.close();
  assert.deepEqual(ended, ["it reads nothing"]);
  assert.ok(sent < MOST_MESSAGES);
});
