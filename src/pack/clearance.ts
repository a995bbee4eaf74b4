import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { type Box, boxOf } from "../geometry/box.ts";
import { type RoundedRectangle, distanceOutside, nearestFit } from "../geometry/build-volume.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Pose, rotationMatrix } from "../geometry/pose.ts";
import { type Vec3, mapMat3, subtract } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type LeafPair, nearLeaves } from "./near-leaves.ts";
import type { OrientedBvh } from "./oriented-bvh.ts";
import { rotatedVertices } from "./part-shape.ts";

/** A mesh in an orientation and scale, relative to its position: its box and the corners of its convex hull seen from above. */
export interface PartExtent {
  readonly box: Box;
  readonly hullXy: Float64Array;
}

/** Steps to which sines are rounded: far above the difference of engines, far below the tolerances of distances. */
const SINE_STEPS = 2 ** 40;

export function extentOf(
  mesh: Mesh,
  { orientation, scale }: Pick<Pose, "orientation" | "scale">,
  progress: Progress,
): PartExtent {
  // Engines differ in the last bits of sines, and positions follow the box.
  const rotation = mapMat3(rotationMatrix(orientation), (value) => Math.round(value * SINE_STEPS) / SINE_STEPS);
  const vertices = rotatedVertices(mesh, rotation, scale, progress);
  const xs = new Float64Array(vertices.length / 3);
  const ys = new Float64Array(xs.length);
  for (let k = 0; k < xs.length; k++) [xs[k], ys[k]] = [vertices[3 * k], vertices[3 * k + 1]];
  progress.report(0);
  const box = boxOf(vertices);
  releaseArrays(vertices);
  progress.report(0);
  const hullXy = convexHull(xs, ys);
  progress.report(0);
  return { box, hullXy };
}

/** The space that parts may occupy: a box with rounded vertical edges. */
export interface Room {
  readonly min: Vec3;
  readonly max: Vec3;
  /** Seen from above, about the middle of the box. */
  readonly footprint: RoundedRectangle;
}

/** Whether a part at a position is in the room. */
export function isInRoom({ min, max, footprint }: Room, { box, hullXy }: PartExtent, position: Vec3): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (position[axis] + box.min[axis] < min[axis] - ROUNDING_MM) return false;
    if (position[axis] + box.max[axis] > max[axis] + ROUNDING_MM) return false;
  }
  if (footprint.r === 0) return true;
  const x = position[0] - (min[0] + max[0]) / 2;
  const y = position[1] - (min[1] + max[1]) / 2;
  for (let at = 0; at < hullXy.length; at += 2) {
    if (distanceOutside(footprint, x + hullXy[at], y + hullXy[at + 1]) > ROUNDING_MM) return false;
  }
  return true;
}

/**
 * The position moved as little as possible so that the part is in the room. If the outline of the part does not fit in the footprint,
 * only its box is moved inside.
 */
export function clampToRoom({ min, max, footprint }: Room, { box, hullXy }: PartExtent, position: Vec3): Vec3 {
  const [x, y, z] = position.map((value, axis) =>
    Math.max(min[axis] - box.min[axis], Math.min(value, max[axis] - box.max[axis])),
  );
  if (footprint.r === 0) return [x, y, z];
  const [middleX, middleY] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  const place = nearestFit(hullXy, footprint, [x - middleX, y - middleY]);
  return place ? [place[0] + middleX, place[1] + middleY, z] : [x, y, z];
}

/** Far below the tolerance of bounds (1 µm), far above rounding. */
const ROUNDING_MM = 1e-5;

/** Surfaces that would touch are kept this far apart: more than the rounding of facets to single precision. */
const SAFETY_MM = 2e-3;

/** A mesh in its pose, with the data that exact distances need. */
export interface PackedPart extends PlacedMesh {
  readonly extent: PartExtent;
  readonly bvh: OrientedBvh;
}

/** Whether no facet of one part is nearer to a facet of the other than `spacingMm`. A part inside another is not detected. */
export const areFacetsApart = (a: PackedPart, b: PackedPart, spacingMm: number, progress: Progress): boolean =>
  hitOf(a, b, spacingMm, undefined, progress) === undefined;

/** A part that is too near to another one, and where. */
export interface Hit {
  readonly other: PackedPart;
  readonly leaves: LeafPair;
}

/** A place at which a part is nearer to another one than `spacingMm`. `known`: leaves that are tested first. */
function hitOf(
  part: PackedPart,
  other: PackedPart,
  spacingMm: number,
  known: LeafPair | undefined,
  progress: Progress,
): Hit | undefined {
  if (areBoxesApart(part, other, spacingMm)) return undefined;
  const limitMm = Math.max(SAFETY_MM, spacingMm - PRECISION_MM);
  const offset = subtract(other.pose.position, part.pose.position);
  const leaves = nearLeaves(part.bvh, other.bvh, offset, { limitMm, known }, progress);
  return leaves && { other, leaves };
}

/** Precision of spacings: the rounding of facets to single precision, a hundredth of the tolerance of the check of interferences. */
const PRECISION_MM = 1e-5;

