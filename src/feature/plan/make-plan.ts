import type * as v from "valibot";
import type { RequestContext } from "../../api/endpoint.ts";
import { canonicalMachineType } from "../../catalog/catalog.ts";
import { profileOf } from "../../catalog/profile.ts";
import { settingsOnWire } from "../../catalog/setting.ts";
import { must } from "../../core/must.ts";
import { leastPlates } from "../../farm/plan/plate-bounds.ts";
import { type PlannedPlate, type PlanLine, type PlanShape, planPlates } from "../../farm/plan/plan-plates.ts";
import {
  type DuePlate,
  type LateReason,
  type PlanPrinter,
  lateReasons,
  schedulePlates,
} from "../../farm/plan/schedule-plates.ts";
import { printTime } from "../../slice/print-time.ts";
import { wireS } from "../../scene/wire-numbers.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { type PlanClass, type PlanOrder, classesOf, turnsOf } from "./plan-classes.ts";
import type { PlanBody, planReply } from "./plan-fields.ts";
import type { PlanFileShape } from "./read-plan-shape.ts";
import { SHAPES, fillPlateTask, readPlanShapeTask } from "./task.ts";

type PlanReply = v.InferInput<typeof planReply>;

/** A plate with the class and the orders of its parts. */
interface ClassPlate extends DuePlate {
  readonly ofClass: PlanClass;
  readonly places: PlannedPlate["places"];
  /** The order of each place. */
  readonly orders: readonly PlanOrder[];
}

