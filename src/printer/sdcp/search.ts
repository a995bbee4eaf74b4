import { type Socket, createSocket } from "node:dgram";
import { isIPv6 } from "node:net";
import { type NetworkInterface, networkInterfaces } from "../network-interfaces.ts";
import type { Timing } from "./timing.ts";
import { type DiscoveryAnswer, parseDiscoveryAnswer } from "./unusable-reply.ts";
import { pause } from "../waiting.ts";

/** Where to search for printers. */
export interface SearchTargets {
  /** Hosts that are also asked directly, since radio networks lose broadcasts. */
  readonly hosts: readonly UdpAddress[];
  /** The addresses of the interfaces whose networks are asked: see {@link networkInterfaces}. An empty list asks no network. */
  readonly interfaceAddresses: readonly string[] | undefined;
  /** UDP port of broadcasts. */
  readonly port: number;
}

export interface UdpAddress {
  readonly host: string;
  readonly port: number;
}

/** Printers of all versions answer this text. */
const QUESTION = "M99999";
/** The system sends it by one interface only, which may not be that of the socket, so loopback networks get their own broadcast address. */
const LIMITED_BROADCAST = "255.255.255.255";
/** Most answers of one search; no network has more printers. */
const MAX_ANSWERS = 4096;

/** Asks for printers until the signal is aborted, and passes on each reply with the IP address of its sender. Never rejects. */
export async function search(
  targets: SearchTargets,
  { probesMs, probeEveryMs }: Pick<Timing, "probesMs" | "probeEveryMs">,
  signal: AbortSignal,
  heard: (answer: DiscoveryAnswer, address: string) => void,
): Promise<void> {
  let answers = 0;
  const receive = (datagram: Uint8Array, { address }: { readonly address: string }): void => {
    if (signal.aborted || ++answers > MAX_ANSWERS) return;
    const answer = parseDiscoveryAnswer(datagram);
    if (answer) heard(answer, address);
  };
  const questions = [
    ...networkInterfaces(targets.interfaceAddresses).map((one) => askNetwork(one, targets.port, receive)),
    ...targets.hosts.map((target) => newQuestion(isIPv6(target.host) ? "udp6" : "udp4", [target], receive)),
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

/** A question with its own socket. */
interface Question {
  ask(): void;
  end(): void;
}

function askNetwork({ address, broadcast }: NetworkInterface, port: number, receive: Receive): Question {
  const hosts = address.startsWith("127.") ? [broadcast] : [broadcast, LIMITED_BROADCAST];
  const targets = hosts.map((host) => ({ host, port }));
  return newQuestion("udp4", targets, receive, address);
}

/** Errors of sending are ignored, since interfaces may disappear and names may be unknown. */
function newQuestion(
  type: "udp4" | "udp6",
  targets: readonly UdpAddress[],
  receive: Receive,
  address?: string,
): Question {
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
        for (const { host, port } of targets) if (isOpen) socket.send(QUESTION, port, host, () => {});
      }),
  };
}
