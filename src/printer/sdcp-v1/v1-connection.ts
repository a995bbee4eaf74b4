import { createSocket } from "node:dgram";
import * as v from "valibot";
import { parseJson } from "../../core/json.ts";
import { type Acknowledged, type SdcpRequest, Dialogue } from "../sdcp/dialogue.ts";
import { type Message, randomId } from "../sdcp/message.ts";
import type { Connection } from "../sdcp/connection.ts";
import type { HostView } from "../sdcp/host-view.ts";
import { type Status, statusFields } from "../sdcp/status.ts";
import type { Timing } from "../sdcp/timing.ts";
import { pause, untilAborted, withinTime } from "../waiting.ts";
import { listenForMqtt } from "./mqtt-listener.ts";

/** The connection of a printer of version 1 to this machine. The protocol has no list of files, and the attributes are not needed. */
export interface V1Connection extends Pick<Connection, "status" | "fetchStatus" | "ended"> {
  send(name: keyof typeof COMMANDS, data: object): Promise<Acknowledged>;
  close(): void;
}

const COMMANDS = { status: 0, attributes: 1, disconnect: 64, start: 128, fetchFile: 256, period: 512 } as const;
const FROM_PC = 0;
/** How often the printer reports its status by itself. */
const PERIOD_MS = 5000;
const MAX_DEPTH = 16;

const response = v.object({ Data: v.object({ RequestID: v.string(), Data: v.looseObject({}) }) });
const pushed = v.object({ Data: v.object({ Status: statusFields }) });

interface V1ConnectionOptions {
  readonly host: HostView;
  /** The address of this machine to which the printer connects. */
  readonly ownAddress: string;
  readonly timing: Timing;
  /** Called with each status that the printer reports. */
  onStatus(status: Status): void;
}

/**
 * Listens on this machine, asks the printer over UDP to connect, and waits for its status. Rejects with the cause where that fails, and
 * throws `CancelledError` when the signal is aborted; then nothing listens any more.
 */
export async function openV1Connection(options: V1ConnectionOptions, signal: AbortSignal): Promise<V1Connection> {
  const { host, ownAddress, timing } = options;
  const { mainboardId } = host;
  const dialogue = new Dialogue((text) => listener.publish(text), timing);
  const listener = await listenForMqtt({
    host: ownAddress,
    clientAddress: host.ipAddress(),
    clientId: mainboardId,
    topic: `/sdcp/request/${mainboardId}`,
    lost: dialogue.end,
    message(topic, bytes) {
      const message = messageOf(topic, bytes, mainboardId);
      if (!message) return;
      if (message.kind === "status") options.onStatus(message.status);
      dialogue.handle(message);
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
    void call(host, listener.port, timing, calling.signal);
    const late = `it did not connect to ${ownAddress} within ${timing.callMs / 1000} s`;
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

/** Sends the printer the port of this machine to which it shall connect, repeatedly until the signal is aborted. */
async function call(
  { address, ipAddress }: HostView,
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
    if (!signal.aborted) socket.send(`M66666 ${port}`, address.udpPort, ipAddress(), () => {});
  }
  socket.close();
}

/** A request. Unlike in version 3, the time is in ms, and only MQTT has the topic. */
function requestOf(command: number, data: object, mainboardId: string): SdcpRequest {
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
  let value: unknown;
  try {
    value = parseJson(bytes, MAX_DEPTH);
  } catch {
    return undefined;
  }
  if (topic === `/sdcp/response/${mainboardId}`) {
    const { success, output } = v.safeParse(response, value);
    return success ? { kind: "response", requestId: output.Data.RequestID, data: output.Data.Data } : undefined;
  }
  if (topic !== `/sdcp/status/${mainboardId}`) return undefined;
  const { success, output } = v.safeParse(pushed, value);
  return success ? { kind: "status", status: output.Data.Status } : undefined;
}
