import type { RequestContext } from "../../api/endpoint.ts";
import type { Setting } from "../../catalog/setting.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { shortNumber } from "../../core/quantities.ts";
import { boxSize } from "../../geometry/box.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { IDENTITY_POSE } from "../../geometry/pose.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { ChamberRequest, MovablePart } from "../../pack/pack-chamber.ts";
import { boxWithin, roomOf } from "../../pack/chamber.ts";
import { leastChambers } from "../../plan/chamber-bounds.ts";
import type { PackChambers } from "../../plan/longest-prefix.ts";
import type { ChamberLine } from "../../plan/chamber-pool.ts";
import { type PlannedChamber, planChambers } from "../../plan/plan-chambers.ts";
import { wireMm, wireVolume } from "../../scene/wire-numbers.ts";
import { importFileTask } from "../import/task.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { emptyChamber } from "../pack/endpoint.ts";
import { packChamberTask } from "../pack/task.ts";
import { inTurn } from "./orders-in-turn.ts";
import {
  type OrderJudge,
  type PlanClass,
  type PlanOrder,
  type Unplaced,
  classesOf,
  machineCountsOf,
  settingsOf,
} from "./plan-classes.ts";
import type { PlanBody } from "./plan-fields.ts";
import { FILE_OPTIONS } from "./plan-files.ts";
import { type OrderedPlate, dueMsOf } from "./plan-prints.ts";
import { platePrintTime } from "./plate-print-time.ts";
import { readableOrders } from "./readable-orders.ts";
import type { PlanFileSolid } from "./read-plan-solid.ts";
import { SHAPES, readPlanSolidTask } from "./task.ts";

interface Chambers {
  readonly plates: readonly OrderedPlate[];
  readonly unplaced: readonly Unplaced[];
  /** Number of chambers below which no plan can be. */
  readonly least: number;
}

interface ChamberOptions {
  /** Whether only one packing is left for each chamber. */
  readonly isOverdue: () => boolean;
  /** Share of the progress at which chambers begin. */
  readonly from: number;
}

/** Plans the chambers of orders of powder printers, which are in the order of their names. */
export async function makeChambers(
  body: PlanBody,
  { isOverdue, from }: ChamberOptions,
  context: RequestContext,
): Promise<Chambers> {
  const shareAt = (share: number): number => from + share * (1 - from);
  context.enterPhase(from, shareAt(SHAPES));
  const read = await mapDistinct(
    body.orders,
    ({ file }) => file,
    ({ file }, share) => context.compute(readPlanSolidTask, { input: { file }, ...share }),
  );
  const files = new Map(paired(body.orders, read).map(([{ file }, found]) => [file, found]));
  const { shapes, unreadable } = readableOrders(body.orders, files);
  const solidOf = (order: PlanOrder): PlanFileSolid => must(shapes.get(order), "The measures of an order");
  const readable = { ...body, orders: [...shapes.keys()] };
  context.enterPhase(shareAt(SHAPES), shareAt(SHAPES));
  const { classes, unplaced } = classesOf(readable, await chamberJudge(readable, solidOf, context));
  const total = classes.reduce((sum, { orders }) => sum + copiesOf(orders), 0);
  const plates: OrderedPlate[] = [];
  let least = 0;
  let done = 0;
  for (const { setting, orders } of classes) {
    const chamber = chamberOf(setting, body);
    const sorted = inTurn(orders, (order) => solidOf(order).volumeMm3);
    const own = copiesOf(orders);
    const before = done;
    const report = (share: number): void => {
      context.throwIfCancelled();
      const at = shareAt(SHAPES + ((1 - SHAPES) * (before + share * own)) / total);
      context.enterPhase(at, at);
    };
    const request = {
      ...measuresOf(chamber),
      lines: sorted.map((order) => lineOf(order, solidOf(order), chamber.spacingMm)),
      tries: body.tries,
      isOverdue,
    };
    const meshes = new HeldMeshes(sorted, context);
    for await (const planned of planChambers(request, packer(sorted, chamber, meshes, context), report)) {
      meshes.release(planned.parts.map(({ line }) => orderAt(sorted, line)));
      plates.push(orderedChamber({ setting, orders: sorted }, planned, chamber, solidOf));
    }
    least += leastChambers(
      sorted.map((order) => ({ volumeMm3: solidOf(order).volumeMm3, copies: order.copies })),
      { footprint: roomOf(chamber.region, chamber.wallDistanceMm).footprint, heightMm: request.roomHeightMm },
      chamber.spacingMm,
    );
    done += own;
  }
  return { plates, unplaced: [...unreadable, ...unplaced], least };
}

