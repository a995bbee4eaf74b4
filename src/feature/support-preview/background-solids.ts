import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../../core/progress.ts";
import type { RequestContext } from "../../api/endpoint.ts";

/** A person who does not edit for this long is likely to apply the edits, ms. */
const IDLE_MS = 600;

/** Does work in the background for the last edit of each model, once a while has passed without another edit. */
export class BackgroundSolids {
  readonly #idleMs: number;
  /** The last edit of each model. */
  readonly #last = new Map<string, symbol>();

  constructor(idleMs = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** No work for earlier edits of a model begins, and none of their tasks. */
  stop(key: string): void {
    this.#last.delete(key);
  }

  /**
   * Does `work` after a while, unless {@link stop} comes first. Nobody waits for its result, and its failure is that of the request that asks for
   * the same again. `context`: that of a request that has its answer.
   */
  async start(
    key: string,
    context: RequestContext,
    work: (context: RequestContext) => Promise<unknown>,
  ): Promise<void> {
    const edit = Symbol(key);
    this.#last.set(key, edit);
    const throwIfStopped = (): void => {
      if (this.#last.get(key) !== edit) throw new CancelledError();
    };
    await sleep(this.#idleMs, undefined, { ref: false });
    try {
      throwIfStopped();
      await work({
        ...context,
        // It rejects and never throws: work that is divided starts its next task when another one ends, where nobody could catch an error.
        async compute(task, input) {
          throwIfStopped();
          return context.compute(task, input);
        },
      });
    } catch {
      return;
    } finally {
      if (this.#last.get(key) === edit) this.#last.delete(key);
    }
  }
}
