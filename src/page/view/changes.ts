import {
  AXIS_INDICES,
  type Axis,
  type Vec3,
  add,
  cross,
  dot,
  matrixRow,
  subtract,
  times,
} from "../../geometry/vector.ts";
import { viewMatrix } from "../../render/camera.ts";
import { AXES, AXIS_NAMES, OTHER_AXES } from "./axes.ts";
import { type Mat4, linearAbout, translation } from "./instances.ts";
import { type Orbit, type Pixel, type PictureSize, projected, rayThrough } from "./orbit.ts";

/** A change of the selection by a drag or by keys. */
export type Change =
  | { readonly kind: "move"; readonly by: Vec3 }
  | { readonly kind: "rotate"; readonly axis: Axis; readonly degrees: number }
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
const ROTATE_DEG_PER_PX = 0.5;
const [MIN_FACTOR, MAX_FACTOR] = [0.01, 100];

/**
 * Translation along one axis, or in the plane of two axes, that keeps the grabbed point under the pointer. Rounded to whole millimetres
 * (`snaps`), or for the zoom.
 */
export function moveChange({ from, to, orbit, size }: Stroke, axes: readonly Axis[], snaps = false): Change {
  const zero = projected(orbit, [0, 0, 0], size);
  // Vector in the picture (px) of 1 mm along each axis.
  const steps = axes
    .map((axis) => {
      const end = projected(orbit, AXES[axis], size);
      return { axis, x: end.x - zero.x, y: end.y - zero.y };
    })
    .toSorted((a, b) => Math.hypot(b.x, b.y) - Math.hypot(a.x, a.y));
  const pxPerMm = size.height / orbit.heightMm;
  const [px, py] = [to.x - from.x, to.y - from.y];
  const by: [number, number, number] = [0, 0, 0];
  const [a, b] = steps;
  if (!a) return { kind: "move", by };
  const determinant = b ? a.x * b.y - a.y * b.x : 0;
  const round = (mm: number): number => roundTo(mm, snaps ? 1 : stepMm(1 / pxPerMm));
  if (b && Math.abs(determinant) > EDGE_ON * pxPerMm ** 2) {
    by[a.axis] = round((px * b.y - py * b.x) / determinant);
    by[b.axis] = round((a.x * py - a.y * px) / determinant);
  } else {
    const square = a.x * a.x + a.y * a.y;
    if (square > (EDGE_ON * pxPerMm) ** 2) by[a.axis] = round((px * a.x + py * a.y) / square);
  }
  return { kind: "move", by };
}

/** The plane of two axes that faces the viewer most. */
export function facingPlane(orbit: Orbit): readonly [Axis, Axis] {
  const toward = matrixRow(viewMatrix(orbit), 2);
  return OTHER_AXES[AXIS_INDICES.reduce((a, b) => (Math.abs(toward[b]) > Math.abs(toward[a]) ? b : a))];
}

/** Step for rounding, mm: the largest power of ten not above the size of a pixel, at most 1. */
const stepMm = (mm: number): number => 10 ** Math.min(0, Math.floor(Math.log10(mm)));
const roundTo = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

/** Rotation about an axis through the pivot that follows the pointer, in whole degrees. */
export const rotateChange = (stroke: Stroke, axis: Axis, pivot: Vec3): Change => ({
  kind: "rotate",
  axis,
  degrees: turnDegrees(stroke, AXES[axis], AXES[OTHER_AXES[axis][0]], pivot),
});

/** Rotation about a unit vector `direction` through the pivot that follows the pointer, in whole degrees. `u` is a unit vector across it. */
export function turnDegrees({ from, to, orbit, size }: Stroke, direction: Vec3, u: Vec3, pivot: Vec3): number {
  const ray = rayThrough(orbit, from, size);
  const facing = dot(ray.direction, direction);
  const angleAt = (pixel: Pixel): number => {
    const { origin } = rayThrough(orbit, pixel, size);
    const along = dot(subtract(pivot, origin), direction) / facing;
    const arm = subtract(add(origin, times(ray.direction, along)), pivot);
    return (Math.atan2(dot(arm, cross(direction, u)), dot(arm, u)) * 180) / Math.PI;
  };
  if (Math.abs(facing) > EDGE_ON) {
    const degrees = Math.round(angleAt(to) - angleAt(from));
    return ((degrees + 540) % 360) - 180;
  }
  // Seen from its edge the ring is a line; the pointer pulls the front of the ring along it.
  const middle = projected(orbit, pivot, size);
  const end = projected(orbit, add(pivot, cross(direction, times(ray.direction, -1))), size);
  const [x, y] = [end.x - middle.x, end.y - middle.y];
  const px = ((to.x - from.x) * x + (to.y - from.y) * y) / Math.hypot(x, y);
  return Math.round(px * ROTATE_DEG_PER_PX);
}

/** Distance along a unit vector of the scene by which a drag moves; 0 if it points to or from the viewer. */
export function slideMm({ from, to, orbit, size }: Stroke, direction: Vec3): number {
  const [zero, end] = [projected(orbit, [0, 0, 0], size), projected(orbit, direction, size)];
  const [x, y] = [end.x - zero.x, end.y - zero.y];
  const square = x * x + y * y;
  const isEdgeOn = square <= (EDGE_ON * (size.height / orbit.heightMm)) ** 2;
  return isEdgeOn ? 0 : ((to.x - from.x) * x + (to.y - from.y) * y) / square;
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

export const changesNothing = (change: Change): boolean =>
  change.kind === "move"
    ? change.by.every((mm) => mm === 0)
    : change.kind === "rotate"
      ? change.degrees === 0
      : change.factor === 1;

/** Column-major matrix to apply after a model's own matrix. Models rotate and scale about their own centres. */
export function changeMatrix(change: Change, centre: Vec3): Mat4 {
  if (change.kind === "move") return translation(change.by);
  const rows = change.kind === "rotate" ? rotationRows(change) : scalingRows(change.factor);
  const column = (axis: Axis): Vec3 => [rows[0][axis], rows[1][axis], rows[2][axis]];
  return linearAbout(centre, [column(0), column(1), column(2)]);
}

export function rotationRows({ axis, degrees }: Extract<Change, { kind: "rotate" }>): [Vec3, Vec3, Vec3] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const rows = scalingRows(1);
  const [u, v] = OTHER_AXES[axis];
  [rows[u][u], rows[u][v], rows[v][u], rows[v][v]] = [cos, -sin, sin, cos];
  return rows;
}

type Row = [number, number, number];
const scalingRows = (factor: number): [Row, Row, Row] => [
  [factor, 0, 0],
  [0, factor, 0],
  [0, 0, factor],
];

/** Text with the amount of a change. */
export function amountOf(change: Change): string {
  if (change.kind === "rotate") return `${change.degrees}° about ${AXIS_NAMES[change.axis].toUpperCase()}`;
  if (change.kind === "scale") return `${Math.round(100 * change.factor)} %`;
  const parts = AXIS_INDICES.flatMap((axis) => {
    const mm = change.by[axis];
    return mm === 0 ? [] : `${AXIS_NAMES[axis].toUpperCase()} ${mm > 0 ? "+" : "−"}${Math.abs(mm)}`;
  });
  return `${parts.join("  ") || "0"} mm`;
}
