import { Buffer } from "node:buffer";
import { type Socket, createServer } from "node:net";
import { readPaced } from "../sdcp/paced-reader.ts";
import { listenOn } from "./listen-on.ts";

// The part of an MQTT 3.1.1 broker (OASIS, 2014) that a printer needs; the printer is its only client.

/** A listener to which one printer connects. */
export interface MqttListener {
  readonly port: number;
  /** Resolves when the printer has subscribed to messages. */
  readonly subscribed: Promise<void>;
  publish(text: string): void;
  close(): void;
}

interface MqttOptions {
  readonly host: string;
  /** Connections from other addresses are refused. */
  readonly clientAddress: string;
  readonly clientId: string;
  /** The topic to which the printer subscribes. */
  readonly topic: string;
  /** Called for each message of the printer; the bytes are valid until it returns. */
  message(topic: string, bytes: Uint8Array): void;
  /** Called when the printer, after it had subscribed, has ended its connection. */
  lost(reason: string): void;
}

const CONNECT = 1;
const CONNACK = 0x20;
const PUBLISH = 3;
const PUBLISH_AT_MOST_ONCE = 0x30;
const PUBACK = 0x40;
const PUBREC = 0x50;
const PUBREL = 6;
const PUBCOMP = 0x70;
const SUBSCRIBE = 8;
const SUBACK = 0x90;
const UNSUBSCRIBE = 10;
const UNSUBACK = 0xb0;
const PINGREQ = 12;
const PINGRESP = 0xd0;
const DISCONNECT = 14;

/** A status has about 1,500 bytes. */
const MAX_PACKET_BYTES = 256 * 1024;
const MAX_UNSENT_BYTES = 256 * 1024;
/** Protocol level of version 3.1.1. */
const LEVEL = 4;

/** Listens on a free port of an address of this machine. Throws OPERATION_FAILED where the machine lacks the address. */
export async function listenForMqtt(options: MqttOptions): Promise<MqttListener> {
  const broker = new Broker(options);
  const server = createServer((socket) => broker.accept(socket));
  server.maxConnections = 4;
  return {
    port: await listenOn(server, options.host),
    subscribed: broker.subscribed,
    publish: (text) => broker.publish(text),
    close() {
      server.close();
      broker.close();
    },
  };
}

/** The connections of one printer. It connects once, and again where that connection broke. */
class Broker {
  readonly #options: MqttOptions;
  readonly #sockets = new Set<Socket>();
  readonly #subscribed = Promise.withResolvers<void>();
  /** The connection that has subscribed last. */
  #client: Socket | undefined;
  #isClosed = false;

  constructor(options: MqttOptions) {
    this.#options = options;
  }

  get subscribed(): Promise<void> {
    return this.#subscribed.promise;
  }

