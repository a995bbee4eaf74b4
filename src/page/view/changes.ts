import { type Vec3, add, cross, dot, subtract, times } from "../../geometry/vector.ts";
import { AXES } from "./handles.ts";
import { linearAbout, translation } from "./instances.ts";
import { type Orbit, type Pixel, type PictureSize, projected, rayThrough } from "./orbit.ts";
import type { Point } from "./view.ts";

/** A change of the selection by a drag or by keys. */
export type Change =
  | { readonly kind: "move"; readonly by: Point }
  | { readonly kind: "turn"; readonly axis: number; readonly degrees: number }
  | { readonly kind: "scale"; readonly factor: number };

/** A drag from one pixel to another, and the view during it. */
export interface Stroke {
  readonly from: Pixel;
  readonly to: Pixel;
  readonly orbit: Orbit;
  readonly size: PictureSize;
}

/** Axes and planes at a smaller sine to the line of sight are ignored: one pixel would be many millimetres. */
const EDGE_ON = 0.1;
const TURN_DEG_PER_PX = 0.5;
const [MIN_FACTOR, MAX_FACTOR] = [0.01, 100];

/** Translation along one axis, or in the plane of two axes, that keeps the grabbed point under the pointer. Rounded for the zoom. */
export function moveChange({ from, to, orbit, size }: Stroke, axes: readonly number[]): Change {
  const zero = projected(orbit, [0, 0, 0], size);
  // Vector in the picture (px) of 1 mm along each axis.
  const steps = axes
    .map((axis) => {
      const end = projected(orbit, AXES[axis] as Vec3, size);
      return { axis, x: end.x - zero.x, y: end.y - zero.y };
    })
    .toSorted((a, b) => Math.hypot(b.x, b.y) - Math.hypot(a.x, a.y));
  const pxPerMm = size.height / orbit.heightMm;
  const [px, py] = [to.x - from.x, to.y - from.y];
  const by = [0, 0, 0];
  const [a, b] = steps;
  const determinant = b ? a.x * b.y - a.y * b.x : 0;
  const round = (mm: number): number => roundTo(mm, stepMm(1 / pxPerMm));
  if (b && Math.abs(determinant) > EDGE_ON * pxPerMm ** 2) {
    by[a.axis] = round((px * b.y - py * b.x) / determinant);
    by[b.axis] = round((a.x * py - a.y * px) / determinant);
  } else {
    const square = a.x * a.x + a.y * a.y;
    if (square > (EDGE_ON * pxPerMm) ** 2) by[a.axis] = round((px * a.x + py * a.y) / square);
  }
  return { kind: "move", by: [by[0], by[1], by[2]] };
}

/** Step for rounding, mm: the largest power of ten not above the size of a pixel, at most 1. */
const stepMm = (mm: number): number => 10 ** Math.min(0, Math.floor(Math.log10(mm)));
const roundTo = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

/** Rotation about an axis through the pivot that follows the pointer, in whole degrees. */
export function turnChange({ from, to, orbit, size }: Stroke, axis: number, pivot: Vec3): Change {
  const direction = AXES[axis];
  const ray = rayThrough(orbit, from, size);
  const facing = dot(ray.direction, direction);
  const angleAt = (pixel: Pixel): number => {
    const { origin } = rayThrough(orbit, pixel, size);
    const along = dot(subtract(pivot, origin), direction) / facing;
    const arm = subtract(add(origin, times(ray.direction, along)), pivot);
    const u = AXES[(axis + 1) % 3];
    return (Math.atan2(dot(arm, cross(direction, u)), dot(arm, u)) * 180) / Math.PI;
  };
  if (Math.abs(facing) > EDGE_ON) {
    const degrees = Math.round(angleAt(to) - angleAt(from));
    return { kind: "turn", axis, degrees: ((degrees + 540) % 360) - 180 };
  }
  // Seen from its edge the ring is a line; the pointer pulls the front of the ring along it.
  const [middle, end] = [pivot, add(pivot, cross(direction, times(ray.direction, -1)))].map((p) =>
    projected(orbit, p, size),
  );
  const [x, y] = [end.x - middle.x, end.y - middle.y];
  const px = ((to.x - from.x) * x + (to.y - from.y) * y) / Math.hypot(x, y);
  return { kind: "turn", axis, degrees: Math.round(px * TURN_DEG_PER_PX) };
}

/** Scale factor: ratio of the pointer's distances from the pivot, in whole percent. */
export function scaleChange({ from, to, orbit, size }: Stroke, pivot: Vec3): Change {
  const middle = projected(orbit, pivot, size);
  const far = ({ x, y }: Pixel): number => Math.max(1, Math.hypot(x - middle.x, y - middle.y));
  const factor = roundTo(far(to) / far(from), 0.01);
  return { kind: "scale", factor: Math.max(MIN_FACTOR, Math.min(MAX_FACTOR, factor)) };
}

/** Whether a change moves models up or down. */
export const isLift = (change: Change): boolean => change.kind === "move" && change.by[2] !== 0;

export const isNothing = (change: Change): boolean =>
  change.kind === "move"
    ? change.by.every((mm) => mm === 0)
    : change.kind === "turn"
      ? change.degrees === 0
      : change.factor === 1;

/** Column-major matrix to apply after a model's own matrix. Models rotate and scale about their own centres. */
export function changeMatrix(change: Change, centre: Vec3): number[] {
  if (change.kind === "move") return translation(change.by);
  const rows = change.kind === "turn" ? rotationRows(change) : AXES.map((axis) => times(axis, change.factor));
  const column = (i: number): Vec3 => [rows[0][i], rows[1][i], rows[2][i]];
  return linearAbout(centre, [column(0), column(1), column(2)]);
}

export function rotationRows({ axis, degrees }: Extract<Change, { kind: "turn" }>): [Point, Point, Point] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const rows = AXES.map((row) => [...row]);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  [rows[u][u], rows[u][v], rows[v][u], rows[v][v]] = [cos, -sin, sin, cos];
  const [x, y, z] = rows as unknown as Point[];
  return [x, y, z];
}

/** Text with the amount of a change. */
export function amountOf(change: Change): string {
  if (change.kind === "turn") return `${change.degrees}° about ${"XYZ"[change.axis]}`;
  if (change.kind === "scale") return `${Math.round(100 * change.factor)} %`;
  const parts = change.by.flatMap((mm, axis) =>
    mm === 0 ? [] : `${"XYZ"[axis]} ${mm > 0 ? "+" : "−"}${Math.abs(mm)}`,
  );
  return `${parts.join("  ") || "0"} mm`;
}
