/** `work`, done once for each value that it is asked about, and remembered for as long as that value lives. */
export function once<Key extends object, Result>(work: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const old = known.get(key);
    if (old) return old.result;
    const result = work(key);
    known.set(key, { result });
    return result;
  };
}
