import { AXIS_INDICES, type Axis, type Vec3, add, times } from "../../geometry/vector.ts";
import { AXES, OTHER_AXES } from "./axes.ts";
import { type Orbit, type Pixel, type PictureSize, projected } from "./orbit.ts";
import type { Tool } from "./view.ts";

/** A handle of the selection that the user can drag. */
export interface Handle {
  /** Axis (0 to 2) along or about which it changes the selection; undefined for all axes. */
  readonly axis: Axis | undefined;
  readonly points: readonly Pixel[];
}

/** Lengths of the handles, CSS pixels. */
const [ARROW_PX, RING_PX, SCALE_PX] = [84, 76, 64];
const [HEAD_PX, HEAD_HALF_PX, KNOB_PX] = [13, 6, 7];
const RING_PIECES = 64;
/** An axis has no handle if its projected length is below this fraction of its length. */
const MIN_SHARE = 0.12;

/**
 * Handles of a tool at a point of the scene, projected to the picture. Their size does not depend on the zoom. `freeAxes` are the axes
 * along which models can move.
 */
export function handlesOf(
  tool: Tool,
  pivot: Vec3,
  freeAxes: readonly Axis[],
  orbit: Orbit,
  size: PictureSize,
): Handle[] {
  if (tool === "move") {
    return freeAxes.flatMap((axis) => {
      const points = arrowHandle(pivot, AXES[axis], orbit, size);
      return points ? [{ axis, points }] : [];
    });
  }
  if (tool === "rotate") {
    return AXIS_INDICES.map((axis) => {
      const [right, up] = OTHER_AXES[axis];
      return { axis, points: ringHandle(pivot, AXES[right], AXES[up], orbit, size) };
    });
  }
  return tool === "scale" ? [{ axis: undefined, points: knob(projected(orbit, pivot, size)) }] : [];
}

/** A ring about a point in the plane of two unit vectors, projected to the picture. */
export function ringHandle(pivot: Vec3, u: Vec3, v: Vec3, orbit: Orbit, size: PictureSize): Pixel[] {
  const radiusMm = (RING_PX * orbit.heightMm) / size.height;
  return Array.from({ length: RING_PIECES + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / RING_PIECES;
    const arm = add(times(u, radiusMm * Math.cos(angle)), times(v, radiusMm * Math.sin(angle)));
    return projected(orbit, add(pivot, arm), size);
  });
}

/** An arrow from a point along a unit vector, projected to the picture; undefined if it points to or from the viewer. */
export function arrowHandle(
  pivot: Vec3,
  along: Vec3,
  orbit: Orbit,
  size: PictureSize,
  arrowPx = ARROW_PX,
): Pixel[] | undefined {
  const lengthMm = (arrowPx * orbit.heightMm) / size.height;
  const middle = projected(orbit, pivot, size);
  const tip = projected(orbit, add(pivot, times(along, lengthMm)), size);
  const lengthPx = Math.hypot(tip.x - middle.x, tip.y - middle.y);
  return lengthPx < MIN_SHARE * arrowPx ? undefined : arrow(middle, tip, lengthPx);
}

/** A line with a head at its tip. */
export function arrow(from: Pixel, tip: Pixel, lengthPx: number): Pixel[] {
  const [x, y] = [(tip.x - from.x) / lengthPx, (tip.y - from.y) / lengthPx];
  const barb = (side: number): Pixel => ({
    x: tip.x - HEAD_PX * x - side * HEAD_HALF_PX * y,
    y: tip.y - HEAD_PX * y + side * HEAD_HALF_PX * x,
  });
  return [from, tip, barb(1), tip, barb(-1)];
}

/** A line up and to the right with a square at its end. */
function knob({ x, y }: Pixel): Pixel[] {
  const [tx, ty] = [x + SCALE_PX * Math.SQRT1_2, y - SCALE_PX * Math.SQRT1_2];
  const corners = [
    [-1, 1],
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  return [{ x, y }, ...corners.map(([a, b]) => ({ x: tx + a * KNOB_PX, y: ty + b * KNOB_PX }))];
}

/** Returns the handle nearest to a pixel, at most `reachPx` away. */
export function handleAt<One extends Pick<Handle, "points">>(
  handles: readonly One[],
  at: Pixel,
  reachPx: number,
): One | undefined {
  const near = handles
    .map((handle) => ({ handle, px: Math.min(...gaps(at, handle.points)) }))
    .filter(({ px }) => px <= reachPx)
    .toSorted((a, b) => a.px - b.px);
  return near[0]?.handle;
}

/** Distances of a pixel from the segments of a polyline. */
const gaps = (at: Pixel, points: readonly Pixel[]): number[] =>
  points.slice(1).map((end, i) => gap(at, points[i] ?? end, end));

const gap = (at: Pixel, a: Pixel, b: Pixel): number => nearestOnSegment(at, a, b).px;

/** Distance of a pixel from the segment between two others, and the share of the segment at which it is nearest. */
export function nearestOnSegment(at: Pixel, a: Pixel, b: Pixel): { readonly px: number; readonly share: number } {
  const [ux, uy, px, py] = [b.x - a.x, b.y - a.y, at.x - a.x, at.y - a.y];
  const share = Math.max(0, Math.min(1, (px * ux + py * uy) / (ux * ux + uy * uy || 1)));
  return { px: Math.hypot(px - share * ux, py - share * uy), share };
}
