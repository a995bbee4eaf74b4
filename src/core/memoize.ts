/**
 * Memoizes `work` per object; the results are weakly held. A call that throws is repeated. Only the key may decide the result: the other
 * arguments, such as a `Progress`, are those of the first call.
 */
export function memoize<Key extends object, Rest extends readonly unknown[], Result>(
  work: (key: Key, ...rest: Rest) => Result,
): (key: Key, ...rest: Rest) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key, ...rest) => {
    const old = known.get(key);
    if (old) return old.result;
    const result = work(key, ...rest);
    known.set(key, { result });
    return result;
  };
}

/** The value of the map for the key. If it is missing, it is made by `make` and inserted. */
export function getOrInsert<Key, T extends {} | null>(map: Map<Key, T>, key: Key, make: () => T): T {
  const old = map.get(key);
  if (old !== undefined) return old;
  const value = make();
  map.set(key, value);
  return value;
}

/** A getter for the result of `work`, which runs at the first call. */
export function lazy<Result>(work: () => Result): () => Result {
  let known: { readonly result: Result } | undefined;
  return () => (known ??= { result: work() }).result;
}
