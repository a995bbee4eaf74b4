import { type Vec3, add, cosSin, cross, dot, subtract, times, unit } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** A round hole to drill, in the coordinates of the raw mesh. */
export interface Hole {
  /** On the surface. */
  readonly position: Vec3;
  /** Unit vector into the material. */
  readonly direction: Vec3;
  readonly diameterMm: number;
  /** Depth from `position`. AUTO: through the wall to the cavity beyond it, or to the far side. */
  readonly depthMm: number | "AUTO";
  /** The cutter starts this far outside the surface. */
  readonly outsetMm: number;
  /** With AUTO: the position moves to the closest point of the surface within this distance. */
  readonly searchMm?: number;
}

/** Coordinates of a hole: u and v across its axis, s along it into the material, from its position. Right-handed. */
export interface HoleFrame {
  readonly origin: Vec3;
  readonly u: Vec3;
  readonly v: Vec3;
  readonly s: Vec3;
}

/** A cylinder to cut out, along the axis of a frame. */
export interface Bore {
  readonly frame: HoleFrame;
  readonly radiusMm: number;
  readonly fromMm: number;
  /** End of the cutter. If the hole goes through a wall, it is beyond the wall: cutters must not end on its surface. */
  readonly toMm: number;
  /** Depth of the hole: through the wall, from where the bore first meets its surface, or the requested depth. */
  readonly depthMm: number;
}

export function holeFrame({ position, direction }: Pick<Hole, "position" | "direction">): HoleFrame {
  const sizes = direction.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const u = unit(cross([+(least === 0), +(least === 1), +(least === 2)], direction));
  return { origin: position, u, v: cross(direction, u), s: direction };
}

export function toHoleFrame({ origin, u, v, s }: HoleFrame, point: Vec3): Vec3 {
  const offset = subtract(point, origin);
  return [dot(offset, u), dot(offset, v), dot(offset, s)];
}

export const fromHoleFrame = ({ origin, u, v, s }: HoleFrame, [pu, pv, ps]: Vec3): Vec3 =>
  add(origin, add(add(times(u, pu), times(v, pv)), times(s, ps)));

/** The solid that a bore removes, around its cylinder. */
export const boreCutter = ({ frame, radiusMm, fromMm, toMm }: Bore): Surface =>
  circumscribedPrism(frame, radiusMm, fromMm, toMm, segmentCount(radiusMm));

/** Greatest distance of a cylinder's facets from the true surface: a tenth of the finest pixel. */
const SAGITTA_MM = 0.005;
/** With 32 sides a circumscribed prism has 0.3 % more volume than the cylinder. */
const MIN_SEGMENTS = 32;
const MAX_SEGMENTS = 256;

/** Number of sides of a cylinder, a multiple of four; from the sagitta r · (1 − cos(π / n)) to the second order. */
export function segmentCount(radiusMm: number): number {
  const wanted = Math.PI / Math.sqrt((2 * SAGITTA_MM) / radiusMm);
  return 4 * Math.ceil(Math.min(MAX_SEGMENTS, Math.max(MIN_SEGMENTS, wanted)) / 4);
}

/**
 * A prism around the cylinder about the axis of a frame, tangent to it with each of its sides. Built by hand:
 * manifold's `cylinder` starts at another angle and triangulates the ends otherwise, so drilled meshes would have other
 * vertices.
 */
export function circumscribedPrism(
  frame: HoleFrame,
  radiusMm: number,
  fromMm: number,
  toMm: number,
  segments: number,
): Surface {
  const vertices: number[] = [];
  const circumradius = radiusMm / Math.fround(Math.cos(Math.PI / segments));
  for (const s of [fromMm, toMm]) {
    vertices.push(...fromHoleFrame(frame, [0, 0, s]));
    for (let i = 0; i < segments; i++) {
      const [cos, sin] = cosSin((2 * Math.PI * (i + 0.5)) / segments);
      vertices.push(...fromHoleFrame(frame, [circumradius * cos, circumradius * sin, s]));
    }
  }
  const triangles: number[] = [];
  const far = segments + 1;
  for (let i = 1; i <= segments; i++) {
    const next = (i % segments) + 1;
    triangles.push(0, next, i, far, far + i, far + next, i, next, far + next, i, far + next, far + i);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}
