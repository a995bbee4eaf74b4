import type * as v from "valibot";
import { canonicalMachineType, printerTypes } from "../../catalog/catalog.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import type { Setting } from "../../catalog/setting.ts";
import { partVolume } from "../../catalog/shrink-factors.ts";
import { ApiError, excerpt, inputError } from "../../core/api-error.ts";
import { shortNumber } from "../../core/quantities.ts";
import { distanceBeyondFloor, floorOf } from "../../layout/floor.ts";
import { rotatePart } from "../../layout/part.ts";
import { TOLERANCE_MM } from "../../layout/resolve-overlaps.ts";
import type { PlanBody, planReply } from "./plan-fields.ts";
import type { PlanFileShape } from "./read-plan-shapes.ts";

export type PlanOrder = PlanBody["orders"][number];

/** Orders that may share plates: the same machine, material, print setting and layers. */
export interface PlanClass {
  readonly setting: Setting;
  readonly orders: PlanOrder[];
}

/** Judges whether machines can print the parts of orders. */
export interface OrderJudge {
  readonly fits: (order: PlanOrder, setting: Setting) => boolean;
  /** The share of an empty plate that a part takes, for a fair division among machines. */
  readonly shareOf: (order: PlanOrder, setting: Setting) => number;
  /** Why a part does not fit, and the way out. */
  readonly tooLarge: (order: PlanOrder, setting: Setting) => string;
}

export type Unplaced = v.InferInput<typeof planReply>["unplaced"][number];

/** Turns about z at which parts are tried, from the one that aligns them with the platform: a number of equal steps. */
const TURNS = 16;

export const turnsOf = ({ lock_rotation }: PlanOrder, { alignedTurnDeg }: PlanFileShape): number[] =>
  lock_rotation ? [0] : Array.from({ length: TURNS }, (_, i) => alignedTurnDeg + (360 / TURNS) * i);

/** Throws INPUT_ERROR for names that are given twice, machines that are unknown, and hours that end before they begin. */
export function checkPlan({ orders, printers }: PlanBody): void {
  requireDistinct(
    orders.map(({ order }) => order),
    "order",
  );
  requireDistinct(
    printers.map(({ printer }) => printer),
    "printer",
  );
  for (const { printer, machine_type, starts_from, starts_until } of printers) {
    const machineType = canonicalMachineType(machine_type);
    const type = printerTypes().find((one) => one.machineType === machineType);
    const named = `The printer "${excerpt(printer)}"`;
    if (!type)
      throw inputError(
        `${named} has the machine_type "${excerpt(machine_type)}", which is unknown: print-setting/list lists all.`,
      );
    if ((starts_from === undefined) !== (starts_until === undefined))
      throw inputError(`${named} needs both starts_from and starts_until, or neither.`);
    if (starts_from !== undefined && starts_until !== undefined && starts_from >= starts_until)
      throw inputError(
        `${named} has starts_until ${starts_until}, which is not later than starts_from ${starts_from}.`,
      );
  }
}

function requireDistinct(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw inputError(`The ${what} "${excerpt(name)}" is given twice: give each another name.`);
    seen.add(name);
  }
}

/**
 * Divides orders into classes. An order that several machine types could print goes to the one with the least area for each of its
 * printers so far. Orders that fit nowhere are returned with the reason.
 */
