/** A full frame follows when there was no motion for this time. */
const REST_MS = 160;
/** Number of intervals between frames over which the frame rate is averaged. */
const AVERAGED_INTERVALS = 30;

export interface FrameEvents {
  /** Draws a frame: a quick one during a motion, otherwise a full one. */
  draw(isMoving: boolean): void;
  /** Whether the graphics card has finished the last frame. */
  isFinished(): boolean;
  /** Called when a frame is finished, with its duration. */
  drawn(milliseconds: number, isMoving: boolean): void;
  /** Called when the shown frame becomes outdated. */
  outdated(): void;
}

/**
 * Draws frames when something has changed, and never otherwise. A frame is not begun before the graphics card has finished the last one:
 * a slow machine shows fewer frames, but never outdated ones.
 */
export class FrameLoop {
  readonly #events: FrameEvents;
  /** Time of the last motion. */
  #movedAt = -Infinity;
  #isStale = false;
  /** Whether the last frame was a quick one, which a full one has to follow. */
  #isRough = false;
  /** The frame that is being drawn. */
  #begun: { readonly at: number; readonly isMoving: boolean } | undefined;
  #request = 0;
  /** Intervals between the last frames of a motion. */
  #intervals: readonly number[] = [];
  #shownAt = 0;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  /** Draws one more frame. */
  invalidate(): void {
    this.#isStale = true;
    this.#events.outdated();
    this.#plan();
  }

  /** Draws one more frame of a motion: a quick one, which a full one follows. */
  move(): void {
    const now = performance.now();
    if (now - this.#movedAt > REST_MS) [this.#intervals, this.#shownAt] = [[], now];
    this.#movedAt = now;
    this.invalidate();
  }

  /** Mean frame rate of the last motion. */
  framesPerSecond(): number {
    const count = this.#intervals.length;
    return count === 0 ? 0 : (1000 * count) / this.#intervals.reduce((sum, interval) => sum + interval, 0);
  }

  close(): void {
    cancelAnimationFrame(this.#request);
  }

  #plan(): void {
    this.#request ||= requestAnimationFrame(() => this.#step());
  }

  #step(): void {
    this.#request = 0;
    const now = performance.now();
    if (this.#begun) {
      if (!this.#events.isFinished()) return this.#plan();
      this.#events.drawn(now - this.#begun.at, this.#begun.isMoving);
      this.#begun = undefined;
    }
    const isMoving = now - this.#movedAt < REST_MS;
    if (this.#isStale || (this.#isRough && !isMoving)) this.#draw(now, isMoving);
    if (this.#begun || this.#isStale || this.#isRough) this.#plan();
  }

  #draw(now: number, isMoving: boolean): void {
    if (isMoving) this.#intervals = [...this.#intervals.slice(1 - AVERAGED_INTERVALS), now - this.#shownAt];
    this.#shownAt = now;
    this.#begun = { at: now, isMoving };
    [this.#isStale, this.#isRough] = [false, isMoving];
    this.#events.outdated();
    this.#events.draw(isMoving);
  }
}
