import { ApiError } from "../../core/api-error.ts";

/**
 * Turns of work by key: of each key one work runs at a time, and only the newest of those that wait for it runs afterwards. The others fail with
 * OPERATION_CANCELLED.
 */
export class NewestTurns {
  /** For each key whose work runs: the work that waits for it. */
  readonly #waiting = new Map<string, PromiseWithResolvers<void> | undefined>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.has(key)) {
      this.#waiting.get(key)?.reject(superseded());
      const turn = Promise.withResolvers<void>();
      this.#waiting.set(key, turn);
      await turn.promise;
    }
    this.#waiting.set(key, undefined);
    try {
      return await work();
    } finally {
      const next = this.#waiting.get(key);
      if (next) next.resolve();
      else this.#waiting.delete(key);
    }
  }
}

const superseded = (): ApiError =>
  new ApiError(
    "OPERATION_CANCELLED",
    "A newer preview of the model came before this one began: use the answer of that one.",
  );
