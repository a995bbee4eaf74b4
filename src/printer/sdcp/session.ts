import { type Attributes, type Command, type Commands, type Message, parseMessage, requestText } from "./message.ts";
import { type Status, isIdle } from "./status.ts";
import type { Timing } from "./timing.ts";
import { pause, withinTime } from "./waiting.ts";
import { type WebSocketLink, openWebSocket } from "./web-socket.ts";

/** A connection to a printer, shared by all who use it: a printer takes four or five in all. */
export interface Session {
  /** As it was last heard. */
  status(): Status;
  attributes(): Attributes;
  /** The last error that it told of a file that was sent to it, with the time (`performance.now`). */
  transferError(): { readonly code: number; readonly atMs: number } | undefined;
  /** Sends a command and gives what its acknowledgement says. Commands of several users go one after the other. Rejects when it is lost. */
  send<Name extends Command>(name: Name, data: Commands[Name]): Promise<Readonly<Record<string, unknown>>>;
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
}

/** The list of some thousand files; all other messages are far smaller. */
const MAX_MESSAGE_BYTES = 2 ** 20;

interface Pushed {
  readonly status: Status;
  readonly attributes: Attributes;
}

/**
 * Connects to a printer, asks for its attributes and its status and goes on asking, until the connection ends or the signal is aborted. Rejects
 * with the cause when it does not come about, and where another printer is there.
 */
export async function openSession({ host, port, mainboardId, timing }: Place, signal: AbortSignal): Promise<Session> {
  let heardMs = performance.now();
  let error: ReturnType<Session["transferError"]>;
  const last: { -readonly [Key in keyof Pushed]?: Pushed[Key] } = {};
  /** What the command that was sent last waits for. */
  let awaited: { readonly requestId: string; acknowledge(data: Readonly<Record<string, unknown>>): void } | undefined;
  let onPush: (what: keyof Pushed) => void = () => {};
  const over = Promise.withResolvers<string>();
  /** Rejects all that waits. */
  const lost = over.promise.then((reason) => Promise.reject<never>(new Error(reason)));
  lost.catch(() => {});

  const link: WebSocketLink = await openWebSocket({
    host,
    port,
    path: "/websocket",
    connectMs: timing.connectMs,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    signal,
    closed: over.resolve,
    message(bytes) {
      const message = parseMessage(bytes, mainboardId);
      if (!message) return;
      heardMs = performance.now();
      take(message);
    },
  });
  const close = (reason: string): void => {
    signal.removeEventListener("abort", stop);
    link.close();
    over.resolve(reason);
  };
  const stop = (): void => close("the connection is no longer wanted");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();

  function take(message: Message): void {
    switch (message.kind) {
      case "response":
        if (message.requestId === awaited?.requestId) awaited.acknowledge(message.data);
        break;
      case "error":
        error = { code: message.code, atMs: performance.now() };
        break;
      case "status":
        last.status = message.status;
        onPush("status");
        break;
      case "attributes":
        last.attributes = message.attributes;
        onPush("attributes");
    }
  }

  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(() => Promise.race([lost, work()]));
    turn = result.catch(() => {});
    return result;
  };

  async function command<Name extends Command>(name: Name, data: Commands[Name]) {
    const { requestId, text } = requestText(name, data, mainboardId);
    const acknowledged = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      awaited = { requestId, acknowledge: resolve };
    });
    link.send(text);
    return withinTime(acknowledged, timing.ackMs, `it did not answer within ${timing.ackMs / 1000} s`);
  }

  /** The acknowledgement of these commands is empty: what was asked for is pushed after it. */
  const fetch = <Name extends keyof Pushed>(name: Name): Promise<Pushed[Name]> =>
    inTurn(async () => {
      const pushed = new Promise<void>((resolve) => {
        onPush = (what) => what === name && resolve();
      });
      await command(name, {});
      await withinTime(pushed, timing.contentMs, `it did not tell its ${name} within ${timing.contentMs / 1000} s`);
      // It was pushed just now.
      return last[name]!;
    });

  const session = {
    status: () => last.status!,
    attributes: () => last.attributes!,
    transferError: () => error,
    send: <Name extends Command>(name: Name, data: Commands[Name]) => inTurn(() => command(name, data)),
    fetchStatus: () => fetch("status"),
    fetchAttributes: () => fetch("attributes"),
    ended: over.promise,
  };

  /** Asks again and again, which also shows that the printer is there. */
  async function keepAsking(): Promise<void> {
    let attributesMs = performance.now();
    const isOver = new AbortController();
    void over.promise.then(() => isOver.abort());
    for (;;) {
      await pause(isIdle(session.status()) ? timing.idlePollMs : timing.busyPollMs, isOver.signal);
      if (isOver.signal.aborted) return;
      // An answer that is late is no harm as long as anything is heard.
      await session.fetchStatus().catch(() => {});
      if (performance.now() - attributesMs > timing.attributesMs) {
        attributesMs = performance.now();
        await session.fetchAttributes().catch(() => {});
      }
      const silentMs = performance.now() - heardMs;
      if (silentMs > timing.deadMs) close(`it was not heard for ${Math.round(silentMs / 1000)} s`);
    }
  }

  try {
    const { mainboardId: there } = await session.fetchAttributes();
    if (there !== mainboardId) throw new Error(`the printer ${there} is there, not ${mainboardId}`);
    await session.fetchStatus();
  } catch (thrown) {
    close("it does not answer as a printer");
    throw thrown;
  }
  void keepAsking();
  return session;
}
