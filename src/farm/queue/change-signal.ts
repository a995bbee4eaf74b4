/** Wakes all who wait for changes. Each of them hears of each change that concerns it, also of those while it did not wait. `Kind` is what changes. */
export class ChangeSignal<Kind = never> {
  readonly #changes = new Map<Kind | undefined, number>();
  readonly #waiting = new Set<(kind: Kind | undefined) => void>();

  /** Without a kind it may have been a change of any. */
  tell(kind?: Kind): void {
    this.#changes.set(kind, (this.#changes.get(kind) ?? 0) + 1);
    for (const wake of this.#waiting) wake(kind);
  }

  /** As `JobQueue.watch`, for changes of one kind, or of all. */
  watch(kind?: Kind): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    let seen = this.#countOf(kind);
    return async (timeoutMs, signal) => {
      if (this.#countOf(kind) === seen && !signal?.aborted) await this.#wait(kind, timeoutMs, signal);
      seen = this.#countOf(kind);
    };
  }

  #countOf(kind: Kind | undefined): number {
    if (kind !== undefined) return (this.#changes.get(kind) ?? 0) + (this.#changes.get(undefined) ?? 0);
    return [...this.#changes.values()].reduce((sum, count) => sum + count, 0);
  }

  #wait(kind: Kind | undefined, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const wake = (changed: Kind | undefined): void => {
        if (kind === undefined || changed === undefined || changed === kind) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(wake);
      signal?.addEventListener("abort", end);
    });
  }
}
