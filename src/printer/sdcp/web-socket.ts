import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { type Socket, connect, isIPv6 } from "node:net";
import { newGrowingBuffer } from "./growing-buffer.ts";
import { readPaced } from "./paced-reader.ts";

// The client of RFC 6455 that printers need. The clients of the runtimes limit neither the size of a message nor the duration of the
// handshake, and close the socket of a lost peer only after a wait. The package `ws` does not help: Bun replaces it by its own
// client.

/** An open connection. */
export interface WebSocketLink {
  send(text: string): void;
  /** Ends the connection at once; `onClosed` is not called. */
  close(): void;
}

export interface WebSocketOptions {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Time until the handshake is done, ms. */
  readonly connectMs: number;
  /** A larger message ends the connection. */
  readonly maxMessageBytes: number;
  readonly signal: AbortSignal;
  /** Called for each message; its bytes are valid until it returns. */
  onMessage(bytes: Uint8Array): void;
  /** Called once when the connection ends without `close`. */
  onClosed(reason: string): void;
}

const MAX_HEAD_BYTES = 16 * 1024;
/** A peer that leaves more bytes unread counts as gone. */
const MAX_UNSENT_BYTES = 256 * 1024;
const END_OF_HEAD = "\r\n\r\n";

/** Connects. Rejects with the cause where that fails. */
export function openWebSocket(options: WebSocketOptions): Promise<WebSocketLink> {
  const { host, port, signal } = options;
  const socket = connect({ host, port, noDelay: true });
  const key = randomBytes(16).toString("base64");
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const fail = (reason: string): void => {
      settle();
      socket.destroy();
      reject(new Error(reason));
    };
    const timer = setTimeout(() => fail(`no connection within ${options.connectMs / 1000} s`), options.connectMs);
    const cancel = (): void => fail("the connection is no longer wanted");
    const receive = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) {
        if (head.length > MAX_HEAD_BYTES) fail("its answer is no HTTP");
        return;
      }
      const refused = refusal(head.subarray(0, end).toString("latin1"), key);
      if (refused !== undefined) return fail(refused);
      settle();
      resolve(linkOf(socket, head.subarray(end + END_OF_HEAD.length), options));
    };
    const lost = (error?: Error | boolean): void =>
      fail(error instanceof Error ? error.message : "it closed the connection");
    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      socket.off("data", receive);
      socket.off("close", lost);
      socket.off("error", lost);
      // Without a listener, a late error would end the process.
      socket.on("error", () => {});
    }
    socket.on("data", receive);
    socket.on("close", lost);
    socket.on("error", lost);
    socket.on("connect", () => socket.write(handshake(options, key)));
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
  });
}

const handshake = ({ host, port, path }: WebSocketOptions, key: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${isIPv6(host) ? `[${host}]` : host}:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
  ].join("\r\n") + END_OF_HEAD;

/** The constant of RFC 6455, 1.3. */
const ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Why the answer to a handshake is no acceptance; undefined where it is one. */
function refusal(head: string, key: string): string | undefined {
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  // The sixth client of a printer gets 500, "too many client".
  if (status === "500" || status === "503") return "it has as many connections as it takes: close another program's";
  if (status !== "101") return `it answers the connection with ${status ?? "no HTTP"}`;
  const [, accepted] = /^sec-websocket-accept:[ \t]*(\S+)[ \t]*$/im.exec(head) ?? [];
  const expected = createHash("sha1")
    .update(key + ACCEPT_GUID)
    .digest("base64");
  return accepted === expected ? undefined : "its answer is not of a WebSocket";
}

/** Bits and opcodes of frames (RFC 6455, 5.2). */
const FIN = 0x80;
const RESERVED = 0x70;
const MASKED = 0x80;
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const MAX_CONTROL_BYTES = 125;

