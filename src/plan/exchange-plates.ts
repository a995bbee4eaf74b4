import type { Steps } from "../core/steps.ts";

/** How late the plates of a schedule are. */
export interface Lateness {
  /** Number of late plates. */
  readonly count: number;
  /** Sum of their delays. */
  readonly totalMs: number;
  /** Whether each plate is late. */
  readonly isLate: readonly boolean[];
}

/** A late plate is exchanged with those that are at most this many places before it. */
const REACH = 40;

/**
 * An order of plates by which fewer are late, or less, than by the given one, and neither more nor more in sum: late plates change places
 * with earlier ones, or either moves to the other, until none of that helps or `most` orders were judged. Without late plates the order stays.
 * @param kindOf Only plates of the same kind are exchanged.
 */
export function* exchangePlates(
  given: readonly number[],
  kindOf: (plate: number) => string,
  latenessOf: (order: readonly number[]) => Lateness,
  most: number,
): Steps<readonly number[]> {
  let order = given;
  let lateness = latenessOf(order);
  let judged = 0;
  let isBetter = lateness.count > 0;
  while (isBetter) {
    isBetter = false;
    for (let late = 1; late < order.length; late++) {
      for (let early = late - 1; early >= 0 && early >= late - REACH && lateness.isLate[order[late]]; early--) {
        if (kindOf(order[early]) !== kindOf(order[late])) continue;
        for (const changed of exchanges(order, early, late)) {
          if (judged++ === most) return order;
          yield;
          const found = latenessOf(changed);
          const isWorse = found.count > lateness.count || found.totalMs > lateness.totalMs;
          if (isWorse || (found.count === lateness.count && found.totalMs === lateness.totalMs)) continue;
          [order, lateness, isBetter] = [changed, found, true];
          break;
        }
      }
    }
  }
  return order;
}

/** The orders in which two plates have changed places, the early one follows the late one, and the late one precedes the early one. */
function* exchanges(order: readonly number[], early: number, late: number): Generator<number[]> {
  const [first, between, last] = [order[early], order.slice(early + 1, late), order[late]];
  const around = (...moved: number[]): number[] => [...order.slice(0, early), ...moved, ...order.slice(late + 1)];
  yield around(last, ...between, first);
  if (between.length === 0) return;
  yield around(...between, last, first);
  yield around(last, first, ...between);
}