export function classesOf(
  { orders, printers }: Pick<PlanBody, "orders" | "printers">,
  { fits, shareOf, tooLarge }: OrderJudge,
): { readonly classes: readonly PlanClass[]; readonly unplaced: readonly Unplaced[] } {
  const machineCounts = machineCountsOf(printers);
  const loads = new Map<string, number>();
  const classes = new Map<string, PlanClass>();
  const unplaced: Unplaced[] = [];
  for (const order of orders) {
    const { settings, error } = settingsOf(order, machineCounts);
    const [first] = settings;
    if (!first) {
      const message = error ?? "No printer of the plan is of one of its machine_types: add one, or more types.";
      unplaced.push({ order: order.order, reason: "NO_PRINTER", message });
      continue;
    }
    const fitting = settings.filter((setting) => fits(order, setting));
    if (fitting.length === 0) {
      unplaced.push({ order: order.order, reason: "TOO_LARGE", message: tooLarge(order, first) });
      continue;
    }
    const loadOf = (setting: Setting): number => loads.get(setting.printerType.machineType) ?? 0;
    const setting = fitting.reduce((best, one) => (loadOf(one) < loadOf(best) ? one : best));
    const { machineType } = setting.printerType;
    const load = (order.copies * shareOf(order, setting)) / (machineCounts.get(machineType) ?? 1);
    loads.set(machineType, loadOf(setting) + load);
    const { materialCode, printSetting, layerThicknessMm } = setting.combination;
    const key = [machineType, materialCode, printSetting, layerThicknessMm].join("\n");
    const known = classes.get(key);
    if (known) known.orders.push(order);
    else classes.set(key, { setting, orders: [order] });
  }
  const sorted = [...classes.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  return { classes: sorted.map(([, one]) => one), unplaced };
}

/** The number of printers of each machine type. */
export function machineCountsOf(printers: PlanBody["printers"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { machine_type } of printers) {
    const type = canonicalMachineType(machine_type);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

/** The settings of an order on the machine types of the printers that may print it, and why there is none. */
export function settingsOf(
  order: PlanOrder,
  machines: ReadonlyMap<string, number>,
): { settings: Setting[]; error?: string } {
  const wanted = order.machine_types?.length ? order.machine_types.map(canonicalMachineType) : [...machines.keys()];
  const types = [...new Set(wanted)].filter((type) => machines.has(type)).sort();
  const settings: Setting[] = [];
  let error: string | undefined;
  for (const machine_type of types) {
    try {
      const { material_code, layer_thickness_mm, print_setting } = order;
      settings.push(resolveCombination({ machine_type, material_code, layer_thickness_mm, print_setting }));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      error ??= thrown.message;
    }
  }
  return { settings, ...(error !== undefined && { error }) };
}

/** Judges parts on plates by their outlines and heights. */
export const plateJudge = (shapeOf: (order: PlanOrder) => PlanFileShape): OrderJudge => ({
  fits: (order, setting) => fitsOnPlate(order, shapeOf(order), setting),
  shareOf(order, setting) {
    const [x, y] = partVolume(setting).dimensionsMm;
    return shapeOf(order).areaMm2 / (x * y);
  },
  tooLarge: (order, setting) => tooLargeForPlate(shapeOf(order), setting),
});

function fitsOnPlate(order: PlanOrder, shape: PlanFileShape, setting: Setting): boolean {
  const volume = partVolume(setting);
  if (shape.heightMm > volume.dimensionsMm[2] + TOLERANCE_MM) return false;
  const floor = floorOf(volume);
  return turnsOf(order, shape).some((turnDeg) => {
    const { hull, box } = rotatePart({ body: shape.outline }, turnDeg);
    const middle = [-(box.minX + box.maxX) / 2, -(box.minY + box.maxY) / 2] as const;
    return distanceBeyondFloor(floor, hull, box, ...middle) <= 0;
  });
}

function tooLargeForPlate({ outline, heightMm, alignedTurnDeg }: PlanFileShape, setting: Setting): string {
  const { box } = rotatePart({ body: outline }, alignedTurnDeg);
  const size = [box.maxX - box.minX, box.maxY - box.minY, heightMm].map(shortNumber).join(" × ");
  const room = partVolume(setting).dimensionsMm.map(shortNumber).join(" × ");
  return `The part has ${size} mm, and the ${setting.printerType.label} has room for ${room} mm: turn it in its file, divide it, or add a larger printer.`;
}
