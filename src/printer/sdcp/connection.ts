import { type Acknowledged, Dialogue } from "./dialogue.ts";
import { type Attributes, type Command, type Commands, parseMessage, requestText } from "./message.ts";
import { type Status, isIdle } from "./status.ts";
import type { Timing } from "./timing.ts";
import { pause } from "../waiting.ts";
import { openWebSocket } from "./web-socket.ts";

/** A connection to a printer. All users share it, since a printer accepts only four or five. */
export interface Connection {
  /** As last reported. */
  status(): Status;
  attributes(): Attributes;
  /** The last error that it reported for a transferred file, with its time (`performance.now`). */
  transferError(): { readonly code: number; readonly atMs: number } | undefined;
  /**
   * Sends a command and returns the content of its acknowledgement. Commands of several users are sent one after the other. Rejects when
   * the connection is lost.
   */
  send<Name extends Command>(name: Name, data: Commands[Name]): Promise<Acknowledged>;
  /** Asks for the current status. */
  fetchStatus(): Promise<Status>;
  fetchAttributes(): Promise<Attributes>;
  /** Resolves to the cause once the connection has ended. */
  readonly ended: Promise<string>;
}

interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly mainboardId: string;
  readonly timing: Timing;
  /** Called with each status that the printer reports. */
  onStatus(status: Status): void;
}

/** Large enough for a list of thousands of files; all other messages are far smaller. */
const MAX_MESSAGE_BYTES = 2 ** 20;

/**
 * Connects to a printer, asks for its attributes and status, and repeats that until the connection ends or the signal is aborted. Rejects
 * with the cause where that fails, and where another printer answers.
 */
export async function openConnection(options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
  const { host, port, mainboardId, timing } = options;
  const idleRun = new IdleRun();
  const dialogue = new Dialogue((text) => link.send(text), timing);
  const link = await openWebSocket({
    host,
    port,
    path: "/websocket",
    connectMs: timing.connectMs,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    signal,
    onClosed: dialogue.end,
    onMessage(bytes) {
      const message = parseMessage(bytes, mainboardId);
      if (!message) return;
      dialogue.handle(message);
      if (message.kind !== "status") return;
      idleRun.note(message.status);
      options.onStatus(message.status);
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

  const connection = connectionOver(dialogue, mainboardId);
  try {
    await requireMainboard(connection, mainboardId);
    await connection.fetchStatus();
  } catch (thrown) {
    close("it does not answer as a printer");
    throw thrown;
  }
  void keepAsking({ connection, timing, isCalm: () => idleRun.isCalm(), heardMs: () => dialogue.heardMs(), close });
  return connection;
}

const connectionOver = (dialogue: Dialogue, mainboardId: string): Connection => ({
  status: () => dialogue.status()!,
  attributes: () => dialogue.attributes()!,
  transferError: () => dialogue.transferError(),
  send: (name, data) => dialogue.send(requestText(name, data, mainboardId)),
  fetchStatus: () => dialogue.fetch("status", requestText("status", {}, mainboardId)),
  fetchAttributes: () => dialogue.fetch("attributes", requestText("attributes", {}, mainboardId)),
  ended: dialogue.ended,
});

/** Counts the idle states that the printer reported in a row. */
class IdleRun {
  /** The first state of a connection counts twice. */
  #count = 1;

  note(status: Status): void {
    this.#count = isIdle(status) ? this.#count + 1 : 0;
  }

  /** The first idle state after a print is asked for twice, since one alone may be wrong. */
  isCalm(): boolean {
    return this.#count >= 2;
  }
}

async function requireMainboard(connection: Connection, expected: string): Promise<void> {
  const { mainboardId } = await connection.fetchAttributes();
  if (mainboardId !== expected) throw new Error(`the printer ${mainboardId} is there, not ${expected}`);
}

interface KeptConnection {
  readonly connection: Connection;
  readonly timing: Timing;
  /** Whether the printer has been idle for some states: then it is asked seldom. */
  isCalm(): boolean;
  /** When the last message arrived (`performance.now`). */
  heardMs(): number;
  close(reason: string): void;
}

/** Asks for the state repeatedly, which also shows that the printer is still there, until the connection ends. */
async function keepAsking({ connection, timing, isCalm, heardMs, close }: KeptConnection): Promise<void> {
  let attributesMs = performance.now();
  const isOver = new AbortController();
  void connection.ended.then(() => isOver.abort());
  for (;;) {
    const askedMs = performance.now();
    // Jobs ask as well, and may see a print begin in the meantime.
    do {
      await pause(Math.min(timing.busyPollMs, timing.idlePollMs), isOver.signal);
      if (isOver.signal.aborted) return;
    } while (isCalm() && performance.now() - askedMs < timing.idlePollMs);
    // A late answer does no harm as long as any message arrives.
    await connection.fetchStatus().catch(() => {});
    if (performance.now() - attributesMs > timing.attributesMs) {
      attributesMs = performance.now();
      await connection.fetchAttributes().catch(() => {});
    }
    const silentMs = performance.now() - heardMs();
    if (silentMs > timing.deadMs) close(`it was not heard for ${Math.round(silentMs / 1000)} s`);
  }
}
