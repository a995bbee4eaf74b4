/** Draws when something has changed, and never otherwise. */
export interface FrameLoop {
  /** The picture is no longer true: draw it once more. */
  invalidate(): void;
  /** The picture changes with a gesture: frames are to be quick, and a full one follows when it rests. */
  move(): void;
  framesPerSecond(): number;
  close(): void;
}

/** A picture that did not move for so long is drawn in full. */
const REST_MS = 160;

/**
 * Calls `draw` at most once for each frame of the screen, and not before the graphics have finished the last one: a slow machine
 * shows fewer frames but never frames of long ago. `finished` tells when what `draw` ordered is done; `cost` gets how long it took.
 * `stale` is called whenever what is on the screen is not what is to be there.
 */
export function newFrameLoop(
  draw: (isMoving: boolean) => void,
  finished: () => boolean,
  cost: (milliseconds: number, isMoving: boolean) => void,
  stale: () => void,
): FrameLoop {
  let movedAt = -Infinity;
  let isStale = false;
  /** The last picture was a quick one. */
  let isRough = false;
  let begun: { readonly at: number; readonly isMoving: boolean } | undefined;
  let request = 0;
  let gaps: readonly number[] = [];
  let shownAt = 0;

  const step = (): void => {
    request = 0;
    const now = performance.now();
    if (begun && !finished()) return plan();
    if (begun) cost(now - begun.at, begun.isMoving);
    begun = undefined;
    const isMoving = now - movedAt < REST_MS;
    if (isStale || (isRough && !isMoving)) {
      if (isMoving) gaps = [...gaps.slice(-29), now - shownAt];
      shownAt = now;
      begun = { at: now, isMoving };
      [isStale, isRough] = [false, isMoving];
      stale();
      draw(isMoving);
    }
    if (begun || isStale || isRough) plan();
  };
  const plan = (): void => {
    request ||= requestAnimationFrame(step);
  };

  return {
    invalidate() {
      isStale = true;
      stale();
      plan();
    },
    move() {
      const now = performance.now();
      if (now - movedAt > REST_MS) [gaps, shownAt] = [[], now];
      movedAt = now;
      this.invalidate();
    },
    framesPerSecond: () => (gaps.length === 0 ? 0 : (1000 * gaps.length) / gaps.reduce((sum, gap) => sum + gap, 0)),
    close: () => cancelAnimationFrame(request),
  };
}
