/** Work that pauses often, so that the page stays responsive while it goes on. */
export type Slices<Result> = Generator<void, Result, void>;

/** Facets or vertices between two pauses. */
export const PER_SLICE = 1 << 12;

/** How long the page works before it lets the browser draw. */
const SLICE_MS = 8;

/** Runs work to its end; `isEnded` abandons it. Work that is short is done when this returns. */
export function runSlices<Result>(work: Slices<Result>, done: (result: Result) => void, isEnded: () => boolean): void {
  if (isEnded()) return;
  for (const end = performance.now() + SLICE_MS; performance.now() < end;) {
    const step = work.next();
    if (step.done) return done(step.value);
  }
  setTimeout(() => runSlices(work, done, isEnded));
}