const copiesOf = (orders: readonly PlanOrder[]): number => orders.reduce((sum, { copies }) => sum + copies, 0);

const orderAt = (orders: readonly PlanOrder[], line: number): PlanOrder => must(orders[line], "The order of a part");

const chamberOf = (setting: Setting, { model_spacing_mm }: PlanBody): ChamberRequest =>
  emptyChamber({ setting }, { modelSpacing: model_spacing_mm });

function measuresOf({ region, wallDistanceMm }: ChamberRequest): {
  readonly roomMm3: number;
  readonly roomHeightMm: number;
} {
  const { min, max, footprint } = roomOf(region, wallDistanceMm);
  const [x, y, z] = boxSize({ min, max });
  return { roomMm3: floorAreaMm2([x, y], footprint.r) * z, roomHeightMm: z };
}

/** Area of a rectangle with rounded corners. */
const floorAreaMm2 = ([x, y]: readonly [number, number], radiusMm: number): number =>
  x * y - (4 - Math.PI) * radiusMm ** 2;

function lineOf(order: PlanOrder, { volumeMm3, areaMm2 }: PlanFileSolid, spacingMm: number): ChamberLine {
  const { copies, group, max_plates: maxPlates } = order;
  return { copies, group, maxPlates, dueMs: dueMsOf(order), grownMm3: volumeMm3 + (spacingMm / 2) * areaMm2 };
}

const partOf = ({ lock_rotation }: PlanOrder, mesh: Mesh): MovablePart => ({
  mesh,
  pose: IDENTITY_POSE,
  turns: lock_rotation ? "none" : "all",
});

/** Judges parts in chambers: those that fit in every orientation by their size, all others by the packer. */
async function chamberJudge(
  body: PlanBody,
  solidOf: (order: PlanOrder) => PlanFileSolid,
  context: RequestContext,
): Promise<OrderJudge> {
  const machines = machineCountsOf(body.printers);
  const keyOf = ({ file, lock_rotation }: PlanOrder, { combination }: Setting): string =>
    JSON.stringify([file, lock_rotation, Object.values(combination)]);
  const doubtful = body.orders.flatMap((order) =>
    settingsOf(order, machines)
      .settings.filter((setting) => !fitsAnyhow(solidOf(order), chamberOf(setting, body)))
      .map((setting) => ({ order, setting })),
  );
  const verdicts = await mapDistinct(
    doubtful,
    ({ order, setting }) => keyOf(order, setting),
    async ({ order, setting }, share) => {
      const part = partOf(order, await meshOf(order.file, context));
      const input = { ...chamberOf(setting, body), parts: [part], required: 1 };
      return (await context.compute(packChamberTask, { input, ...share })).placed === 1;
    },
  );
  const isFitting = new Map(
    paired(doubtful, verdicts).map(([{ order, setting }, fits]) => [keyOf(order, setting), fits]),
  );
  return {
    fits: (order, setting) => isFitting.get(keyOf(order, setting)) ?? true,
    shareOf: (order, setting) => solidOf(order).volumeMm3 / measuresOf(chamberOf(setting, body)).roomMm3,
    tooLarge: (order, setting) => tooLargeForChamber(order, solidOf(order), setting.printerType.volume),
  };
}

/** Whether a ball around the part fits in the box within the chamber. */
function fitsAnyhow({ sizeMm }: PlanFileSolid, { region, wallDistanceMm }: ChamberRequest): boolean {
  const { min, max } = roomOf(boxWithin(region), wallDistanceMm);
  return Math.hypot(...sizeMm) <= Math.min(...boxSize({ min, max }));
}

