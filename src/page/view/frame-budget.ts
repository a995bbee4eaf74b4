/** What a picture may cost that must be quick. */
export interface FrameBudget {
  readonly triangles: number;
  /** Pixels of the picture to a CSS pixel, at most. */
  readonly pixelRatio: number;
}

/** What a quick picture has cost. */
export interface FrameCost {
  readonly milliseconds: number;
  readonly triangles: number;
}

/** A budget to begin with, and the time of a picture that it is made for. */
export interface FrameGoal extends FrameBudget {
  readonly milliseconds: number;
}

/** 30 pictures a second with a graphics card, counted in those of a screen with 60, and 8 without one. */
export const frameGoal = (isSoftware: boolean): FrameGoal =>
  isSoftware
    ? { triangles: 250_000, pixelRatio: 1, milliseconds: 120 }
    : { triangles: 3_000_000, pixelRatio: 2, milliseconds: 36 };

const MIN_TRIANGLES = 60_000;
const MIN_PIXEL_RATIO = 0.5;
/** Budgets grow in small steps, so that pictures do not change back and forth. */
const [GROWTH, SHRINK, MIN_SHRINK] = [1.3, 0.75, 0.4];

/** The budget after a picture: less of everything where it took too long, more where it was much quicker. */
export function nextBudget(budget: FrameBudget, cost: FrameCost, goal: FrameGoal): FrameBudget {
  const { triangles, pixelRatio } = budget;
  if (cost.milliseconds > goal.milliseconds) {
    const share = Math.max(MIN_SHRINK, goal.milliseconds / cost.milliseconds);
    const fewer = Math.max(MIN_TRIANGLES, Math.min(triangles, cost.triangles) * share);
    // Where triangles are few, it is their pixels that take the time.
    const isFew = cost.triangles <= MIN_TRIANGLES * 2;
    return { triangles: fewer, pixelRatio: isFew ? Math.max(MIN_PIXEL_RATIO, pixelRatio * SHRINK) : pixelRatio };
  }
  if (cost.milliseconds > goal.milliseconds / 2) return budget;
  return {
    triangles: cost.triangles > triangles / 2 ? triangles * GROWTH : triangles,
    pixelRatio: Math.min(goal.pixelRatio, pixelRatio / SHRINK),
  };
}
