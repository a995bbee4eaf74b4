import { type Progress, STEPS_PER_REPORT } from "../core/progress.ts";

/** Thrown by a report when no steps are left. Never leaves {@link RepairBudget.attempt}. */
class StepsSpentError extends Error {
  constructor() {
    super("The work has no steps left.");
    this.name = "StepsSpentError";
  }
}

/** A bound on the work of a repair. It counts the steps that kernels report, so it ends the same work on every machine. */
export interface RepairBudget {
  /**
   * The result of `work`, whose progress counts its steps. Undefined if it takes more than `share` of the whole budget, or would
   * leave less than `reserve` of the whole budget.
   */
  attempt<Result>(
    share: number,
    progress: Progress,
    work: (progress: Progress) => Result | Promise<Result>,
    reserve?: number,
  ): Promise<Result | undefined>;
  /** The share of the whole budget that is left. */
  leftShare(): number;
  /** Whether any attempt was ended. */
  isExceeded(): boolean;
}

/** A budget in steps. A processor of 2024 takes about 65 steps in a microsecond. */
export function newRepairBudget(steps: number): RepairBudget {
  let left = steps;
  let isExceeded = false;
  return {
    async attempt(share, progress, work, reserve = 0) {
      const end = Math.max(left - share * steps, Math.min(left, reserve * steps));
      const spend = (spent: number): void => {
        left -= spent;
        if (left < end) throw new StepsSpentError();
      };
      try {
        return await work(countedProgress(progress, spend));
      } catch (thrown) {
        if (!(thrown instanceof StepsSpentError)) throw thrown;
        left = end;
        isExceeded = true;
        return undefined;
      }
    },
    leftShare: () => left / steps,
    isExceeded: () => isExceeded,
  };
}

const countedProgress = (progress: Progress, spend: (steps: number) => void): Progress => ({
  report(share, steps = STEPS_PER_REPORT) {
    progress.report(share, steps);
    spend(steps);
  },
  part: (from, to) => countedProgress(progress.part(from, to), spend),
  silent: () => countedProgress(progress.silent(), spend),
});
