import { type Socket, createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { type NetworkInterface, networkInterfaces } from "../network-interfaces.ts";
import { type DiscoveryReply, parseDiscoveryReply } from "./discovery-reply.ts";
import type { Timing } from "./timing.ts";
import { pause } from "../waiting.ts";

/** Where printers are asked for. */
export interface SearchPlaces {
  /** Hosts that are asked for themselves: radio networks lose broadcasts. */
  readonly hosts: readonly UdpPlace[];
  /** Whose networks are asked: see {@link networkInterfaces}. None where it is empty. */
  readonly interfaceAddresses: readonly string[] | undefined;
  /** UDP port of the question to a whole network. */
  readonly port: number;
}

export interface UdpPlace {
  readonly host: string;
  readonly port: number;
}

/** Printers of every version answer to it. */
const QUESTION = "M99999";
/** It leaves by one interface only, which may be another than that of its socket: loopback networks are asked by their own. */
const LIMITED_BROADCAST = "255.255.255.255";
/** More answers to one search are no printers'. */
const MAX_ANSWERS = 4096;

/** Asks for printers until the signal is aborted, and passes on who answers and from where. Never rejects. */
export async function search(
  places: SearchPlaces,
  { probesMs, probeEveryMs }: Pick<Timing, "probesMs" | "probeEveryMs">,
  signal: AbortSignal,
  found: (announcement: DiscoveryReply, address: string) => void,
): Promise<void> {
  let answers = 0;
  const receive = (datagram: Uint8Array, { address }: { readonly address: string }): void => {
    if (signal.aborted || ++answers > MAX_ANSWERS) return;
    const announcement = parseDiscoveryReply(datagram);
    if (announcement) found(announcement, address);
  };
  const questions = [
    ...networkInterfaces(places.interfaceAddresses).map((one) => askNetwork(one, places.port, receive)),
    ...places.hosts.map((place) => newQuestion(isIPv6(place.host) ? "udp6" : "udp4", [place], receive)),
  ];
  try {
    for (let i = 0, atMs = 0; !signal.aborted; i++) {
      const nextMs = probesMs[i] ?? atMs + probeEveryMs;
      await pause(nextMs - atMs, signal);
      atMs = nextMs;
      if (!signal.aborted) questions.forEach(({ ask }) => ask());
    }
  } finally {
    questions.forEach(({ end }) => end());
  }
}

type Receive = (datagram: Uint8Array, sender: { readonly address: string }) => void;

/** A question that is asked from a socket of its own. */
interface Question {
  ask(): void;
  end(): void;
}

function askNetwork({ address, broadcast }: NetworkInterface, port: number, receive: Receive): Question {
  const hosts = address.startsWith("127.") ? [broadcast] : [broadcast, LIMITED_BROADCAST];
  const places = hosts.map((host) => ({ host, port }));
  return newQuestion("udp4", places, receive, address);
}

/** Interfaces come and go and names may be unknown: what cannot be sent is not. */
function newQuestion(type: "udp4" | "udp6", places: readonly UdpPlace[], receive: Receive, address?: string): Question {
  const socket: Socket = createSocket({ type });
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    socket.close();
  };
  const bound = new Promise<void>((resolve) => {
    socket.once("listening", () => {
      if (type === "udp4") socket.setBroadcast(true);
      resolve();
    });
  });
  socket.on("error", end);
  socket.on("message", receive);
  socket.bind({ port: 0, ...(address !== undefined && { address }) });
  return {
    end,
    ask: () =>
      void bound.then(() => {
        for (const { host, port } of places) if (isOpen) socket.send(QUESTION, port, host, () => {});
      }),
  };
}
