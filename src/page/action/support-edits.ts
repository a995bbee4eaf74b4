import { type Vec3, add, distance } from "../../geometry/vector.ts";
import type { Xyz } from "./surface-place.ts";

// Edits of the support points and areas of one part, before they are applied.

/** A support point in the scene, mm. */
export interface SupportPoint {
  /** Of a point that the server has: its index as of `supports/get`. Of a new one: negative, and unique within the edits. */
  readonly key: number;
  readonly position: Vec3;
  /** Unit vector out of the part. */
  readonly normal: Vec3;
  /** Diameter of the touch. */
  readonly sizeMm: number;
  readonly cause: "MINIMUM" | "ISLAND" | "PENINSULA" | "OVERHANG" | "MANUAL";
  readonly isByHand: boolean;
  readonly isLocked: boolean;
  /** It faces up in the present pose, so that nothing holds it. */
  readonly isResting: boolean;
}

/** A part of the surface, in the fields of the interface. */
export type SupportAreaShape =
  | { readonly kind: "BALL"; readonly centre: Xyz; readonly normal: Xyz; readonly radius_mm: number }
  | {
      readonly kind: "STROKE";
      readonly points: readonly Xyz[];
      readonly normals: readonly Xyz[];
      readonly radius_mm: number;
    }
  | { readonly kind: "FACE"; readonly point: Xyz; readonly normal: Xyz; readonly angle_deg: number };

/** Where no support may touch the part, or where automatic points are denser. */
export interface SupportArea {
  readonly mode: "NEVER" | "ALWAYS";
  readonly shape: SupportAreaShape;
}

export type SupportEdit =
  | { readonly kind: "add"; readonly points: readonly SupportPoint[] }
  | { readonly kind: "move"; readonly key: number; readonly position: Vec3; readonly normal: Vec3 }
  | { readonly kind: "size"; readonly keys: readonly number[]; readonly sizeMm: number }
  | { readonly kind: "lock"; readonly keys: readonly number[]; readonly isLocked: boolean }
  | { readonly kind: "delete"; readonly keys: readonly number[] }
  /** All areas after the edit. */
  | { readonly kind: "areas"; readonly areas: readonly SupportArea[] };

export interface SupportDraft {
  readonly points: readonly SupportPoint[];
  readonly areas: readonly SupportArea[];
}

/** The points and areas after some edits, in order. */
export const draftAfter = (base: SupportDraft, edits: readonly SupportEdit[]): SupportDraft =>
  edits.reduce(edited, base);

function edited({ points, areas }: SupportDraft, edit: SupportEdit): SupportDraft {
  if (edit.kind === "areas") return { points, areas: edit.areas };
  if (edit.kind === "add") return { points: [...points, ...edit.points], areas };
  if (edit.kind === "move") {
    const { key, position, normal } = edit;
    const moved = (point: SupportPoint): SupportPoint => ({
      ...point,
      position,
      normal,
      cause: "MANUAL",
      isByHand: true,
      isResting: false,
    });
    return { points: points.map((point) => (point.key === key ? moved(point) : point)), areas };
  }
  const keys = new Set(edit.keys);
  if (edit.kind === "delete") return { points: points.filter(({ key }) => !keys.has(key)), areas };
  const change = edit.kind === "size" ? { sizeMm: edit.sizeMm } : { isLocked: edit.isLocked };
  return { points: points.map((point) => (keys.has(point.key) ? { ...point, ...change } : point)), areas };
}

/** Edits that were made, and those that were taken back; the last one of each is next. */
export interface EditStack {
  readonly done: readonly SupportEdit[];
  readonly undone: readonly SupportEdit[];
}

export const NO_EDITS: EditStack = { done: [], undone: [] };

export const withEdit = ({ done }: EditStack, edit: SupportEdit): EditStack => ({ done: [...done, edit], undone: [] });

export function undoneOnce({ done, undone }: EditStack): EditStack {
  const last = done.at(-1);
  return last ? { done: done.slice(0, -1), undone: [...undone, last] } : { done, undone };
}

export function redoneOnce({ done, undone }: EditStack): EditStack {
  const next = undone.at(-1);
  return next ? { done: [...done, next], undone: undone.slice(0, -1) } : { done, undone };
}

/** A key that no point of the edits has, also of those that were taken back. */
export function freshKey({ done, undone }: EditStack): number {
  const added = [...done, ...undone].flatMap((edit) => (edit.kind === "add" ? edit.points : []));
  return added.reduce((least, { key }) => Math.min(least, key), 0) - 1;
}

const xyz = ([x, y, z]: Vec3): Xyz => ({ x, y, z });

