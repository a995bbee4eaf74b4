import type * as v from "valibot";
import type { RequestContext } from "../../api/endpoint.ts";
import { partVolume } from "../../catalog/shrink-factors.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { must } from "../../core/must.ts";
import { floorOf } from "../../layout/floor.ts";
import { leastPlates } from "../../plan/plate-bounds.ts";
import { type PlannedPlate, type PlanLine, type PlanShape, planPlates } from "../../plan/plan-plates.ts";
import { makeChambers } from "./make-chambers.ts";
import { inTurn } from "./orders-in-turn.ts";
import {
  type PlanClass,
  type PlanOrder,
  checkPlan,
  classesOf,
  machineCountsOf,
  plateJudge,
  settingsOf,
  turnsOf,
} from "./plan-classes.ts";
import { PLATE_SPACING_MM, type PlanBody, type planReply } from "./plan-fields.ts";
import { type OrderedPlate, compareTexts, dueMsOf, printsOnWire } from "./plan-prints.ts";
import { platePrintTime } from "./plate-print-time.ts";
import { readableOrders } from "./readable-orders.ts";
import type { PlanFileShape } from "./read-plan-shapes.ts";
import { shapesOfFiles } from "./plan-shapes.ts";
import { SHAPES, fillPlateTask } from "./task.ts";

type PlanReply = v.InferInput<typeof planReply>;

const NONE = { plates: [], unplaced: [], least: 0 } as const;

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
  const machines = machineCountsOf(body.printers);
  const isPowder = (order: PlanOrder): boolean =>
    settingsOf(order, machines).settings[0]?.printerType.family === "powder";
  const [powder, resin] = [body.orders.filter(isPowder), body.orders.filter((order) => !isPowder(order))];
  const spacingMm = body.model_spacing_mm ?? PLATE_SPACING_MM;
  /** The share of the progress at which the plates of resin are planned. */
  const resinShare = resin.length / body.orders.length;
  context.enterPhase(0, resinShare);
  const files = await shapesOfFiles(
    resin.map(({ file }) => file),
    context,
  );
  const { shapes, unreadable } = readableOrders(resin, files);
  const shapeOf = (order: PlanOrder): PlanFileShape => must(shapes.get(order), "The shape of an order");
  const { classes, unplaced } = classesOf({ orders: [...shapes.keys()], printers: body.printers }, plateJudge(shapeOf));
  const total = classes.reduce((sum, { orders }) => sum + orders.length, 0);
  let done = 0;
  let isCutOff = false;
  const plates: OrderedPlate[] = [];
  let least = 0;
  const isOver = (): boolean => (isCutOff ||= isOverdue());
  for (const ofClass of classes) {
    const { setting, orders } = ofClass;
    const floor = floorOf(partVolume(setting));
    const sorted = inTurn(orders, (order) => shapeOf(order).areaMm2);
    const shareAt = (count: number): number => resinShare * (SHAPES + ((1 - SHAPES) * count) / total);
    const from = shareAt(done);
    const to = shareAt(done + orders.length);
    const planned = await planPlates(
      {
        floor,
        spacingMm,
        ...linesOf(sorted, shapeOf),
        tries: body.tries,
        isOverdue: isOver,
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
      spacingMm,
    );
    for (const { places } of planned) plates.push(orderedPlate(ofClass, places, sorted, shapeOf));
  }
  const chambers =
    powder.length > 0
      ? await makeChambers({ ...body, orders: powder }, { isOverdue: isOver, from: resinShare }, context)
      : NONE;
  return {
    ...(await printsOnWire([...plates, ...chambers.plates], body)),
    unplaced: [...unreadable, ...unplaced, ...chambers.unplaced],
    least_plates: least + chambers.least,
    is_cut_off: isCutOff,
  };
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
  const parts = places.map(({ line, x, y, turnDeg }) => ({
    order: must(lines[line], "The order of a part"),
    place: { x_mm: x, y_mm: y, turn_deg: turnDeg },
  }));
  const orders = parts.map(({ order }) => order);
  const heightMm = orders.reduce((most, order) => Math.max(most, shapeOf(order).heightMm), 0);
  const volumeMm3 = orders.reduce((sum, order) => sum + shapeOf(order).volumeMm3, 0);
  return {
    setting,
    parts,
    machineType: setting.printerType.machineType,
    material: setting.combination.materialCode,
    dueMs: orders.reduce((least, order) => Math.min(least, dueMsOf(order)), Infinity),
    printMs: MS * Math.round(platePrintTime(setting, heightMm, volumeMm3).totalS),
  };
}
