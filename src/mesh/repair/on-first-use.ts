/** The result of `work`, which is done when it is asked for first. */
export function onFirstUse<Result>(work: () => Result): () => Result {
  let known: { readonly result: Result } | undefined;
  return () => (known ??= { result: work() }).result;
}
