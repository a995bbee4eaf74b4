/** `someKeyMm` as `some_key_mm`. */
export type SnakeCase<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Key;

/** `some_key_mm` as `someKeyMm`. */
export type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** The values by their names on the wire. */
export const snakeKeys = <T extends object>(record: T) =>
  renamed(record, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as {
    [Key in keyof T & string as SnakeCase<Key>]: T[Key];
  };

/** The values by their names inside. */
export const camelKeys = <T extends object>(record: T) =>
  renamed(record, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as {
    [Key in keyof T & string as CamelCase<Key>]: T[Key];
  };

const renamed = (record: object, rename: (key: string) => string): unknown =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [rename(key), value]));
