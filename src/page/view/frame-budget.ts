/** Limits of a frame that must be drawn quickly. */
export interface FrameBudget {
  readonly triangles: number;
  /** Maximum number of device pixels per CSS pixel. */
  readonly pixelRatio: number;
}

/** Cost of a quick frame. */
export interface FrameCost {
  readonly milliseconds: number;
  readonly triangles: number;
}

/** Initial budget, and the time that a quick frame should take. */
export interface FrameGoal extends FrameBudget {
  readonly milliseconds: number;
}

/** Goal of about 30 frames/s: with a graphics card a multiple of a 60 Hz screen's interval, and a little more without one. */
export const frameGoal = (isSoftware: boolean): FrameGoal =>
  isSoftware
    ? { triangles: 250_000, pixelRatio: 1, milliseconds: 40 }
    : { triangles: 3_000_000, pixelRatio: 2, milliseconds: 36 };

const MIN_TRIANGLES = 60_000;
const MIN_PIXEL_RATIO = 0.5;
/** Budgets grow in small steps, so that they do not oscillate. */
const [GROWTH, SHRINK, MIN_SHRINK] = [1.3, 0.75, 0.4];

/** Returns the budget for the next frame: smaller if the last one took too long, larger if it took less than half of the goal. */
export function nextBudget(budget: FrameBudget, cost: FrameCost, goal: FrameGoal): FrameBudget {
  const { triangles, pixelRatio } = budget;
  if (cost.milliseconds > goal.milliseconds) {
    const share = Math.max(MIN_SHRINK, goal.milliseconds / cost.milliseconds);
    const fewer = Math.max(MIN_TRIANGLES, Math.min(triangles, cost.triangles) * share);
    // With few triangles, most of the time is spent on pixels.
    const isFew = cost.triangles <= MIN_TRIANGLES * 2;
    return { triangles: fewer, pixelRatio: isFew ? Math.max(MIN_PIXEL_RATIO, pixelRatio * SHRINK) : pixelRatio };
  }
  if (cost.milliseconds > goal.milliseconds / 2) return budget;
  return {
    triangles: cost.triangles > triangles / 2 ? triangles * GROWTH : triangles,
    pixelRatio: Math.min(goal.pixelRatio, pixelRatio / SHRINK),
  };
}
