import type * as v from "valibot";
import { canonicalMachineType } from "../../catalog/catalog.ts";
import { type Setting, settingsOnWire } from "../../catalog/setting.ts";
import { runStepwise } from "../../core/steps.ts";
import { getOrInsert } from "../../core/memoize.ts";
import {
  type DuePlate,
  type LateReason,
  type PlanPrinter,
  type PlatePrint,
  planPrints,
} from "../../plan/schedule-plates.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import type { PlanOrder } from "./plan-classes.ts";
import type { PlanBody, planReply } from "./plan-fields.ts";

type PlanReply = v.InferInput<typeof planReply>;

type PlateOnWire = PlanReply["plates"][number];

/** A plate with its setting and the orders of its parts. */
export interface OrderedPlate extends DuePlate {
  readonly setting: Setting;
  readonly parts: readonly {
    readonly order: PlanOrder;
    readonly place: Omit<PlateOnWire["parts"][number], "order" | "file">;
  }[];
  /** What the reply says of a powder chamber. */
  readonly chamber?: Pick<PlateOnWire, "model_spacing_mm" | "height_mm" | "density">;
}

const MS = 1000;

/** In the order of their code units, which is the same everywhere. */
export const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** When an order is due; Infinity: never. */
export const dueMsOf = ({ due }: PlanOrder): number => (due === undefined ? Infinity : Date.parse(due));

/** The parts of the reply that depend on printers: the plates with their prints, and the late orders. */
export async function printsOnWire(
  plates: readonly OrderedPlate[],
  body: PlanBody,
): Promise<Pick<PlanReply, "plates" | "late" | "split_groups">> {
  const beginsMs = body.begins_at === undefined ? Date.now() : Date.parse(body.begins_at);
  const printers = body.printers.map((one): PlanPrinter => ({
    id: one.printer,
    machineType: canonicalMachineType(one.machine_type),
    material: one.material_code,
    freeAtMs: Math.max(beginsMs, one.free_at === undefined ? 0 : Date.parse(one.free_at)),
    hours:
      one.starts_from === undefined || one.starts_until === undefined
        ? undefined
        : { from: minutesOf(one.starts_from), until: minutesOf(one.starts_until) },
  }));
  const options = { beginsMs, changeMs: MS * body.change_time_s, utcOffsetMs: 60 * MS * body.utc_offset_min };
  const prints = await runStepwise(planPrints(plates, printers, options));
  return {
    plates: prints.map((print, i) => plateOnWire(print, i + 1)),
    late: lateOrders(prints),
    split_groups: splitGroups(prints),
  };
}

function plateOnWire(
  { plate, printer, startMs, endMs, reason }: PlatePrint<OrderedPlate>,
  number: number,
): PlateOnWire {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = settingsOnWire(plate.setting);
  return {
    plate: number,
    machine_type,
    material_code,
    print_setting,
    layer_thickness_mm,
    printer,
    starts_at: iso(startMs),
    ends_at: iso(endMs),
    print_time_s: wireS(plate.printMs / MS),
    ...(plate.dueMs < Infinity && { due: iso(plate.dueMs) }),
    is_late: reason !== undefined,
    ...(reason !== undefined && { late_reason: reason }),
    groups: [...new Set(plate.parts.flatMap(({ order }) => order.group ?? []))].sort(compareTexts),
    ...(plate.chamber && { free_at: iso(endMs + (plate.coolMs ?? 0)), ...plate.chamber }),
    parts: plate.parts.map(({ order: { order, file }, place }) => ({ order, file, ...place })),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

const minutesOf = (time: string): number => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));

/** The orders of which a part is printed after they are due, with the reason of the last such plate. */
function lateOrders(prints: readonly PlatePrint<OrderedPlate>[]): PlanReply["late"] {
  const last = new Map<PlanOrder, { readonly endMs: number; readonly reason: LateReason | undefined }>();
  for (const { plate, endMs, reason } of prints) {
    for (const order of new Set(plate.parts.map((part) => part.order))) {
      if (endMs > dueMsOf(order) && endMs > (last.get(order)?.endMs ?? -Infinity)) last.set(order, { endMs, reason });
    }
  }
  return [...last.entries()]
    .sort(([a], [b]) => compareTexts(a.order, b.order))
    .map(([order, { endMs, reason = "CAPACITY" }]) => ({
      order: order.order,
      due: iso(dueMsOf(order)),
      ends_at: iso(endMs),
      reason,
    }));
}

/** The groups on more plates than they should be. */
function splitGroups(prints: readonly PlatePrint<OrderedPlate>[]): PlanReply["split_groups"] {
  const groups = new Map<string, { readonly plates: Set<number>; most: number }>();
  for (const [i, { plate }] of prints.entries()) {
    for (const {
      order: { group, max_plates },
    } of plate.parts) {
      if (group === undefined) continue;
      const found = getOrInsert(groups, group, () => ({ plates: new Set<number>(), most: max_plates }));
      found.plates.add(i + 1);
      found.most = Math.min(found.most, max_plates);
    }
  }
  return [...groups.entries()]
    .filter(([, { plates, most }]) => plates.size > most)
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([group, { plates }]) => ({ group, plates: [...plates] }));
}