function linkOf(socket: Socket, first: Buffer, options: WebSocketOptions): WebSocketLink {
  let isOver = false;
  const end = (): void => {
    isOver = true;
    socket.destroy();
  };
  const fail = (reason: string): void => {
    if (isOver) return;
    end();
    options.onClosed(reason);
  };
  const send = (opcode: number, payload: Uint8Array): void => {
    if (isOver) return;
    socket.write(clientFrame(opcode, payload));
    if (socket.writableLength > MAX_UNSENT_BYTES) fail("it reads nothing");
  };
  const frames = new FrameReader(options.maxMessageBytes, {
    onMessage: options.onMessage,
    onPing: (payload) => send(PONG, payload),
    onFailure: fail,
    isOver: () => isOver,
  });
  const addBytes = readPaced({ socket, handle: (bytes) => frames.handleFrame(bytes), onFlood: fail });
  socket.on("error", (error) => fail(error.message));
  socket.on("close", () => fail("it closed the connection"));
  // Deferred, so that the caller has the link when the first message arrives.
  if (first.length > 0) setImmediate(() => addBytes(first));
  return {
    send: (text) => send(TEXT, Buffer.from(text)),
    close() {
      if (isOver) return;
      socket.write(clientFrame(CLOSE, new Uint8Array()));
      end();
    },
  };
}

/** Encodes a frame. Clients mask their payload (RFC 6455, 5.3). */
function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const extended = length > 0xffff ? 8 : length > MAX_CONTROL_BYTES ? 2 : 0;
  const frame = Buffer.alloc(2 + extended + 4 + length);
  frame[0] = FIN | opcode;
  frame[1] = MASKED | (extended === 8 ? 127 : extended === 2 ? 126 : length);
  if (extended > 0) frame.writeUIntBE(length, extended === 8 ? 4 : 2, extended === 8 ? 6 : 2);
  const mask = randomBytes(4);
  mask.copy(frame, 2 + extended);
  payload.forEach((byte, i) => (frame[6 + extended + i] = byte ^ mask.readUInt8(i % 4)));
  return frame;
}

interface FrameEvents {
  onMessage(bytes: Uint8Array): void;
  onPing(payload: Uint8Array): void;
  /** Ends the connection for this reason. */
  onFailure(reason: string): void;
  isOver(): boolean;
}

const MALFORMED = "a frame of it is malformed";

/** Reads the frames of a server, one at a time, and joins fragments to messages. */
class FrameReader {
  readonly #maxMessageBytes: number;
  readonly #events: FrameEvents;
  readonly #fragments = newGrowingBuffer();
  #isFragmented = false;

  constructor(maxMessageBytes: number, events: FrameEvents) {
    this.#maxMessageBytes = maxMessageBytes;
    this.#events = events;
  }

  /** Handles the frame at the beginning of the bytes. Returns its length: 0 where it is not complete, undefined where the connection has ended. */
  handleFrame(bytes: Buffer): number | undefined {
    if (this.#events.isOver()) return undefined;
    if (bytes.length < 2) return 0;
    const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
    const code = second & 0x7f;
    const head = code === 127 ? 10 : code === 126 ? 4 : 2;
    if ((first & RESERVED) !== 0 || (second & MASKED) !== 0) return this.#fail(MALFORMED);
    if (bytes.length < head) return 0;
    const length = code === 127 ? Number(bytes.readBigUInt64BE(2)) : code === 126 ? bytes.readUInt16BE(2) : code;
    if (length + this.#fragments.bytes().length > this.#maxMessageBytes)
      return this.#fail(`a message of it has more than ${this.#maxMessageBytes} bytes`);
    if (bytes.length < head + length) return 0;
    const opcode = first & 0x0f;
    const isLast = (first & FIN) !== 0;
    const payload = bytes.subarray(head, head + length);
    if (opcode >= CLOSE) this.#handleControl(opcode, isLast, payload);
    else this.#handleData(opcode, isLast, payload);
    return this.#events.isOver() ? undefined : head + length;
  }

  #handleControl(opcode: number, isLast: boolean, payload: Buffer): void {
    if (opcode > PONG || !isLast || payload.length > MAX_CONTROL_BYTES) this.#fail(MALFORMED);
    else if (opcode === CLOSE) this.#fail("it closed the connection");
    else if (opcode === PING) this.#events.onPing(payload);
  }

  #handleData(opcode: number, isLast: boolean, payload: Buffer): void {
    if (opcode > BINARY || (opcode === CONTINUATION) !== this.#isFragmented) return this.#fail(MALFORMED);
    this.#isFragmented = !isLast;
    if (isLast && opcode !== CONTINUATION) return this.#events.onMessage(payload);
    this.#fragments.append(payload);
    if (!isLast) return;
    this.#events.onMessage(this.#fragments.bytes());
    this.#fragments.drop(this.#fragments.bytes().length);
  }

  #fail(reason: string): undefined {
    this.#events.onFailure(reason);
  }
}
