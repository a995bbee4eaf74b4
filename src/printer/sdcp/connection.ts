import { type Acknowledged, newDialogue } from "./dialogue.ts";
import { type Attributes, type Command, type Commands, parseMessage, requestText } from "./message.ts";
import { type Status, isIdle } from "./status.ts";
import type { Timing } from "./timing.ts";
import { pause } from "../waiting.ts";
import { openWebSocket } from "./web-socket.ts";

/** A connection to a printer, shared by all who use it: a printer takes four or five in all. */
export interface Connection {
  /** As it was last heard. */
  status(): Status;
  attributes(): Attributes;
  /** The last error that it told of a file that was sent to it, with the time (`performance.now`). */
  transferError(): { readonly code: number; readonly atMs: number } | undefined;
  /** Sends a command and gives what its acknowledgement says. Commands of several users go one after the other. Rejects when it is lost. */
  send<Name extends Command>(name: Name, data: Commands[Name]): Promise<Acknowledged>;
  /** Asks for what it does now. */
  fetchStatus(): Promise<Status>;
  fetchAttributes(): Promise<Attributes>;
  /** Resolves to the cause once the connection has ended. */
  readonly ended: Promise<string>;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly mainboardId: string;
  readonly timing: Timing;
  /** Called for each status that the printer tells. */
  heard(status: Status): void;
}

/** The list of some thousand files; all other messages are far smaller. */
const MAX_MESSAGE_BYTES = 2 ** 20;

/**
 * Connects to a printer, asks for its attributes and its status and goes on asking, until the connection ends or the signal is aborted. Rejects
 * with the cause when it does not come about, and where another printer is there.
 */
export async function openConnection(place: Place, signal: AbortSignal): Promise<Connection> {
  const { host, port, mainboardId, timing } = place;
  const dialogue = newDialogue((text) => link.send(text), timing);
  const link = await openWebSocket({
    host,
    port,
    path: "/websocket",
    connectMs: timing.connectMs,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    signal,
    closed: dialogue.end,
    message(bytes) {
      const message = parseMessage(bytes, mainboardId);
      if (!message) return;
      dialogue.take(message);
      if (message.kind === "status") place.heard(message.status);
    },
  });
  const close = (reason: string): void => {
    signal.removeEventListener("abort", stop);
    link.close();
    dialogue.end(reason);
  };
  const stop = (): void => close("the connection is no longer wanted");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();

  const connection: Connection = {
    status: () => dialogue.status()!,
    attributes: () => dialogue.attributes()!,
    transferError: dialogue.transferError,
    send: (name, data) => dialogue.send(requestText(name, data, mainboardId)),
    fetchStatus: () => dialogue.fetch("status", requestText("status", {}, mainboardId)),
    fetchAttributes: () => dialogue.fetch("attributes", requestText("attributes", {}, mainboardId)),
    ended: dialogue.ended,
  };

  /** Asks again and again, which also shows that the printer is there. */
  async function keepAsking(): Promise<void> {
    let attributesMs = performance.now();
    let wasIdle = true;
    const isOver = new AbortController();
    void connection.ended.then(() => isOver.abort());
    for (;;) {
      const isIdleNow = isIdle(connection.status());
      // The first state after a print is asked for twice: it counts once it is sure.
      await pause(isIdleNow && wasIdle ? timing.idlePollMs : timing.busyPollMs, isOver.signal);
      wasIdle = isIdleNow;
      if (isOver.signal.aborted) return;
      // An answer that is late is no harm as long as anything is heard.
      await connection.fetchStatus().catch(() => {});
      if (performance.now() - attributesMs > timing.attributesMs) {
        attributesMs = performance.now();
        await connection.fetchAttributes().catch(() => {});
      }
      const silentMs = performance.now() - dialogue.heardMs();
      if (silentMs > timing.deadMs) close(`it was not heard for ${Math.round(silentMs / 1000)} s`);
    }
  }

  try {
    const { mainboardId: there } = await connection.fetchAttributes();
    if (there !== mainboardId) throw new Error(`the printer ${there} is there, not ${mainboardId}`);
    await connection.fetchStatus();
  } catch (thrown) {
    close("it does not answer as a printer");
    throw thrown;
  }
  void keepAsking();
  return connection;
}
