import { Worker } from "node:worker_threads";
import { PROCESS_STARTED_MS } from "../../core/temporary-file.ts";
import type { MediumOrder, MediumResult } from "./medium-work.ts";

/** A message of the thread of a folder: the bytes that are copied, or the result of the last order. */
export type MediumReply = { readonly bytes: number } | { readonly result: MediumResult };

interface Pending {
  resolve(result: MediumResult): void;
  onBytes(bytes: number): void;
}

/**
 * Carries out orders on a folder, one after the other, on a thread of its own: a share whose server is gone blocks that thread, which no
 * program can end, and nothing else. An order that is not answered in time rejects; later ones reject at once until it is answered.
 */
export class Medium {
  readonly #entry: URL;
  readonly #answerMs: number;
  #worker: Worker | undefined;
  /** The order that the thread carries out. */
  #pending: Pending | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** `entry` is the program of the thread; a step that takes longer than `answerMs` counts as not answered. */
  constructor(entry: URL, answerMs: number) {
    this.#entry = entry;
    this.#answerMs = answerMs;
  }

  /** Carries out an order in its turn. Rejects with the reason in words, without a full stop, where the medium does not answer. */
  order(order: MediumOrder, onBytes: (bytes: number) => void = () => {}): Promise<MediumResult> {
    const own = this.#turn.then(() => this.#send(order, onBytes));
    this.#turn = own.catch(() => {});
    return own;
  }

  /** Ends the thread, unless the medium blocks it. */
  close(): void {
    this.#isClosed = true;
    void this.#worker?.terminate();
  }

  #send(order: MediumOrder, onBytes: (bytes: number) => void): Promise<MediumResult> {
    if (this.#isClosed) return Promise.reject(new Error("the server stops"));
    if (this.#pending) return Promise.reject(noAnswer());
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const waitOn = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(noAnswer()), this.#answerMs);
      };
      waitOn();
      this.#pending = {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        onBytes: (bytes) => {
          waitOn();
          onBytes(bytes);
        },
      };
      this.#thread().postMessage(order);
    });
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#entry, { workerData: { startedMs: PROCESS_STARTED_MS } });
    // A blocked thread must not keep the process; while an order runs, its timer does.
    worker.unref();
    worker.on("message", (reply: MediumReply) => {
      if ("bytes" in reply) return this.#pending?.onBytes(reply.bytes);
      const pending = this.#pending;
      this.#pending = undefined;
      pending?.resolve(reply.result);
    });
    worker.on("error", ({ message }: Error) => {
      const pending = this.#pending;
      [this.#worker, this.#pending] = [undefined, undefined];
      pending?.resolve({ refusal: { kind: "failed", why: `its thread broke (${message}): send the job again` } });
    });
    return (this.#worker = worker);
  }
}

const noAnswer = (): Error =>
  new Error("it does not answer: check the medium, or that the server of the share is on and the network between");