const inWords = (sizeMm: readonly number[]): string => `${sizeMm.map(shortNumber).join(" × ")} mm`;

const tooLargeForChamber = (
  { lock_rotation }: PlanOrder,
  { sizeMm }: PlanFileSolid,
  { dimensionsMm }: BuildVolume,
): string =>
  `The part has ${inWords(sizeMm)}, and the chamber has room for ${inWords(dimensionsMm)}: divide it, ${lock_rotation ? "leave out lock_rotation, " : ""}or add a larger printer.`;

async function meshOf(file: string, context: RequestContext): Promise<Mesh> {
  const { parts } = await context.compute(importFileTask, { file, ...FILE_OPTIONS });
  return must(parts[0], "The part of a file").mesh;
}

/** The meshes of the parts that are being packed: read when they are first needed, released once all copies of their file are packed. */
class HeldMeshes {
  readonly #context: RequestContext;
  readonly #held = new Map<string, Mesh>();
  readonly #left = new Map<string, number>();

  constructor(orders: readonly PlanOrder[], context: RequestContext) {
    this.#context = context;
    for (const { file, copies } of orders) this.#left.set(file, (this.#left.get(file) ?? 0) + copies);
  }

  /** The meshes of orders, by their files. */
  async of(orders: readonly PlanOrder[]): Promise<ReadonlyMap<string, Mesh>> {
    const missing = orders.filter(({ file }) => !this.#held.has(file));
    await mapDistinct(
      missing,
      ({ file }) => file,
      async ({ file }) => this.#held.set(file, await meshOf(file, this.#context)),
    );
    return this.#held;
  }

  /** Parts that are packed, by their orders. */
  release(orders: readonly PlanOrder[]): void {
    for (const { file } of orders) {
      const left = (this.#left.get(file) ?? 0) - 1;
      this.#left.set(file, left);
      if (left === 0) this.#held.delete(file);
    }
  }
}

/** Packs by the task of `auto-pack`, whose packings keep the spacing by exact distances. */
const packer =
  (orders: readonly PlanOrder[], chamber: ChamberRequest, meshes: HeldMeshes, context: RequestContext): PackChambers =>
  async (tries) => {
    const held = await meshes.of(tries.flatMap(({ lines }) => lines.map((line) => orderAt(orders, line))));
    return Promise.all(
      tries.map(({ lines, required, start }, index) => {
        const parts = lines.map((line) => {
          const order = orderAt(orders, line);
          return partOf(order, must(held.get(order.file), "The mesh of an order"));
        });
        const input = { ...chamber, parts, required, start };
        return context.compute(packChamberTask, { input, index, count: tries.length });
      }),
    );
  };

const MS = 1000;

function orderedChamber(
  { setting, orders }: PlanClass,
  { parts, heightMm }: PlannedChamber,
  { region, spacingMm }: ChamberRequest,
  solidOf: (order: PlanOrder) => PlanFileSolid,
): OrderedPlate {
  const placed = parts.map(({ line, pose: { position, orientation } }) => {
    const [x, y, z] = position;
    return { order: orderAt(orders, line), place: { x_mm: x, y_mm: y, z_mm: z, orientation } };
  });
  const volumeMm3 = placed.reduce((sum, { order }) => sum + solidOf(order).volumeMm3, 0);
  const [x, y] = boxSize(region);
  const time = platePrintTime(setting, heightMm, volumeMm3);
  return {
    setting,
    parts: placed,
    machineType: setting.printerType.machineType,
    material: setting.combination.materialCode,
    dueMs: placed.reduce((least, { order }) => Math.min(least, dueMsOf(order)), Infinity),
    printMs: MS * Math.round(time.totalS),
    coolMs: MS * Math.round(time.cooling?.toRemovalS ?? 0),
    chamber: {
      model_spacing_mm: spacingMm,
      height_mm: wireMm(heightMm),
      density: heightMm > 0 ? wireVolume(volumeMm3 / (floorAreaMm2([x, y], region.filletRadiusMm) * heightMm)) : 0,
    },
  };
}