/** The change from one draft to another, as the fields `edit` and `areas` of `supports/set`; `by` moves all places. It depends on the drafts alone, not on the order of edits. */
export function changeOnWire(base: SupportDraft, draft: SupportDraft, by: Vec3 = [0, 0, 0]) {
  const now = new Map(draft.points.map((point) => [point.key, point]));
  const kept = base.points.flatMap((before) => {
    const after = now.get(before.key);
    return after ? [{ before, after }] : [];
  });
  const update = kept.flatMap(({ before, after }) => {
    const size = after.sizeMm === before.sizeMm ? {} : { size_mm: after.sizeMm };
    const lock = after.isLocked === before.isLocked ? {} : { locked: after.isLocked };
    const change = { indices: [before.key], ...size, ...lock };
    return Object.keys(change).length > 1 ? [change] : [];
  });
  const edit = {
    add: draft.points
      .filter(({ key }) => key < 0)
      .map(({ position, sizeMm, isLocked }) => ({
        position: xyz(add(position, by)),
        size_mm: sizeMm,
        locked: isLocked,
      })),
    move: kept
      .filter(({ before, after }) => before.position !== after.position)
      .map(({ after: { key, position } }) => ({ index: key, position: xyz(add(position, by)) })),
    update,
    delete: base.points.filter(({ key }) => !now.has(key)).map(({ key }) => key),
  };
  return {
    edit,
    ...(draft.areas !== base.areas && { areas: draft.areas.map((area) => areaMovedBy(area, by)) }),
  };
}

function areaMovedBy({ mode, shape }: SupportArea, by: Vec3): SupportArea {
  const moved = ({ x, y, z }: Xyz): Xyz => xyz(add([x, y, z], by));
  if (shape.kind === "BALL") return { mode, shape: { ...shape, centre: moved(shape.centre) } };
  if (shape.kind === "STROKE") return { mode, shape: { ...shape, points: shape.points.map(moved) } };
  return { mode, shape: { ...shape, point: moved(shape.point) } };
}

/** Points at most this far apart are the same after a change of other clients, mm. */
const SAME_MM = 2e-3;

/**
 * Edits for another base: the part was moved by `by`, and its points may be other ones now. Edits of points that are gone are left out; areas are as
 * the edits have them.
 */
export function rebased(stack: EditStack, from: SupportDraft, to: SupportDraft, by: Vec3): EditStack {
  const keyThere = (key: number): number[] => {
    const before = from.points.find((point) => point.key === key);
    if (!before) return key < 0 ? [key] : [];
    const there = add(before.position, by);
    const same = to.points.find(({ position }) => distance(position, there) < SAME_MM);
    return same ? [same.key] : [];
  };
  const there = (edit: SupportEdit): SupportEdit[] => {
    if (edit.kind === "areas") return [{ ...edit, areas: edit.areas.map((area) => areaMovedBy(area, by)) }];
    if (edit.kind === "add")
      return [{ ...edit, points: edit.points.map((point) => ({ ...point, position: add(point.position, by) })) }];
    if (edit.kind === "move")
      return keyThere(edit.key).map((key) => ({ ...edit, key, position: add(edit.position, by) }));
    const keys = edit.keys.flatMap(keyThere);
    return keys.length === 0 ? [] : [{ ...edit, keys }];
  };
  return { done: stack.done.flatMap(there), undone: stack.undone.flatMap(there) };
}

/** Classes of points and their sizes as factors of `touchpoint_size_mm`. */
export const SIZE_CLASSES = { LIGHT: 0.6, MEDIUM: 1, HEAVY: 1.6 } as const;
export type SizeClass = keyof typeof SIZE_CLASSES;

/** Diameter of a class, in hundredths of a millimetre. */
export const classSizeMm = (one: SizeClass, usualMm: number): number =>
  Math.max(0.1, Math.min(5, Math.round(100 * SIZE_CLASSES[one] * usualMm) / 100));

/** The class whose size is nearest as a ratio: it gives the colour of a point. */
export function classOf(sizeMm: number, usualMm: number): SizeClass {
  const share = sizeMm / usualMm;
  if (share < Math.sqrt(SIZE_CLASSES.LIGHT)) return "LIGHT";
  return share < Math.sqrt(SIZE_CLASSES.HEAVY) ? "MEDIUM" : "HEAVY";
}

const CAUSES = {
  MINIMUM: "low point",
  ISLAND: "island",
  PENINSULA: "peninsula",
  OVERHANG: "overhang",
  MANUAL: "by hand",
} as const;

/** A point in words: "Point 12, overhang, medium, reached". `number` counts from 1. */
export const pointInWords = (point: SupportPoint, number: number, isReached: boolean, usualMm: number): string =>
  [
    `Point ${number}`,
    CAUSES[point.cause],
    classOf(point.sizeMm, usualMm).toLowerCase(),
    ...(point.isLocked ? ["locked"] : []),
    point.isResting ? "resting, it faces up" : isReached ? "reached" : "not reached",
  ].join(", ");
