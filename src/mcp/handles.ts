/** Short names that stand for ids in the tools, such as "part3": agents repeat them without mistakes, and they take a tenth of the text. */
export class Handles {
  readonly #prefix: string;
  readonly #handles = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The handle of an id, which it gets at the first call. */
  of(id: string): string {
    const known = this.#handles.get(id);
    if (known !== undefined) return known;
    const handle = `${this.#prefix}${++this.#count}`;
    this.#handles.set(id, handle);
    this.#ids.set(handle, id);
    return handle;
  }

  /** The handle of an id that has one. */
  known(id: string): string | undefined {
    return this.#handles.get(id);
  }

  /** The id of a handle; undefined for one that was never given, or dropped. */
  idOf(handle: string): string | undefined {
    return this.#ids.get(handle);
  }

  /** The handles that are in use, the oldest first. */
  all(): string[] {
    return [...this.#ids.keys()];
  }

  /** Forgets the handles of ids that no longer exist; a handle is never given twice. */
  drop(isGone: (id: string) => boolean): void {
    for (const [handle, id] of this.#ids) {
      if (!isGone(id)) continue;
      this.#ids.delete(handle);
      this.#handles.delete(id);
    }
  }
}
