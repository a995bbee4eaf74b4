import { createSocket } from "node:dgram";
import * as v from "valibot";
import { parseJson } from "../../core/json.ts";
import { type Acknowledged, type Request, newDialogue } from "../sdcp/dialogue.ts";
import { type Message, randomId } from "../sdcp/message.ts";
import type { Connection } from "../sdcp/connection.ts";
import type { HostView } from "../sdcp/watched-host.ts";
import { type Status, statusFields } from "../sdcp/status.ts";
import type { Timing } from "../sdcp/timing.ts";
import { pause, untilAborted, withinTime } from "../waiting.ts";
import { listenForMqtt } from "./mqtt-listener.ts";

/** A printer of version 1 that has connected to this machine. It has no list of files, and its attributes are not needed. */
export interface V1Connection extends Pick<Connection, "status" | "fetchStatus" | "ended"> {
  send(name: keyof typeof COMMANDS, data: object): Promise<Acknowledged>;
  close(): void;
}

const COMMANDS = { status: 0, attributes: 1, disconnect: 64, start: 128, fetchFile: 256, period: 512 } as const;
const FROM_PC = 0;
/** How often the printer tells its status by itself. */
const PERIOD_MS = 5000;
const MAX_DEPTH = 16;

const response = v.object({ Data: v.object({ RequestID: v.string(), Data: v.looseObject({}) }) });
const pushed = v.object({ Data: v.object({ Status: statusFields }) });

interface V1Place {
  readonly site: HostView;
  /** The address of this machine that the printer connects to. */
  readonly host: string;
  readonly timing: Timing;
  /** Called for each status that the printer tells. */
  heard(status: Status): void;
}

/**
 * Listens on this machine, asks the printer over UDP to connect, and waits until it has told its status. Rejects with the cause when that does
 * not come about, and throws `CancelledError` when the signal is aborted; then nothing listens any more.
 */
export async function openV1Connection(place: V1Place, signal: AbortSignal): Promise<V1Connection> {
  const { site, host, timing } = place;
  const { mainboardId } = site;
  const dialogue = newDialogue((text) => listener.publish(text), timing);
  const listener = await listenForMqtt({
    host,
    clientAddress: site.address(),
    clientId: mainboardId,
    topic: `/sdcp/request/${mainboardId}`,
    lost: dialogue.end,
    message(topic, bytes) {
      const message = messageOf(topic, bytes, mainboardId);
      if (!message) return;
      if (message.kind === "status") place.heard(message.status);
      dialogue.take(message);
    },
  });
  const close = (): void => {
    listener.close();
    dialogue.end("the connection is no longer wanted");
  };
  const send: V1Connection["send"] = (name, data) => dialogue.send(requestOf(COMMANDS[name], data, mainboardId));
  const connection: V1Connection = {
    status: () => dialogue.status()!,
    send,
    fetchStatus: () => dialogue.fetch("status", requestOf(COMMANDS.status, {}, mainboardId)),
    ended: dialogue.ended,
    close,
  };
  const calling = new AbortController();
  try {
    void call(site, listener.port, timing, calling.signal);
    const late = `it did not connect to ${host} within ${timing.callMs / 1000} s`;
    await untilAborted(withinTime(listener.subscribed, timing.callMs, late), signal);
    await untilAborted(connection.fetchStatus(), signal);
    await untilAborted(send("attributes", {}), signal);
    await untilAborted(send("period", { TimePeriod: PERIOD_MS }), signal);
    return connection;
  } catch (thrown) {
    close();
    throw thrown;
  } finally {
    calling.abort();
  }
}

/** Tells the printer, until the signal is aborted, to which port of this machine it shall connect. */
async function call(
  { place, address }: HostView,
  port: number,
  { probesMs, probeEveryMs }: Timing,
  signal: AbortSignal,
) {
  const socket = createSocket("udp4");
  socket.on("error", () => {});
  for (let i = 0, atMs = 0; !signal.aborted; i++) {
    const nextMs = probesMs[i] ?? atMs + probeEveryMs;
    await pause(nextMs - atMs, signal);
    atMs = nextMs;
    if (!signal.aborted) socket.send(`M66666 ${port}`, place.udpPort, address(), () => {});
  }
  socket.close();
}

/** Unlike those of version 3, these have the time in ms, and their topic is that of MQTT alone. */
function requestOf(command: number, data: object, mainboardId: string): Request {
  const requestId = randomId();
  const request = {
    Id: randomId(),
    Data: {
      Cmd: command,
      Data: data,
      From: FROM_PC,
      MainboardID: mainboardId,
      RequestID: requestId,
      TimeStamp: Date.now(),
    },
  };
  return { requestId, text: JSON.stringify(request) };
}

function messageOf(topic: string, bytes: Uint8Array, mainboardId: string): Message | undefined {
  let told: unknown;
  try {
    told = parseJson(bytes, MAX_DEPTH);
  } catch {
    return undefined;
  }
  if (topic === `/sdcp/response/${mainboardId}`) {
    const { success, output } = v.safeParse(response, told);
    return success ? { kind: "response", requestId: output.Data.RequestID, data: output.Data.Data } : undefined;
  }
  if (topic !== `/sdcp/status/${mainboardId}`) return undefined;
  const { success, output } = v.safeParse(pushed, told);
  return success ? { kind: "status", status: output.Data.Status } : undefined;
}
