/** Wakes all who wait for changes. Each of them hears of each change, also of those while it did not wait. */
export class ChangeSignal {
  #changes = 0;
  readonly #waiting = new Set<() => void>();

  tell(): void {
    this.#changes++;
    for (const wake of this.#waiting) wake();
  }

  /** As `JobQueue.watch`. */
  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    let seen = this.#changes;
    return async (timeoutMs, signal) => {
      if (this.#changes === seen && !signal?.aborted) await this.#wait(timeoutMs, signal);
      seen = this.#changes;
    };
  }

  #wait(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}
