/** What `known` holds for the key; where that is nothing, what `work` makes, held from now on. */
export function remembered<T extends {} | null>(known: Map<string, T>, key: string, work: () => T): T {
  const old = known.get(key);
  if (old !== undefined) return old;
  const value = work();
  known.set(key, value);
  return value;
}