/** Whether the boxes of two parts are apart by at least `spacingMm`; if that is 0, boxes that touch are apart. */
export function areBoxesApart(a: PackedPart, b: PackedPart, spacingMm: number): boolean {
  const limitMm = spacingMm - PRECISION_MM;
  for (let axis = 0; axis < 3; axis++) if (gapAlong(a, b, axis) >= limitMm) return true;
  return limitMm > 0 && boxGap(a, b, limitMm) >= limitMm;
}

function gapAlong(a: PackedPart, b: PackedPart, axis: number): number {
  const apart = b.pose.position[axis] - a.pose.position[axis];
  return Math.max(
    apart + b.extent.box.min[axis] - a.extent.box.max[axis],
    -apart + a.extent.box.min[axis] - b.extent.box.max[axis],
  );
}

/** The distance of the boxes of two parts, mm; if it is at least `limitMm`, any value of at least `limitMm`. */
function boxGap(a: PackedPart, b: PackedPart, limitMm: number): number {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const gap = gapAlong(a, b, axis);
    if (gap >= limitMm) return limitMm;
    if (gap > 0) squared += gap * gap;
  }
  return Math.sqrt(squared);
}

export const movedTo = (part: PackedPart, position: Vec3): PackedPart => ({
  ...part,
  pose: { ...part.pose, position },
});

/** The parts whose boxes are nearer to that of a part than `reachMm`. */
export const neighboursOf = (part: PackedPart, others: readonly PackedPart[], reachMm: number): PackedPart[] =>
  others.filter((other) => boxGap(part, other, reachMm) < reachMm);

export interface SettleOptions {
  readonly spacingMm: number;
  readonly cellMm: number;
  /** For each hierarchy, the last leaves that were too near: the same leaves mostly are at the next place, too. Entries are added. */
  readonly hits: Map<OrientedBvh, Hit>;
}

/** Maximum number of steps by which a part that is too near to others is lifted. */
const LIFT_STEPS = 6;
/** The steps of a slide, in sixths of a cell: together a cell and a quarter, to a twelfth of a cell. */
const SLIDE_STEPS = [4, 2, 1, 0.5] as const;
/** A part slides down, to the left, to the front, and down again. */
const SLIDE_AXES = [2, 0, 1, 2] as const;

/**
 * The part moved by at most about two `cellMm` to where it keeps the spacing to its neighbours, then slid down, to the left and to the
 * front as far as possible. Undefined if no such place is found.
 */
export function settle(
  part: PackedPart,
  neighbours: readonly PackedPart[],
  room: Room,
  { spacingMm, cellMm, hits }: SettleOptions,
  progress: Progress,
): PackedPart | undefined {
  const stepMm = cellMm / 3;
  // This may be far: bodies that are too small to cover a cell reach beyond the cells of a part.
  const start = clampToRoom(room, part.extent, part.pose.position);
  const near = neighboursOf(movedTo(part, start), neighbours, spacingMm + 4 * cellMm);
  const isClear = (position: Vec3, others: readonly PackedPart[]): boolean => {
    if (!isInRoom(room, part.extent, position)) return false;
    const moved = movedTo(part, position);
    const last = hits.get(part.bvh);
    if (last && hitOf(moved, last.other, spacingMm, last.leaves, progress)) return false;
    for (const other of others) {
      const hit = other === last?.other ? undefined : hitOf(moved, other, spacingMm, undefined, progress);
      if (!hit) continue;
      hits.set(part.bvh, hit);
      return false;
    }
    return true;
  };
  let position: Vec3 | undefined;
  for (let step = 0; step < LIFT_STEPS && !position; step++) {
    const lifted: Vec3 = [start[0], start[1], start[2] + step * stepMm];
    if (isClear(lifted, near)) position = lifted;
  }
  if (!position) return undefined;
  for (const axis of SLIDE_AXES) {
    // Parts behind the moved part only get farther away.
    const from = position;
    const ahead = near.filter(
      (other) => other.pose.position[axis] + other.extent.box.min[axis] < from[axis] + part.extent.box.max[axis],
    );
    const ends = ahead.map((other) => other.pose.position[axis] + other.extent.box.max[axis] + spacingMm);
    const stops = [room.min[axis], ...ends].map((end) => end - part.extent.box.min[axis]);
    position = slid(from, axis, cellMm / 6, stops, (to) => isClear(to, ahead));
  }
  return movedTo(part, position);
}

/**
 * The position after a part has slid down an axis: steps of 4, 2, 1 and 1/2 units are tried, each as long as it is clear; then the
 * coordinates at which it meets the boxes of others exactly.
 */
function slid(
  from: Vec3,
  axis: 0 | 1 | 2,
  unitMm: number,
  stops: readonly number[],
  isClear: (position: Vec3) => boolean,
): Vec3 {
  const at = (along: number): Vec3 => [
    axis === 0 ? along : from[0],
    axis === 1 ? along : from[1],
    axis === 2 ? along : from[2],
  ];
  let reached = from[axis];
  for (const step of SLIDE_STEPS) if (isClear(at(reached - step * unitMm))) reached -= step * unitMm;
  const least = reached - 2 * SLIDE_STEPS.at(-1)! * unitMm;
  const end = stops.filter((stop) => stop >= least && stop < reached).find((stop) => isClear(at(stop)));
  return at(end ?? reached);
}
