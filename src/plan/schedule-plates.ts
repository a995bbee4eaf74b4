import type { Steps } from "../core/steps.ts";
import { type Lateness, exchangePlates } from "./exchange-plates.ts";

/** A printer of the plan. Times are milliseconds since 1970. */
export interface PlanPrinter {
  readonly id: string;
  readonly machineType: string;
  /** Code of the material that is loaded; undefined: none. */
  readonly material: string | undefined;
  readonly freeAtMs: number;
  /** Minutes of the day in which prints can be started; undefined: at any time. */
  readonly hours?: { readonly from: number; readonly until: number } | undefined;
}

/** A plate that a printer is to print. */
export interface DuePlate {
  readonly machineType: string;
  readonly material: string;
  readonly printMs: number;
  /** Time after its print until the printer can begin another one; 0 if absent. */
  readonly coolMs?: number;
  /** When the first of its parts is due; Infinity: never. */
  readonly dueMs: number;
}

export interface ScheduleOptions {
  /** When the first print may start. */
  readonly beginsMs: number;
  /** Time that a change of material takes. */
  readonly changeMs: number;
  /** Offset of the hours of printers from UTC. */
  readonly utcOffsetMs: number;
}

/** The print of a plate. */
interface ScheduledPlate {
  readonly printer: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Why a plate is late. TOO_SHORT: no printer could print it in time, even if it were free at once and started at any time. HOURS: it would be in time if prints
 * could be started at any time. MATERIAL: it would be in time without changes of material. CAPACITY: the printers print other plates.
 */
export type LateReason = "TOO_SHORT" | "MATERIAL" | "HOURS" | "CAPACITY";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The order of due dates; of equal ones that of the plates. */
const dueOrder = (plates: readonly DuePlate[]): number[] =>
  [...plates.keys()].sort((a, b) => compare(plates[a].dueMs, plates[b].dueMs) || a - b);

/**
 * The prints of all plates: each plate, in an order, on the printer on which it ends first (list scheduling). Of equal printers the first.
 * Every machine type has a printer.
 */
function schedulePlates(
  plates: readonly DuePlate[],
  printers: readonly PlanPrinter[],
  options: ScheduleOptions,
  order: readonly number[] = dueOrder(plates),
): ScheduledPlate[] {
  const states = printers.map((printer) => ({ printer, freeMs: printer.freeAtMs, material: printer.material }));
  const scheduled: ScheduledPlate[] = [];
  for (const i of order) {
    const { machineType, material, printMs, coolMs = 0 } = plates[i];
    const choices = states
      .filter(({ printer }) => printer.machineType === machineType)
      .map((state) => {
        const readyMs = state.freeMs + (state.material === material ? 0 : options.changeMs);
        const startMs = nextStart(readyMs, state.printer, options);
        return { state, startMs, endMs: startMs + printMs };
      });
    const { state, startMs, endMs } = choices.reduce((best, one) => (one.endMs < best.endMs ? one : best));
    state.freeMs = endMs + coolMs;
    state.material = material;
    scheduled[i] = { printer: state.printer.id, startMs, endMs };
  }
  return scheduled;
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** The first time from one on at which a print can be started. */
function nextStart(atMs: number, { hours }: PlanPrinter, { utcOffsetMs }: ScheduleOptions): number {
  if (!hours) return atMs;
  const localMs = atMs + utcOffsetMs;
  const day = Math.floor(localMs / DAY_MS);
  const minuteMs = localMs - day * DAY_MS;
  const [fromMs, untilMs] = [hours.from * MINUTE_MS, hours.until * MINUTE_MS];
  if (minuteMs < fromMs) return atMs + fromMs - minuteMs;
  return minuteMs <= untilMs ? atMs : atMs + DAY_MS + fromMs - minuteMs;
}

/** A plate with its print, and why it is late if it is. */
export interface PlatePrint<Plate> extends ScheduledPlate {
  readonly plate: Plate;
  readonly reason: LateReason | undefined;
}

/** Plates that are scheduled, times the printers, while orders are compared: about a second. */
const MAX_SCHEDULED = 1e7;

/**
 * The prints of all plates by {@link schedulePlates}, in the order of their starts: by due dates, or where plates are late by the order of
 * {@link exchangePlates}.
 */
export function* planPrints<Plate extends DuePlate>(
  plates: readonly Plate[],
  printers: readonly PlanPrinter[],
  options: ScheduleOptions,
): Steps<PlatePrint<Plate>[]> {
  const order = yield* exchangePlates(
    dueOrder(plates),
    (plate) => plates[plate].machineType,
    (judged) => latenessOf(plates, schedulePlates(plates, printers, options, judged)),
    Math.floor(MAX_SCHEDULED / (plates.length * printers.length + 1)),
  );
  const scheduled = schedulePlates(plates, printers, options, order);
  const reasons = lateReasons(plates, scheduled, printers, options);
  const prints = plates.map((plate, i) => ({ plate, ...scheduled[i], reason: reasons[i] }));
  return prints.sort((a, b) => a.startMs - b.startMs);
}

function latenessOf(plates: readonly DuePlate[], scheduled: readonly ScheduledPlate[]): Lateness {
  const delays = plates.map(({ dueMs }, i) => Math.max(0, scheduled[i].endMs - dueMs));
  return {
    count: delays.reduce((sum, delay) => sum + Number(delay > 0), 0),
    totalMs: delays.reduce((sum, delay) => sum + delay, 0),
    isLate: delays.map((delay) => delay > 0),
  };
}

/** Why each late plate is late; undefined for plates in time. */
function lateReasons(
  plates: readonly DuePlate[],
  scheduled: readonly ScheduledPlate[],
  printers: readonly PlanPrinter[],
  options: ScheduleOptions,
): (LateReason | undefined)[] {
  const isLate = ({ endMs }: ScheduledPlate, { dueMs }: DuePlate): boolean => endMs > dueMs;
  if (!plates.some((plate, i) => isLate(scheduled[i], plate))) return plates.map(() => undefined);
  const atAnyTime = (some: readonly PlanPrinter[]) => some.map((printer) => ({ ...printer, hours: undefined }));
  const free = printers.map((printer) => ({ ...printer, freeAtMs: options.beginsMs }));
  const unchanging = { ...options, changeMs: 0 };
  const isLateAlone = (plate: DuePlate, some: readonly PlanPrinter[]): boolean =>
    isLate(schedulePlates([plate], some, unchanging)[0], plate);
  const withoutChanges = schedulePlates(plates, printers, unchanging);
  const withoutHours = schedulePlates(plates, atAnyTime(printers), options);
  return plates.map((plate, i) => {
    if (!isLate(scheduled[i], plate)) return undefined;
    if (isLateAlone(plate, atAnyTime(free))) return "TOO_SHORT";
    if (isLateAlone(plate, free)) return "HOURS";
    if (!isLate(withoutChanges[i], plate)) return "MATERIAL";
    return isLate(withoutHours[i], plate) ? "CAPACITY" : "HOURS";
  });
}
