/** Work in steps: each lasts a few milliseconds at most. */
export type Steps<Result> = Generator<undefined, Result>;

/** The result of all steps, one after the other. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** All works wait in one line, so that not more than one step holds the thread, however many requests are at work. */
let line: Promise<void> = Promise.resolve();

/** The result of all steps. Between two of them, whether of this work or of another, waiting events have their turn. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await (line = line.then(nextTurn));
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works in steps whose results are remembered per object, as `memoize` does. */
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

/** The results of a function for the items of a list; it gives way after each `perStep` of them. */
export function* mapSteps<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
  perStep: number,
): Steps<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i++) {
    if (i > 0 && i % perStep === 0) yield;
    results.push(work(items[i], i));
  }
  return results;
}
