import type { PlanOrder } from "./plan-classes.ts";
import { compareTexts, dueMsOf } from "./plan-prints.ts";

const compareNumbers = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** The orders in the order of the plan: by the due dates of their groups, then by priority; within a group the largest parts first. */
export function inTurn(orders: readonly PlanOrder[], sizeOf: (order: PlanOrder) => number): PlanOrder[] {
  const groups = [...Map.groupBy(orders, ({ group, order }) => (group === undefined ? `o${order}` : `g${group}`))];
  const keyed = groups.map(([name, own]) => ({
    name,
    dueMs: own.reduce((least, order) => Math.min(least, dueMsOf(order)), Infinity),
    priority: own.reduce((most, { priority }) => Math.max(most, priority), -Infinity),
    own: own.toSorted((a, b) => sizeOf(b) - sizeOf(a) || compareTexts(a.order, b.order)),
  }));
  keyed.sort((a, b) => compareNumbers(a.dueMs, b.dueMs) || b.priority - a.priority || compareTexts(a.name, b.name));
  return keyed.flatMap(({ own }) => own);
}
