import { must } from "../../core/must.ts";
import type { PlanOrder, Unplaced } from "./plan-classes.ts";
import type { UnreadableFile } from "./read-plan-shapes.ts";

/** The orders whose files could be read, with what was found, and the others. `files`: by their paths. */
export function readableOrders<Shape extends object>(
  orders: readonly PlanOrder[],
  files: ReadonlyMap<string, Shape | UnreadableFile>,
): { readonly shapes: ReadonlyMap<PlanOrder, Shape>; readonly unreadable: readonly Unplaced[] } {
  const shapes = new Map<PlanOrder, Shape>();
  const unreadable: Unplaced[] = [];
  for (const order of orders) {
    const found = must(files.get(order.file), "The shape of a file");
    if ("unreadable" in found) unreadable.push({ order: order.order, reason: "UNREADABLE", message: found.unreadable });
    else shapes.set(order, found);
  }
  return { shapes, unreadable };
}
