/** The settings of a text with lines `key = value`, by their keys. */
export class KeyValues {
  readonly #values: ReadonlyMap<string, string>;

  /** `pattern`: matches a line; its first two groups are the key and the value. */
  constructor(text: string, pattern = /^([^=]*)=(.*)$/) {
    this.#values = new Map(
      text.split(/\r?\n/).flatMap((line): [string, string][] => {
        const [, key, value] = pattern.exec(line) ?? [];
        return key === undefined || value === undefined ? [] : [[key.trim(), value.trim()]];
      }),
    );
  }

  /** Undefined for a missing or empty value. */
  text(key: string): string | undefined {
    return this.#values.get(key) || undefined;
  }

  /** Undefined for a missing value and for one that is no finite number. */
  number(key: string): number | undefined {
    const text = this.text(key);
    const value = text === undefined ? NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  }

  /** The numbers of these keys, by other names, without those that are missing. */
  numbers<Name extends string>(keys: Readonly<Record<Name, string>>): Partial<Record<Name, number>> {
    const entries = Object.entries<string>(keys).map(([name, key]) => [name, this.number(key)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Partial<Record<Name, number>>;
  }
}
