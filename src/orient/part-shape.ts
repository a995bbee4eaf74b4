import { rotateVector, transpose } from "../geometry/pose.ts";
import { type Mat3, type Vec3, times, unit } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Moments, momentsOf, principalAxes } from "./moments.ts";
import { type PartSurface, partSurface, withImportance } from "./part-surface.ts";
import { type PlanarFace, planarFaces } from "./planar-faces.ts";
import type { Surfels } from "./surfels.ts";
import { outermostAlong } from "./vertex-cells.ts";

/** A part and features of its shape that depend neither on its triangulation nor on its orientation in the file. */
export interface PartShape {
  readonly surface: PartSurface;
  readonly moments: Moments;
  /** Rows: the principal axes of the part, the one of greatest variance first. */
  readonly axes: Mat3;
  readonly extremes: Extremes;
  /** By area, the largest first. */
  readonly faces: readonly PlanarFace[];
  /** Surfels that other threads have made (`part-surfels.ts`). */
  readonly surfels: readonly Surfels[];
}

/** Gives 66 directions, whose extreme vertices give the height of the part in any other direction to 1 %. */
const EXTREME_STEPS = 4;

export function partShape(mesh: Mesh, scale: number): PartShape {
  const plain = partSurface(mesh, scale);
  const moments = momentsOf(plain);
  const axes = principalAxes(moments.second);
  const surface = withImportance(plain, axes);
  return {
    surface,
    moments,
    axes,
    extremes: extremesAlong(surface, hemisphereOf(directionLattice(EXTREME_STEPS, axes))),
    faces: planarFaces(surface),
    surfels: [],
  };
}

/** An inner and an outer approximation of the convex hull of a part. */
export interface Extremes {
  /** x, y, z of the extreme vertices along some directions: their hull is inside that of the part. */
  readonly points: Float64Array;
  /**
   * These directions and how far the part reaches along each, mm: half-spaces that contain its hull (a discrete
   * oriented polytope).
   */
  readonly bounds: readonly (readonly [direction: Vec3, reachMm: number])[];
}

/** The extremes along directions and their opposites. */
function extremesAlong({ vertices, cells }: PartSurface, directions: readonly Vec3[]): Extremes {
  const found = new Set<number>();
  const bounds: [Vec3, number][] = [];
  for (const direction of directions) {
    const { least, most, nearest, farthest } = outermostAlong(cells, direction);
    found.add(nearest).add(farthest);
    bounds.push([direction, most], [times(direction, -1), -least]);
  }
  return {
    points: Float64Array.from([...found].flatMap((vertex) => [...vertices.subarray(3 * vertex, 3 * vertex + 3)])),
    bounds,
  };
}

/**
 * 4 · steps² + 2 directions: the unit vectors of the integer points with |i| + |j| + |k| = `steps`, in the given axes. The set is the
 * same for axes of the opposite sign or in another order, which the principal axes of a shape leave undetermined. (A Fibonacci sphere
 * does not have this property.)
 */
export function directionLattice(steps: number, axes: Mat3): Vec3[] {
  const back = transpose(axes);
  const directions: Vec3[] = [];
  for (let i = -steps; i <= steps; i++) {
    const left = steps - Math.abs(i);
    for (let j = -left; j <= left; j++) {
      const k = left - Math.abs(j);
      for (const z of k === 0 ? [0] : [-k, k]) directions.push(rotateVector(back, unit([i, j, z])));
    }
  }
  return directions;
}

/** One direction of each opposite pair. */
export const hemisphereOf = (directions: readonly Vec3[]): Vec3[] =>
  directions.filter(([x, y, z]) => x > 0 || (x === 0 && (y > 0 || (y === 0 && z >= 0))));
