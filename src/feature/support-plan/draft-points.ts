import { inputError } from "../../core/api-error.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { type Vec3, add, mapVec3 } from "../../geometry/vector.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";

/** The most points and areas of a model. */
const MAX_POINTS = 20_000;
const MAX_AREAS = 2000;

/** A point that a request puts on the surface of a model. */
export interface NewPoint {
  /** Where the request has it; in the coordinates of the raw mesh, as `normal`. */
  readonly position: Vec3;
  /** Absent: that of the surface. */
  readonly normal?: Vec3 | undefined;
  readonly sizeMm: number;
  readonly locked: boolean;
  /** JSON pointer into the request. */
  readonly pointer: string;
}

/** The points that a request asks for, before new ones are on the surface. */
export interface DraftPoints {
  /** Present points that stay where they are, in their order. */
  readonly kept: readonly Touchpoint[];
  readonly added: readonly NewPoint[];
}

export type ListedPoint = Pick<NewPoint, "position" | "normal"> & {
  readonly sizeMm?: number | undefined;
  readonly locked?: boolean | undefined;
};

/** Changes of present points, which are named by their index. */
export interface PointEdit {
  readonly add: readonly ListedPoint[];
  readonly move: readonly { readonly index: number; readonly position: Vec3 }[];
  readonly update: readonly {
    readonly indices: readonly number[];
    readonly sizeMm?: number | undefined;
    readonly locked?: boolean | undefined;
  }[];
  readonly delete: readonly number[];
}

/** The present points after an edit. A moved point counts as put by a person. Throws INPUT_ERROR for an index that names no point. */
export function editedPoints(present: readonly Touchpoint[], edit: PointEdit, defaultSizeMm: number): DraftPoints {
  const indexAt = (index: number, pointer: string): number => {
    if (index < present.length) return index;
    throw inputError(
      `${pointer}: ${index} names no point; the model has ${present.length} points, numbered from 0. Nothing was changed.`,
    );
  };
  const points = [...present];
  for (const [i, { indices, sizeMm, locked }] of edit.update.entries()) {
    for (const [j, named] of indices.entries()) {
      const index = indexAt(named, `/edit/update/${i}/indices/${j}`);
      const point = must(points[index], "The point");
      points[index] = { ...point, sizeMm: sizeMm ?? point.sizeMm, locked: locked ?? point.locked };
    }
  }
  const gone = new Set(edit.delete.map((index, i) => indexAt(index, `/edit/delete/${i}`)));
  const moved = edit.move.map(({ index, position }, i): NewPoint => {
    const pointer = `/edit/move/${i}`;
    const known = indexAt(index, `${pointer}/index`);
    if (gone.has(known)) {
      throw inputError(`${pointer}/index: point ${index} is moved or deleted elsewhere in the edit: name it once.`);
    }
    gone.add(known);
    const { sizeMm, locked } = must(points[known], "The point");
    return { position, sizeMm, locked, pointer };
  });
  const added = edit.add.map((point, i) => newPoint(point, defaultSizeMm, `/edit/add/${i}`));
  return { kept: points.filter((_, index) => !gone.has(index)), added: [...moved, ...added] };
}

/**
 * The points of a whole list. Those at the place of a present point are that point, in its order, so that a list may be read, changed and set again. Of
 * several at one place the last counts.
 */
export function listedPoints(
  present: readonly Touchpoint[],
  list: readonly ListedPoint[],
  { defaultSizeMm, nearMm }: { readonly defaultSizeMm: number; readonly nearMm: number },
): DraftPoints {
  const placeOf = placesOf(present, nearMm);
  const kept: Touchpoint[] = [];
  const added: NewPoint[] = [];
  for (const [i, point] of list.entries()) {
    const index = placeOf(point.position);
    const known = present[index];
    if (known) kept[index] = { ...known, sizeMm: point.sizeMm ?? known.sizeMm, locked: point.locked ?? known.locked };
    else added.push(newPoint(point, defaultSizeMm, `/points/${i}`));
  }
  return { kept: kept.filter((point) => point !== undefined), added };
}

const newPoint = (
  { position, normal, sizeMm, locked }: ListedPoint,
  defaultSizeMm: number,
  pointer: string,
): NewPoint => ({
  position,
  normal,
  sizeMm: sizeMm ?? defaultSizeMm,
  locked: locked ?? false,
  pointer,
});

/** Throws INPUT_ERROR where a model would get too many points or areas. */
export function requireCounts(
  { kept, added }: Record<keyof DraftPoints, { readonly length: number }>,
  areaCount: number,
): void {
  const count = kept.length + added.length;
  if (count > MAX_POINTS) {
    throw inputError(`The model would get ${count} points; it may have ${MAX_POINTS}: set fewer. Nothing was changed.`);
  }
  if (areaCount > MAX_AREAS) {
    throw inputError(
      `/areas: the request has ${areaCount} areas; a model may have ${MAX_AREAS}: join some. Nothing was changed.`,
    );
  }
}

/** Points at most this far apart along each axis are the same, mm in the scene. */
export const SAME_MM = 1e-3;

/** A function that finds the index of the point at most `nearMm` away along each axis, −1 if there is none. */
export function placesOf(points: readonly Touchpoint[], nearMm: number): (place: Vec3) => number {
  const cellOf = (place: Vec3): Vec3 => mapVec3(place, (mm) => Math.round(mm / nearMm));
  const cells = Map.groupBy(points.entries(), ([, { position }]) => cellOf(position).join(" "));
  const sides = [-1, 0, 1];
  const around = sides.flatMap((x) => sides.flatMap((y) => sides.map((z): Vec3 => [x, y, z])));
  const isNear = (one: Vec3, other: Vec3): boolean => paired(one, other).every(([a, b]) => Math.abs(a - b) <= nearMm);
  return (place) => {
    const cell = cellOf(place);
    const found = around.flatMap((offset) => cells.get(add(cell, offset).join(" ")) ?? []);
    return found.find(([, { position }]) => isNear(position, place))?.[0] ?? -1;
  };
}
