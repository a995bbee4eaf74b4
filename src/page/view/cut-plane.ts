import { type Box, boxCentre } from "../../geometry/box.ts";
import { type Vec3, add, cross, dot, subtract, times, unit } from "../../geometry/vector.ts";
import { type Pixel, type PictureSize, type Orbit, boxCorners, rayThrough } from "./orbit.ts";
import type { CutPlane, ShownKey } from "./view.ts";

/** How far the drawn plane reaches beyond what it cuts, as a share of its size. */
const MARGIN = 0.08;

/** Unit vectors in a plane: u is horizontal, v goes up as far as the plane does. */
export function planeAxes(normal: Vec3): readonly [u: Vec3, v: Vec3] {
  const isLevel = Math.hypot(normal[0], normal[1]) < 1e-6;
  const u = isLevel ? ([1, 0, 0] as const) : unit(cross([0, 0, 1], normal));
  return [u, cross(normal, u)];
}

/** The point of a plane that is nearest to another one. */
export const onPlane = ({ normal, atMm }: CutPlane, point: Vec3): Vec3 =>
  add(point, times(normal, atMm - dot(normal, point)));

/** The rectangle of a plane that covers a box: four corners, seen from the side of the normal counter-clockwise. */
export function planeRectangle(plane: CutPlane, box: Box): readonly Vec3[] {
  const middle = onPlane(plane, boxCentre(box));
  const [u, v] = planeAxes(plane.normal);
  const reach = (axis: Vec3): number =>
    Math.max(...boxCorners(box).map((corner) => Math.abs(dot(subtract(corner, middle), axis)))) * (1 + MARGIN);
  const [right, up] = [times(u, reach(u)), times(v, reach(v))];
  const corner = (a: number, b: number): Vec3 => add(middle, add(times(right, a), times(up, b)));
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** A plane turned about an axis in it, through a point of it. */
export function turnedPlane({ normal }: CutPlane, axis: Vec3, degrees: number, pivot: Vec3): CutPlane {
  const angle = (degrees * Math.PI) / 180;
  const turned = unit(add(times(normal, Math.cos(angle)), times(cross(axis, normal), Math.sin(angle))));
  return { normal: turned, atMm: dot(turned, pivot) };
}

export const shiftedPlane = ({ normal, atMm }: CutPlane, byMm: number): CutPlane => ({ normal, atMm: atMm + byMm });

export const flippedPlane = ({ normal, atMm }: CutPlane): CutPlane => ({ normal: times(normal, -1), atMm: -atMm });

/** Sine of the angle to the line of sight below which a plane is not hit. */
const EDGE_ON = 0.05;

/** The point of a plane under a pixel; undefined if the plane is seen from its edge. */
export function planePointAt(
  { normal, atMm }: CutPlane,
  pixel: Pixel,
  orbit: Orbit,
  size: PictureSize,
): Vec3 | undefined {
  const { origin, direction } = rayThrough(orbit, pixel, size);
  const facing = dot(normal, direction);
  return Math.abs(facing) < EDGE_ON ? undefined : add(origin, times(direction, (atMm - dot(normal, origin)) / facing));
}

/** Corners of the outline of a key; a circle is drawn with 32. */
const CORNERS = { ROUND: 32, SQUARE: 4, HEXAGON: 6 } as const;
/** From this share on, a normal is along the x axis, and keys are turned from the y axis, as `scene/model/cut` has it. */
const ALONG_X = 0.9;

/** The outline of a key in a plane, counter-clockwise. At 0° a flat is across the x axis of the scene, as it is seen in the plane. */
export function keyOutline(
  { normal }: Pick<CutPlane, "normal">,
  { point, shape, sizeMm, turnDeg }: ShownKey,
): readonly Vec3[] {
  const axis: Vec3 = Math.abs(normal[0]) < ALONG_X ? [1, 0, 0] : [0, 1, 0];
  const u = unit(subtract(axis, times(normal, dot(axis, normal))));
  const v = cross(normal, u);
  const corners = CORNERS[shape];
  const half = Math.PI / corners;
  const radiusMm = shape === "ROUND" ? sizeMm / 2 : sizeMm / 2 / Math.cos(half);
  return Array.from({ length: corners }, (_, i) => {
    const angle = (turnDeg * Math.PI) / 180 + half * (2 * i + 1);
    return add(point, add(times(u, radiusMm * Math.cos(angle)), times(v, radiusMm * Math.sin(angle))));
  });
}

/** Angle of a normal from the vertical, 0 to 180, and its direction seen from above, counter-clockwise from x, both in degrees. */
export function anglesOf([x, y, z]: Vec3): { readonly tiltDeg: number; readonly towardDeg: number } {
  const tiltDeg = (Math.acos(Math.max(-1, Math.min(1, z))) * 180) / Math.PI;
  return { tiltDeg, towardDeg: Math.hypot(x, y) < 1e-6 ? 0 : (Math.atan2(y, x) * 180) / Math.PI };
}

/** The inverse of {@link anglesOf}. */
export function normalOf(tiltDeg: number, towardDeg: number): Vec3 {
  const [tilt, toward] = [(tiltDeg * Math.PI) / 180, (towardDeg * Math.PI) / 180];
  return [Math.sin(tilt) * Math.cos(toward), Math.sin(tilt) * Math.sin(toward), Math.cos(tilt)];
}
