import type { Attributes, Message } from "./message.ts";
import type { Status } from "./status.ts";
import type { Timing } from "./timing.ts";
import { withinTime } from "../waiting.ts";

/** The content of an acknowledgement. */
export type Acknowledged = Readonly<Record<string, unknown>>;

/** A request, and the id that its acknowledgement repeats. */
export interface SdcpRequest {
  readonly requestId: string;
  readonly text: string;
}

interface Pushed {
  readonly status: Status;
  readonly attributes: Attributes;
}

/** Requests to a printer and its answers, over any connection. */
export class Dialogue {
  /** Resolves to the cause once the connection has ended. */
  readonly ended: Promise<string>;
  /** Rejects all requests that wait. */
  readonly end: (reason: string) => void;
  readonly #send: (text: string) => void;
  readonly #timing: Pick<Timing, "ackMs" | "contentMs">;
  readonly #lost: Promise<never>;
  #heardMs = performance.now();
  #transferError: TransferError | undefined;
  readonly #last: { -readonly [Key in keyof Pushed]?: Pushed[Key] } = {};
  /** The acknowledgement that the current request waits for. */
  #awaited: { readonly requestId: string; acknowledge(data: Acknowledged): void } | undefined;
  #onPush: (what: keyof Pushed) => void = () => {};
  /** Ends when the last request is answered. */
  #requests: Promise<unknown> = Promise.resolve();

  constructor(send: (text: string) => void, timing: Pick<Timing, "ackMs" | "contentMs">) {
    this.#send = send;
    this.#timing = timing;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.end = resolve;
    this.#lost = promise.then((reason) => Promise.reject<never>(new Error(reason)));
    this.#lost.catch(() => {});
  }

  /** As last reported. */
  status(): Status | undefined {
    return this.#last.status;
  }

  attributes(): Attributes | undefined {
    return this.#last.attributes;
  }

  transferError(): TransferError | undefined {
    return this.#transferError;
  }

  /** When the last message arrived (`performance.now`). */
  heardMs(): number {
    return this.#heardMs;
  }

  /** Handles a message of the printer. */
  handle(message: Message): void {
    this.#heardMs = performance.now();
    switch (message.kind) {
      case "response":
        if (message.requestId === this.#awaited?.requestId) this.#awaited.acknowledge(message.data);
        break;
      case "error":
        this.#transferError = { code: message.code, atMs: performance.now() };
        break;
      case "status":
        this.#last.status = message.status;
        this.#onPush("status");
        break;
      case "attributes":
        this.#last.attributes = message.attributes;
        this.#onPush("attributes");
    }
  }

  /** Sends a request and returns the content of its acknowledgement. Requests of several users are sent one after the other. */
  send(request: SdcpRequest): Promise<Acknowledged> {
    return this.#inTurn(() => this.#ask(request));
  }

  /** Sends a request whose acknowledgement is empty, and returns the state that the printer pushes after it. */
  fetch<Name extends keyof Pushed>(name: Name, request: SdcpRequest): Promise<Pushed[Name]> {
    return this.#inTurn(async () => {
      const { contentMs } = this.#timing;
      const pushed = new Promise<void>((resolve) => {
        this.#onPush = (what) => what === name && resolve();
      });
      await this.#ask(request);
      await withinTime(pushed, contentMs, `it did not report its ${name} within ${contentMs / 1000} s`);
      // The push has set it.
      return this.#last[name]!;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#requests.then(() => Promise.race([this.#lost, work()]));
    this.#requests = result.catch(() => {});
    return result;
  }

  #ask({ requestId, text }: SdcpRequest): Promise<Acknowledged> {
    const { ackMs } = this.#timing;
    const acknowledged = new Promise<Acknowledged>((resolve) => {
      this.#awaited = { requestId, acknowledge: resolve };
    });
    this.#send(text);
    return withinTime(acknowledged, ackMs, `it did not answer within ${ackMs / 1000} s`);
  }
}

/** An error of a transferred file, with its time (`performance.now`). */
interface TransferError {
  readonly code: number;
  readonly atMs: number;
}
