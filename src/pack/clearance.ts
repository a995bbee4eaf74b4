import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { type Box, boxOf } from "../geometry/box.ts";
import { type RoundedRectangle, distanceOutside } from "../geometry/build-volume.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Pose, rotationMatrix } from "../geometry/pose.ts";
import { type Mat3, type Vec3, subtract } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type OrientedBvh, areFacetsNearer } from "./oriented-bvh.ts";
import { rotatedVertices } from "./part-shape.ts";

/** A mesh in an orientation and scale, relative to its position: its box and the corners of its convex hull seen from above. */
export interface Extent {
  readonly box: Box;
  readonly hullXy: Float64Array;
}

/** Steps to which sines are rounded: far above the difference of engines, far below the tolerances of distances. */
const SINE_STEPS = 2 ** 40;

export function extentOf(
  mesh: Mesh,
  { orientation, scale }: Pick<Pose, "orientation" | "scale">,
  progress: Progress,
): Extent {
  // Engines differ in the last bits of sines, and positions follow the box.
  const rotation = rotationMatrix(orientation).map((value) => Math.round(value * SINE_STEPS) / SINE_STEPS);
  const vertices = rotatedVertices(mesh, rotation as unknown as Mat3, scale, progress);
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

/** Where parts may be: a box with rounded vertical edges. */
export interface Room {
  readonly min: Vec3;
  readonly max: Vec3;
  /** Seen from above, about the middle of the box. */
  readonly footprint: RoundedRectangle;
}

/** Whether a part at a position is in the room. */
export function isInRoom({ min, max, footprint }: Room, { box, hullXy }: Extent, position: Vec3): boolean {
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

/** The position moved along the axes so that the part's box is in the box of the room. */
export const clampToRoom = ({ min, max }: Room, { box }: Extent, position: Vec3): Vec3 =>
  position.map((value, axis) =>
    Math.max(min[axis] - box.min[axis], Math.min(value, max[axis] - box.max[axis])),
  ) as unknown as Vec3;

/** Far below the tolerance of bounds (1 µm), far above rounding. */
const ROUNDING_MM = 1e-5;

/** Parts are kept farther apart than asked by this: more than the rounding of facets to single precision. */
const SAFETY_MM = 2e-3;

/** A mesh in its pose with what exact distances need. */
export interface PlacedPart extends PlacedMesh {
  readonly extent: Extent;
  readonly bvh: OrientedBvh;
}

/** Whether no facet of one part is nearer to a facet of the other than `spacingMm`. Does not see a part inside another. */
export function areApart(a: PlacedPart, b: PlacedPart, spacingMm: number, progress: Progress): boolean {
  const limitMm = spacingMm + SAFETY_MM;
  if (boxGap(a, b, limitMm) >= limitMm) return true;
  return !areFacetsNearer(a.bvh, b.bvh, subtract(b.pose.position, a.pose.position), limitMm, progress);
}

/** The distance of the boxes of two parts, mm; some value of at least `limitMm` where it is not less. */
export function boxGap(a: PlacedPart, b: PlacedPart, limitMm: number): number {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const apart = b.pose.position[axis] - a.pose.position[axis];
    const gap = Math.max(
      apart + b.extent.box.min[axis] - a.extent.box.max[axis],
      -apart + a.extent.box.min[axis] - b.extent.box.max[axis],
    );
    if (gap >= limitMm) return limitMm;
    if (gap > 0) squared += gap * gap;
  }
  return Math.sqrt(squared);
}

const movedTo = (part: PlacedPart, position: Vec3): PlacedPart => ({ ...part, pose: { ...part.pose, position } });

/** A part that is too near to others is lifted by at most this many steps. */
const LIFT_STEPS = 6;
/** The steps of a slide, in sixths of a cell: together a cell and a quarter, to a twelfth of a cell. */
const SLIDE_STEPS = [4, 2, 1, 0.5] as const;
/** A part slides down, to the left, to the front, and down again. */
const SLIDE_AXES = [2, 0, 1, 2] as const;

/**
 * The part moved by at most about two `cellMm` to where it keeps the spacing to its neighbours, then slid down, to the left and to the front
 * as far as that goes. Undefined where it finds no such place.
 */
export function settle(
  part: PlacedPart,
  neighbours: readonly PlacedPart[],
  room: Room,
  spacingMm: number,
  cellMm: number,
  progress: Progress,
): PlacedPart | undefined {
  const stepMm = cellMm / 3;
  // This may be far: bodies that are too small to cover a cell reach beyond the cells of a part.
  const start = clampToRoom(room, part.extent, part.pose.position);
  const reachMm = spacingMm + 4 * cellMm;
  const near = neighbours.filter((other) => boxGap(movedTo(part, start), other, reachMm) < reachMm);
  let lastHit: PlacedPart | undefined;
  const isClear = (position: Vec3, others: readonly PlacedPart[]): boolean => {
    if (!isInRoom(room, part.extent, position)) return false;
    const moved = movedTo(part, position);
    if (lastHit && !areApart(moved, lastHit, spacingMm, progress)) return false;
    const hit = others.find((other) => other !== lastHit && !areApart(moved, other, spacingMm, progress));
    lastHit = hit ?? lastHit;
    return hit === undefined;
  };
  let position: Vec3 | undefined;
  for (let step = 0; step < LIFT_STEPS && !position; step++) {
    const lifted: Vec3 = [start[0], start[1], start[2] + step * stepMm];
    if (isClear(lifted, near)) position = lifted;
  }
  if (!position) return undefined;
  for (const axis of SLIDE_AXES) {
    // Parts beyond the other end of the part only come farther away.
    const from = position;
    const ahead = near.filter(
      (other) => other.pose.position[axis] + other.extent.box.min[axis] < from[axis] + part.extent.box.max[axis],
    );
    position = slid(from, axis, cellMm / 6, (to) => isClear(to, ahead));
  }
  return movedTo(part, position);
}

/** The position once a part has slid down an axis: steps of 4, 2, 1 and 1/2 units are tried in turn, as far as each is clear. */
function slid(from: Vec3, axis: 0 | 1 | 2, unitMm: number, isClear: (position: Vec3) => boolean): Vec3 {
  let [x, y, z] = from;
  for (const step of SLIDE_STEPS) {
    const by = (along: number): number => (along === axis ? step * unitMm : 0);
    const to: Vec3 = [x - by(0), y - by(1), z - by(2)];
    if (isClear(to)) [x, y, z] = to;
  }
  return [x, y, z];
}
