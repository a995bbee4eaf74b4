/** Work that yields after each step; a step takes a few milliseconds at most. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs all steps without a pause and returns the result. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The end of the queue in which all works wait, so that only one step runs per pass of the event loop, for any number of requests. */
let line: Promise<void> = Promise.resolve();

/** Runs all steps and returns the result. Between two steps, of this work or of another, the event loop handles waiting events. */
export async function runStepwise<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await (line = line.then(nextTurn));
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** `memoize` for work in steps: the results are remembered per object, weakly held. */
export function memoizeSteps<Key extends object, Result>(
  work: (key: Key) => Steps<Result>,
): (key: Key) => Steps<Result> {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return function* (key) {
    const old = known.get(key);
    if (old) return old.result;
    const result = yield* work(key);
    known.set(key, { result });
    return result;
  };
}

/** Maps the items of a list; yields after every `perStep` items. */
export function* mapSteps<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
  perStep: number,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [i, item] of items.entries()) {
    if (i > 0 && i % perStep === 0) yield;
    results.push(work(item, i));
  }
  return results;
}
