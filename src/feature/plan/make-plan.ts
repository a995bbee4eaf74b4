import type * as v from "valibot";
import type { RequestContext } from "../../api/endpoint.ts";
import { profileOf } from "../../catalog/profile.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { leastPlates } from "../../plan/plate-bounds.ts";
import { type PlannedPlate, type PlanLine, type PlanShape, planPlates } from "../../plan/plan-plates.ts";
import { printTime } from "../../slice/print-time.ts";
import { type PlanClass, type PlanOrder, type Unplaced, checkPlan, classesOf, turnsOf } from "./plan-classes.ts";
import type { PlanBody, planReply } from "./plan-fields.ts";
import { type OrderedPlate, compareTexts, dueMsOf, printsOnWire } from "./plan-prints.ts";
import type { PlanFileShape } from "./read-plan-shapes.ts";
import { shapesOfFiles } from "./plan-shapes.ts";
import { SHAPES, fillPlateTask } from "./task.ts";

type PlanReply = v.InferInput<typeof planReply>;

/** Plans the orders of a request. Throws INPUT_ERROR for wrong names, machines and hours. */
export async function makePlan(given: PlanBody, context: RequestContext): Promise<PlanReply> {
  checkPlan(given);
  const startedMs = performance.now();
  const isOverdue = (): boolean =>
    given.time_limit_s !== undefined && performance.now() - startedMs > 1000 * given.time_limit_s;
  // The plan must not depend on the order in which orders and printers are given.
  const body = {
    ...given,
    orders: given.orders.toSorted((a, b) => compareTexts(a.order, b.order)),
    printers: given.printers.toSorted((a, b) => compareTexts(a.printer, b.printer)),
  };
  const files = await shapesOfFiles(
    body.orders.map(({ file }) => file),
    context,
  );
  const shapes = new Map<PlanOrder, PlanFileShape>();
  const unreadable: Unplaced[] = [];
  for (const order of body.orders) {
    const found = must(files.get(order.file), "The shape of a file");
    if ("unreadable" in found) unreadable.push({ order: order.order, reason: "UNREADABLE", message: found.unreadable });
    else shapes.set(order, found);
  }
  const shapeOf = (order: PlanOrder): PlanFileShape => must(shapes.get(order), "The shape of an order");
  const { classes, unplaced } = classesOf({ ...body, orders: [...shapes.keys()] }, shapeOf);
  const total = classes.reduce((sum, { orders }) => sum + orders.length, 0);
  let done = 0;
  let isCutOff = false;
  const plates: OrderedPlate[] = [];
  let least = 0;
  for (const ofClass of classes) {
    const { floor, orders } = ofClass;
    const sorted = inTurn(orders, shapeOf);
    const shareAt = (count: number): number => SHAPES + ((1 - SHAPES) * count) / total;
    const from = shareAt(done);
    const to = shareAt(done + orders.length);
    const planned = await planPlates(
      {
        floor,
        spacingMm: body.model_spacing_mm,
        ...linesOf(sorted, shapeOf),
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
    for (const { places } of planned) plates.push(orderedPlate(ofClass, places, sorted, shapeOf));
  }
  return {
    ...(await printsOnWire(plates, body)),
    unplaced: [...unreadable, ...unplaced],
    least_plates: least,
    is_cut_off: isCutOff,
  };
}

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

/** The lines of orders, with one shape for each file and lock: so equal parts are known to be equal. */
function linesOf(orders: readonly PlanOrder[], shapeOf: (order: PlanOrder) => PlanFileShape) {
  const known = new Map<string, number>();
  const shapes: PlanShape[] = [];
  const lines = orders.map((order): PlanLine => {
    const shape = getOrInsert(known, `${order.lock_rotation} ${order.file}`, () => {
      const { outline, areaMm2 } = shapeOf(order);
      return shapes.push({ outline, areaMm2, turnsDeg: turnsOf(order, shapeOf(order)) }) - 1;
    });
    return {
      shape,
      copies: order.copies,
      group: order.group,
      maxPlates: order.max_plates,
      dueMs: dueMsOf(order),
    };
  });
  return { shapes, lines };
}

const MS = 1000;

function orderedPlate(
  ofClass: PlanClass,
  places: PlannedPlate["places"],
  lines: readonly PlanOrder[],
  shapeOf: (order: PlanOrder) => PlanFileShape,
): OrderedPlate {
  const { setting } = ofClass;
  const parts = places.map((place) => ({ ...place, order: must(lines[place.line], "The order of a part") }));
  const orders = parts.map(({ order }) => order);
  return {
    setting,
    parts,
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