/** Plans the orders of a request. */
export async function makePlan(given: PlanBody, context: RequestContext): Promise<PlanReply> {
  const startedMs = performance.now();
  const isOverdue = (): boolean =>
    given.time_limit_s !== undefined && performance.now() - startedMs > 1000 * given.time_limit_s;
  // The plan must not depend on the order in which orders and printers are given.
  const body = {
    ...given,
    orders: given.orders.toSorted((a, b) => compareTexts(a.order, b.order)),
    printers: given.printers.toSorted((a, b) => compareTexts(a.printer, b.printer)),
  };
  const files = await mapDistinct(
    body.orders,
    ({ file }) => file,
    ({ file }, share) => context.compute(readPlanShapeTask, { input: { file }, ...share }),
  );
  const shapes = new Map(body.orders.map(({ order }, i) => [order, files[i]]));
  const shapeOf = ({ order }: PlanOrder): PlanFileShape => must(shapes.get(order), "The shape of an order");
  const { classes, unplaced } = classesOf(body, shapeOf);
  const total = classes.reduce((sum, { orders }) => sum + orders.length, 0);
  let done = 0;
  let isCutOff = false;
  const plates: ClassPlate[] = [];
  let least = 0;
  for (const ofClass of classes) {
    const { floor, orders } = ofClass;
    const sorted = inTurn(orders, shapeOf);
    const lines = sorted.map((order, shape): PlanLine => ({
      shape,
      copies: order.copies,
      group: order.group,
      maxPlates: order.max_plates,
    }));
    const planShapes = shapesOf(sorted, shapeOf);
    const [from, to] = [done / total, (done + orders.length) / total].map((share) => SHAPES + (1 - SHAPES) * share);
    const planned = await planPlates(
      {
        floor,
        spacingMm: body.model_spacing_mm,
        shapes: planShapes.shapes,
        lines: lines.map((line, i) => ({ ...line, shape: planShapes.indices[i] })),
        tries: body.tries,
        isOverdue: () => (isCutOff ||= isOverdue()),
      },
      (requests) =>
        Promise.all(
          requests.map((input, index) => context.compute(fillPlateTask, { input, index, count: requests.length })),
        ),
      (share) => {
        const at = from + share * (to - from);
        context.throwIfCancelled();
        context.enterPhase(at, at);
      },
    );
    done += orders.length;
    least += leastPlates(
      sorted.map((order) => ({ areaMm2: shapeOf(order).areaMm2, copies: order.copies })),
      floor,
      body.model_spacing_mm,
    );
    for (const { places } of planned) plates.push(classPlate(ofClass, places, sorted, shapeOf));
  }
  return { ...scheduled(plates, body), unplaced: [...unplaced], least_plates: least, is_cut_off: isCutOff };
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const dueMsOf = ({ due }: PlanOrder): number => (due === undefined ? Infinity : Date.parse(due));
const compareNumbers = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** The orders in the order of the plan: by the due dates of their groups, then by priority; within a group the largest parts first. */
function inTurn(orders: readonly PlanOrder[], shapeOf: (order: PlanOrder) => PlanFileShape): PlanOrder[] {
  const groups = [...Map.groupBy(orders, ({ group, order }) => (group === undefined ? `o${order}` : `g${group}`))];
  const keyed = groups.map(([name, own]) => ({
    name,
    dueMs: own.reduce((least, order) => Math.min(least, dueMsOf(order)), Infinity),
    priority: own.reduce((most, { priority }) => Math.max(most, priority), -Infinity),
    own: own.toSorted((a, b) => shapeOf(b).areaMm2 - shapeOf(a).areaMm2 || compareTexts(a.order, b.order)),
  }));
  keyed.sort((a, b) => compareNumbers(a.dueMs, b.dueMs) || b.priority - a.priority || compareTexts(a.name, b.name));
  return keyed.flatMap(({ own }) => own);
}

/** The shapes of orders: one for each file and lock, so that equal parts are known to be equal. */
function shapesOf(orders: readonly PlanOrder[], shapeOf: (order: PlanOrder) => PlanFileShape) {
  const known = new Map<string, number>();
  const shapes: PlanShape[] = [];
  const indices = orders.map((order) => {
    const key = `${order.lock_rotation} ${order.file}`;
    const index = known.get(key) ?? shapes.length;
    if (index === shapes.length) {
      const { outline, areaMm2 } = shapeOf(order);
      shapes.push({ outline, areaMm2, turnsDeg: turnsOf(order, shapeOf(order)) });
      known.set(key, index);
    }
    return index;
  });
  return { shapes, indices };
}

const MS = 1000;

function classPlate(
  ofClass: PlanClass,
  places: PlannedPlate["places"],
  lines: readonly PlanOrder[],
  shapeOf: (order: PlanOrder) => PlanFileShape,
): ClassPlate {
  const { setting } = ofClass;
  const orders = places.map(({ line }) => lines[line]);
  return {
    ofClass,
    places,
    orders,
    machineType: setting.printerType.machineType,
    material: setting.combination.materialCode,
    dueMs: orders.reduce((least, order) => Math.min(least, dueMsOf(order)), Infinity),
    printMs: MS * Math.round(printSeconds(ofClass, orders.map(shapeOf))),
  };
}

/** Thickness of adaptive layers for the estimate: that of most of them. */
const ADAPTIVE_MM = 0.1;

/** Time of a print by its height: each layer has the mean area of the parts. */
function printSeconds({ setting }: PlanClass, shapes: readonly PlanFileShape[]): number {
  const given = setting.combination.layerThicknessMm;
  const layerMm = typeof given === "number" ? given : ADAPTIVE_MM;
  const heightMm = shapes.reduce((most, shape) => Math.max(most, shape.heightMm), 0);
  const volumeMm3 = shapes.reduce((sum, shape) => sum + shape.volumeMm3, 0);
  const count = Math.max(1, Math.ceil(heightMm / layerMm));
  return printTime(profileOf(setting), {
    boundariesMm: Float64Array.from({ length: count + 1 }, (_, k) => k * layerMm),
    areasMm2: new Float64Array(count).fill(volumeMm3 / (count * layerMm)),
    perimetersMm: new Float64Array(count),
  }).totalS;
}

/** The reply without the parts that do not depend on printers. */
function scheduled(
  plates: readonly ClassPlate[],
  body: PlanBody,
): Omit<PlanReply, "unplaced" | "least_plates" | "is_cut_off"> {
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
  const options = { changeMs: MS * body.change_time_s, utcOffsetMs: 60 * MS * body.utc_offset_min };
  const prints = schedulePlates(plates, printers, options);
  const reasons = lateReasons(plates, prints, printers, options);
  const order = [...plates.keys()].sort((a, b) => prints[a].startMs - prints[b].startMs || a - b);
  const wire = order.map((i, k): PlanReply["plates"][number] => {
    const { ofClass, places, orders, dueMs, printMs } = plates[i];
    const { machine_type, material_code, print_setting, layer_thickness_mm } = settingsOnWire(ofClass.setting);
    return {
      plate: k + 1,
      machine_type,
      material_code,
      print_setting,
      layer_thickness_mm,
      printer: prints[i].printer,
      starts_at: iso(prints[i].startMs),
      ends_at: iso(prints[i].endMs),
      print_time_s: wireS(printMs / MS),
      ...(dueMs < Infinity && { due: iso(dueMs) }),
      is_late: reasons[i] !== undefined,
      ...(reasons[i] !== undefined && { late_reason: reasons[i] }),
      groups: [...new Set(orders.flatMap(({ group }) => group ?? []))].sort(compareTexts),
      parts: places.map(({ x, y, turnDeg }, p) => ({
        order: orders[p].order,
        file: orders[p].file,
        x_mm: x,
        y_mm: y,
        turn_deg: turnDeg,
      })),
    };
  });
  const inOrder = order.map((i) => ({ ...plates[i], endMs: prints[i].endMs, reason: reasons[i] }));
  return { plates: wire, late: lateOrders(inOrder), split_groups: splitGroups(inOrder) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/** The orders of which a part is printed after they are due, with the reason of the last such plate. */
function lateOrders(
  plates: readonly (ClassPlate & { readonly endMs: number; readonly reason: LateReason | undefined })[],
): PlanReply["late"] {
  const last = new Map<PlanOrder, { readonly endMs: number; readonly reason: LateReason | undefined }>();
  for (const { orders, endMs, reason } of plates) {
    for (const order of new Set(orders)) {
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
function splitGroups(plates: readonly ClassPlate[]): PlanReply["split_groups"] {
  const groups = new Map<string, { readonly plates: Set<number>; most: number }>();
  for (const [i, { orders }] of plates.entries()) {
    for (const { group, max_plates } of orders) {
      if (group === undefined) continue;
      const found = groups.get(group) ?? { plates: new Set<number>(), most: Infinity };
      found.plates.add(i + 1);
      found.most = Math.min(found.most, max_plates);
      groups.set(group, found);
    }
  }
  return [...groups.entries()]
    .filter(([, { plates: on, most }]) => on.size > most)
    .sort(([a], [b]) => compareTexts(a, b))
    .map(([group, { plates: on }]) => ({ group, plates: [...on] }));
}
