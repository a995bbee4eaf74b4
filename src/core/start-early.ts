/**
 * The values of a generator, the first of which is already being made: as much work starts now as the generator starts for its first
 * value.
 */
export function startEarly<T>(values: AsyncGenerator<T>): AsyncIterableIterator<T> {
  let first: Promise<IteratorResult<T>> | undefined = values.next();
  // An error is thrown when the first value is taken. Before that, it must not count as an unhandled rejection.
  first.catch(() => {});
  return {
    next() {
      const next = first ?? values.next();
      first = undefined;
      return next;
    },
    return: () => values.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
