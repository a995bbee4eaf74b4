import { type Socket, createSocket } from "node:dgram";
import { encode } from "dns-packet";
import { networkInterfaces } from "../network-interfaces.ts";
import type { Announcement } from "../polled/polled-protocol.ts";
import { SERVICES, parseAnnouncements } from "./announcement.ts";
import { pause } from "../waiting.ts";

/** Where machines are asked to announce themselves (RFC 6762). */
export interface MulticastOptions {
  /** See {@link networkInterfaces}. */
  readonly addresses: readonly string[] | undefined;
  readonly port: number;
}

const GROUP = "224.0.0.251";
/** Times at which the question is sent: several, since radio networks lose datagrams. */
const QUESTIONS_AT_MS = [0, 1000, 3000];
/** TTL of the questions. Machines that check it answer only datagrams of their own link, which have this value (RFC 6762, 11). */
const TTL = 255;
/** Most datagrams of one search; no network sends more answers. */
const MAX_DATAGRAMS = 4096;

/**
 * Asks on each network interface for machines that announce themselves, until the signal is aborted. The questions are one-shot questions
 * (RFC 6762, 6.7): they come from a port of our own, to which the answers go, so that nothing conflicts with the responder of the system.
 * Never rejects.
 */
export async function browse(
  { addresses, port }: MulticastOptions,
  found: (announcement: Announcement) => void,
  signal: AbortSignal,
): Promise<void> {
  let datagrams = 0;
  const receive = (datagram: Uint8Array, { address }: { readonly address: string }): void => {
    if (signal.aborted || ++datagrams > MAX_DATAGRAMS) return;
    parseAnnouncements(datagram, address).forEach(found);
  };
  const sockets = networkInterfaces(addresses).map(({ address }) => openSocket(address, receive));
  const questions = SERVICES.map((name) =>
    encode({ type: "query", id: 0, flags: 0, questions: [{ name, type: "PTR", class: "IN" }] }),
  );
  let atMs = 0;
  for (const nextMs of [...QUESTIONS_AT_MS, Infinity]) {
    await pause(nextMs - atMs, signal);
    if (signal.aborted) break;
    atMs = nextMs;
    for (const socket of sockets) for (const question of questions) send(socket, question, port);
  }
  for (const socket of sockets) socket.close();
}

/** A socket on the interface with that address. Its errors, for example of an interface that has disappeared, do not end the search. */
function openSocket(
  address: string,
  receive: (datagram: Uint8Array, sender: { readonly address: string }) => void,
): Socket {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  socket.on("error", () => {});
  socket.on("message", receive);
  socket.bind({ address, port: 0 }, () => {
    try {
      socket.setMulticastInterface(address);
      socket.setMulticastTTL(TTL);
      socket.setMulticastLoopback(true);
    } catch {
      // The system then sends the questions by its default interface, or not at all.
    }
  });
  return socket;
}

function send(socket: Socket, question: Uint8Array, port: number): void {
  try {
    socket.send(question, port, GROUP, () => {});
  } catch {
    // The interface has disappeared.
  }
}
