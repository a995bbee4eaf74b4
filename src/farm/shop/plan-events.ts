import { createHash } from "node:crypto";
import { getOrInsert } from "../../core/memoize.ts";
import type { NewEvent } from "../events/event-log.ts";

/** What the events of a plan tell, in the form of the reply of `plan/create`. */
export interface PlanFacts {
  readonly plates: readonly {
    readonly plate: number;
    readonly printer: string;
    readonly starts_at: string;
    readonly ends_at: string;
    readonly due?: string;
    readonly late_reason?: string;
    readonly parts: readonly { readonly order?: string }[];
  }[];
  readonly late: readonly {
    readonly order: string;
    readonly due: string;
    readonly ends_at: string;
    readonly reason: string;
  }[];
  readonly unplaced: readonly { readonly order: string; readonly reason: string }[];
}

/** The events of a plan, and its id: equal plans have the same. */
export function planEvents(plan: PlanFacts): { readonly id: string; readonly events: NewEvent[] } {
  const id = createHash("sha256").update(JSON.stringify(plan)).digest("hex").slice(0, 16);
  const plateId = (plate: number): string => `${id}-${plate}`;
  const orders = new Map<string, { readonly plates: string[]; endsAt: string }>();
  const plates = plan.plates.map(({ plate, printer, starts_at, ends_at, due = null, late_reason = null, parts }) => {
    for (const order of new Set(parts.flatMap((part) => part.order ?? []))) {
      const found = getOrInsert(orders, order, () => ({ plates: [] as string[], endsAt: ends_at }));
      found.plates.push(plateId(plate));
      // Times of plans are ISO 8601 in UTC.
      if (ends_at > found.endsAt) found.endsAt = ends_at;
    }
    const data = { printer, starts_at, ends_at, due, late_reason, parts: parts.length };
    return { type: "plate.planned", subject: `plate/${plateId(plate)}`, data };
  });
  const ofOrder = (type: string, order: string, data: NewEvent["data"]): NewEvent => ({
    type: `order.${type}`,
    // Names of orders have any characters.
    subject: `order/${encodeURIComponent(order)}`,
    data: { plan: id, ...data },
  });
  return {
    id,
    events: [
      ...plates,
      ...Array.from(orders, ([order, { plates: own, endsAt }]) =>
        ofOrder("planned", order, { plates: own, ends_at: endsAt }),
      ),
      ...plan.late.map(({ order, ...why }) => ofOrder("late", order, why)),
      ...plan.unplaced.map(({ order, reason }) => ofOrder("unplaced", order, { reason })),
    ],
  };
}
