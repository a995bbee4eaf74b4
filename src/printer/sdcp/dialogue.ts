import type { Attributes, Message } from "./message.ts";
import type { Status } from "./status.ts";
import type { Timing } from "./timing.ts";
import { withinTime } from "../waiting.ts";

/** The content of an acknowledgement. */
export type Acknowledged = Readonly<Record<string, unknown>>;

/** A request, and the id that its acknowledgement repeats. */
export interface Request {
  readonly requestId: string;
  readonly text: string;
}

interface Pushed {
  readonly status: Status;
  readonly attributes: Attributes;
}

/** Requests to a printer and its answers, over any connection. */
export interface Dialogue {
  /** Handles a message of the printer. */
  handle(message: Message): void;
  /** As last reported. */
  status(): Status | undefined;
  attributes(): Attributes | undefined;
  transferError(): { readonly code: number; readonly atMs: number } | undefined;
  /** When the last message arrived (`performance.now`). */
  heardMs(): number;
  /** Sends a request and returns the content of its acknowledgement. Requests of several users are sent one after the other. */
  send(request: Request): Promise<Acknowledged>;
  /** Sends a request whose acknowledgement is empty, and returns the state that the printer pushes after it. */
  fetch<Name extends keyof Pushed>(name: Name, request: Request): Promise<Pushed[Name]>;
  /** Rejects all requests that wait. */
  end(reason: string): void;
  /** Resolves to the cause once the connection has ended. */
  readonly ended: Promise<string>;
}

export function newDialogue(say: (text: string) => void, { ackMs, contentMs }: Timing): Dialogue {
  let heardMs = performance.now();
  let error: ReturnType<Dialogue["transferError"]>;
  const last: { -readonly [Key in keyof Pushed]?: Pushed[Key] } = {};
  /** The acknowledgement that the current request waits for. */
  let awaited: { readonly requestId: string; acknowledge(data: Acknowledged): void } | undefined;
  let onPush: (what: keyof Pushed) => void = () => {};
  const over = Promise.withResolvers<string>();
  const lost = over.promise.then((reason) => Promise.reject<never>(new Error(reason)));
  lost.catch(() => {});

  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(() => Promise.race([lost, work()]));
    turn = result.catch(() => {});
    return result;
  }

  async function ask({ requestId, text }: Request): Promise<Acknowledged> {
    const acknowledged = new Promise<Acknowledged>((resolve) => {
      awaited = { requestId, acknowledge: resolve };
    });
    say(text);
    return withinTime(acknowledged, ackMs, `it did not answer within ${ackMs / 1000} s`);
  }

  return {
    handle(message) {
      heardMs = performance.now();
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
    },
    status: () => last.status,
    attributes: () => last.attributes,
    transferError: () => error,
    heardMs: () => heardMs,
    send: (request) => inTurn(() => ask(request)),
    fetch: (name, request) =>
      inTurn(async () => {
        const pushed = new Promise<void>((resolve) => {
          onPush = (what) => what === name && resolve();
        });
        await ask(request);
        await withinTime(pushed, contentMs, `it did not tell its ${name} within ${contentMs / 1000} s`);
        // The push has set it.
        return last[name]!;
      }),
    end: over.resolve,
    ended: over.promise,
  };
}
