/** Memoizes `work` per object; the results are weakly held. A call that throws is repeated. */
export function memoize<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const old = known.get(key);
    if (old) return old.result;
    const result = work(key);
    known.set(key, { result });
    return result;
  };
}

/** The value of the map for the key. Where it is missing, `make` makes it and it is inserted. */
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