  publish(text: string): void {
    this.#client?.write(packet(PUBLISH_AT_MOST_ONCE, textField(this.#options.topic), Buffer.from(text)));
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  accept(socket: Socket): void {
    socket.on("error", () => {});
    if (socket.remoteAddress !== this.#options.clientAddress) return void socket.destroy();
    this.#sockets.add(socket);
    let endReason = "it ended the connection";
    readPaced({
      socket,
      handle: (bytes) => {
        const readsNothing = socket.writableLength > MAX_UNSENT_BYTES;
        if (readsNothing) endReason = "it reads nothing";
        const handled = readsNothing ? undefined : this.#handlePacket(socket, bytes);
        if (handled === undefined) socket.destroy();
        return handled;
      },
      onFlood(reason) {
        endReason = reason;
        socket.destroy();
      },
    });
    socket.on("close", () => {
      this.#sockets.delete(socket);
      if (socket !== this.#client || this.#isClosed) return;
      this.#client = undefined;
      this.#options.lost(endReason);
    });
  }

  /**
   * Handles the packet at the beginning of the bytes. Returns its length: 0 where it is not complete, undefined where the connection must
   * be ended.
   */
  #handlePacket(socket: Socket, bytes: Buffer): number | undefined {
    const length = lengthAt(bytes);
    if (length === "incomplete") return 0;
    if (length === "wrong" || length.value > MAX_PACKET_BYTES) return undefined;
    const end = length.end + length.value;
    if (bytes.length < end) return 0;
    try {
      return this.#handle(socket, bytes.readUInt8(0) >> 4, bytes.readUInt8(0) & 15, bytes.subarray(length.end, end))
        ? end
        : undefined;
    } catch {
      // A field extends past the end of its packet.
      return undefined;
    }
  }

  /** False where the connection must be ended. */
  #handle(socket: Socket, type: number, flags: number, body: Buffer): boolean {
    const packetId = body.subarray(0, 2);
    switch (type) {
      case CONNECT:
        return clientIdOf(body) === this.#options.clientId && send(socket, Buffer.from([CONNACK, 2, 0, 0]));
      case SUBSCRIBE:
        return this.#subscribe(socket, packetId, filtersOf(body.subarray(2)));
      case UNSUBSCRIBE:
        return send(socket, packet(UNSUBACK, packetId));
      case PUBLISH:
        return this.#receive(socket, (flags >> 1) & 3, body);
      case PUBREL:
        return send(socket, packet(PUBCOMP, packetId));
      case PINGREQ:
        return send(socket, packet(PINGRESP));
      default:
        return type !== DISCONNECT;
    }
  }

  #subscribe(socket: Socket, packetId: Buffer, filters: readonly string[]): true {
    // Grants QoS 0 (at most once) for each filter.
    socket.write(packet(SUBACK, packetId, Buffer.alloc(filters.length)));
    if (!filters.includes(this.#options.topic)) return true;
    const before = this.#client;
    this.#client = socket;
    if (before !== socket) before?.destroy();
    this.#subscribed.resolve();
    return true;
  }

  /** Acknowledges a message of the printer as its QoS requires, and passes it on. */
  #receive(socket: Socket, qos: number, body: Buffer): boolean {
    const { text: topic, end } = textAt(body, 0);
    const start = qos === 0 ? end : end + 2;
    if (qos === 3 || start > body.length) return false;
    if (qos > 0) socket.write(packet(qos === 1 ? PUBACK : PUBREC, body.subarray(end, start)));
    this.#options.message(topic, body.subarray(start));
    return true;
  }
}

function send(socket: Socket, bytes: Buffer): true {
  socket.write(bytes);
  return true;
}

const MAX_LENGTH_BYTES = 4;

/** The length of a packet, which is coded from its second byte on with seven bits per byte (section 2.2.3). */
function lengthAt(bytes: Buffer): { readonly value: number; readonly end: number } | "incomplete" | "wrong" {
  for (let i = 0, value = 0; i < MAX_LENGTH_BYTES; i++) {
    const byte = bytes[1 + i];
    if (byte === undefined) return "incomplete";
    value += (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return { value, end: 2 + i };
  }
  return "wrong";
}

function packet(head: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = body.length; length.length === 0 || rest > 0; rest >>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return Buffer.concat([Buffer.from([head, ...length]), body]);
}

/** Reads a text with its length. Throws RangeError where it extends past the end of the packet. */
function textAt(body: Buffer, at: number): { readonly text: string; readonly end: number } {
  const end = at + 2 + body.readUInt16BE(at);
  if (end > body.length) throw new RangeError("the text is longer than its packet");
  return { text: body.toString("utf8", at + 2, end), end };
}

function textField(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The client id of CONNECT. It follows the name and the level of the protocol, one byte of flags and two bytes of keep-alive time. */
function clientIdOf(body: Buffer): string | undefined {
  const { text: protocol, end } = textAt(body, 0);
  return protocol === "MQTT" && body[end] === LEVEL ? textAt(body, end + 4).text : undefined;
}

/** The topic filters of SUBSCRIBE. One byte with the QoS follows each. */
function filtersOf(body: Buffer): string[] {
  const filters: string[] = [];
  for (let at = 0; at < body.length;) {
    const { text, end } = textAt(body, at);
    filters.push(text);
    at = end + 1;
  }
  return filters;
}
