import { Buffer } from "node:buffer";
import { type Socket, createServer } from "node:net";
import { readPaced } from "../sdcp/paced-reader.ts";
import { listenOn } from "./listen-on.ts";

// What a printer needs of a broker of MQTT 3.1.1 (OASIS, 2014), of which it is the only client.

/** A listener that one printer connects to. */
export interface MqttListener {
  readonly port: number;
  /** Resolves when the printer waits for messages. */
  readonly subscribed: Promise<void>;
  publish(text: string): void;
  close(): void;
}

interface MqttOptions {
  readonly host: string;
  /** Others are not let in. */
  readonly clientAddress: string;
  readonly clientId: string;
  /** That the printer listens to. */
  readonly topic: string;
  /** Called for each message of the printer; the bytes are valid until it returns. */
  message(topic: string, bytes: Uint8Array): void;
  /** Called when the printer, once it waited for messages, has ended its connection. */
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

/** A status has some 1,500. */
const MAX_PACKET_BYTES = 256 * 1024;
const MAX_UNSENT_BYTES = 256 * 1024;
/** Level of version 3.1.1. */
const LEVEL = 4;

/** Listens on a free port of an address of this machine. Throws OPERATION_FAILED where it has no such address. */
export async function listenForMqtt(options: MqttOptions): Promise<MqttListener> {
  const sockets = new Set<Socket>();
  const subscribed = Promise.withResolvers<void>();
  let client: Socket | undefined;
  let isClosed = false;

  function welcome(socket: Socket): void {
    socket.on("error", () => {});
    // A printer connects once, and once more where that broke.
    if (socket.remoteAddress !== options.clientAddress) return void socket.destroy();
    sockets.add(socket);
    let why = "it ended the connection";
    const takeOne = newPacketTaker((type, flags, body) => {
      try {
        return take(socket, type, flags, body);
      } catch {
        // A field reaches over the end of its packet.
        return false;
      }
    });
    readPaced({
      socket,
      take(bytes) {
        const isDeaf = socket.writableLength > MAX_UNSENT_BYTES;
        if (isDeaf) why = "it reads nothing";
        const taken = isDeaf ? undefined : takeOne(bytes);
        if (taken === undefined) socket.destroy();
        return taken;
      },
      flooded(reason) {
        why = reason;
        socket.destroy();
      },
    });
    socket.on("close", () => {
      sockets.delete(socket);
      if (socket !== client || isClosed) return;
      client = undefined;
      options.lost(why);
    });
  }

  /** False where the connection is to be ended. */
  function take(socket: Socket, type: number, flags: number, body: Buffer): boolean {
    if (type === CONNECT) {
      if (clientIdOf(body) !== options.clientId) return false;
      return socket.write(Buffer.from([CONNACK, 2, 0, 0])) || true;
    }
    const packetId = (): Buffer => body.subarray(0, 2);
    switch (type) {
      case SUBSCRIBE: {
        const filters = filtersOf(body.subarray(2));
        // Each is granted at most once.
        socket.write(packet(SUBACK, packetId(), Buffer.alloc(filters.length)));
        if (!filters.includes(options.topic)) return true;
        const before = client;
        client = socket;
        if (before !== socket) before?.destroy();
        subscribed.resolve();
        return true;
      }
      case UNSUBSCRIBE:
        return socket.write(packet(UNSUBACK, packetId())) || true;
      case PUBLISH: {
        const quality = (flags >> 1) & 3;
        const { text: topic, end } = textAt(body, 0);
        const start = quality === 0 ? end : end + 2;
        if (quality === 3 || start > body.length) return false;
        if (quality > 0) socket.write(packet(quality === 1 ? PUBACK : PUBREC, body.subarray(end, start)));
        options.message(topic, body.subarray(start));
        return true;
      }
      case PUBREL:
        return socket.write(packet(PUBCOMP, packetId())) || true;
      case PINGREQ:
        return socket.write(packet(PINGRESP)) || true;
      default:
        return type !== DISCONNECT;
    }
  }

  const server = createServer(welcome);
  server.maxConnections = 4;
  return {
    port: await listenOn(server, options.host),
    subscribed: subscribed.promise,
    publish: (text) => void client?.write(packet(PUBLISH_AT_MOST_ONCE, textField(options.topic), Buffer.from(text))),
    close() {
      isClosed = true;
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `take` gets the packet at the begin of the bytes. Gives its length, 0 where it is not whole, undefined once the connection is to be ended. */
const newPacketTaker =
  (take: (type: number, flags: number, body: Buffer) => boolean) =>
  (have: Buffer): number | undefined => {
    const length = lengthAt(have);
    if (length === "incomplete") return 0;
    if (length === "wrong" || length.value > MAX_PACKET_BYTES) return undefined;
    const end = length.end + length.value;
    if (have.length < end) return 0;
    return take(have[0] >> 4, have[0] & 15, have.subarray(length.end, end)) ? end : undefined;
  };

const MAX_LENGTH_BYTES = 4;

/** The length of a packet, from its second byte on seven bits each (section 2.2.3). */
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

/** Throws RangeError where it reaches over the end, as all fields do. */
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

/** After the name and the level of the protocol come flags and the time to keep alive, one and two bytes. */
function clientIdOf(body: Buffer): string | undefined {
  const { text: protocol, end } = textAt(body, 0);
  return protocol === "MQTT" && body[end] === LEVEL ? textAt(body, end + 4).text : undefined;
}

/** After each filter comes its quality, one byte. */
function filtersOf(body: Buffer): string[] {
  const filters: string[] = [];
  for (let at = 0; at < body.length;) {
    const { text, end } = textAt(body, at);
    filters.push(text);
    at = end + 1;
  }
  return filters;
}
