import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundWork, RequestContext } from "../../api/endpoint.ts";

/** A person who does not edit for this long is likely to apply the edits, ms. */
const IDLE_MS = 600;

/** Does work in the background for the last edit of each model, once a while has passed without another edit. */
export class BackgroundSolids {
  readonly #idleMs: number;
  /** Of the last edit of each model. */
  readonly #last = new Map<string, BackgroundWork>();

  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** Ends the work for earlier edits of a model: the next edit needs the threads. */
  stop(key: string): void {
    this.#last.get(key)?.cancel();
    this.#last.delete(key);
  }

  /**
   * Does `work` after a while, unless {@link stop} comes first. Nobody waits for its result, and its failure is that of the request that asks for
   * the same again.
   */
  async start(
    key: string,
    { inBackground }: Pick<RequestContext, "inBackground">,
    work: (context: RequestContext) => Promise<unknown>,
  ): Promise<void> {
    this.stop(key);
    const background = inBackground();
    this.#last.set(key, background);
    await sleep(this.#idleMs, undefined, { ref: false });
    try {
      if (this.#last.get(key) === background) await work(background.context);
    } catch {
      return;
    } finally {
      if (this.#last.get(key) === background) this.#last.delete(key);
    }
  }
}
