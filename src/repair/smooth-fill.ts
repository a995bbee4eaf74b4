import type { Progress } from "../core/progress.ts";
import { bucketBy } from "../geometry/bucket-by.ts";
import {
  add,
  cross,
  distance,
  dot,
  exactLength,
  ORIGIN,
  subtract,
  times,
  triangleNormal,
  unitOrZero,
  type Vec3,
} from "../geometry/vector.ts";
import { type Bvh, buildBvh } from "../mesh/bvh/bvh.ts";
import { bvhsIntersect } from "../mesh/bvh/placed-bvh.ts";
import { isSelfIntersecting } from "../mesh/bvh/self-intersections.ts";
import { type Surface, vertexAt, vertexCount } from "../mesh/mesh.ts";
import { fairFill, refineFill, type Triangle } from "./refine-and-fair.ts";

/** A hole with fewer corners is no larger than the facets around it. */
const MIN_CORNERS = 6;
/** Larger holes stay flat, and fills get no more than about this number of vertices: they would take seconds. */
const MAX_CORNERS = 2000;
const MAX_ADDED_VERTICES = 4000;

/** The surface around a hole, with new numbers for its vertices: first those of the loop in order, then those farther away. */
interface HoleNeighbourhood {
  readonly positions: readonly Vec3[];
  /** Number of vertices of the loop. */
  readonly corners: number;
  /** Facets with a corner on the loop. */
  readonly inner: readonly Triangle[];
  /** Facets that have no corner on the loop, but share a vertex with an inner facet. */
  readonly outer: readonly Triangle[];
}

/** The fill of a hole. Its vertices are those of the loop, followed by the added ones. */
interface SmoothFill {
  readonly added: readonly Vec3[];
  readonly facets: readonly Triangle[];
}

/** Whether a hole with this number of corners can get a {@link smoothFill}. */
export const canFillSmoothly = (corners: number): boolean => corners >= MIN_CORNERS && corners <= MAX_CORNERS;

/**
 * The fill of a hole in a curved surface: a triangulation of the hole, refined to the density of its surroundings and faired
 * to continue their curvature. Undefined if the surface is not curved, or the fill would intersect itself or the surface.
 */
export function smoothFill(
  around: HoleNeighbourhood,
  flatFill: readonly Triangle[],
  isTaken: (i: number, j: number) => boolean,
  surfaceTree: () => Bvh,
  progress: Progress,
): SmoothFill | undefined {
  const { corners: n, inner } = around;
  if (!isInCurvedSurface(around, flatFill)) return undefined;
  const positions = [...around.positions];
  const firstAdded = positions.length;
  const isTakenAtLoop = (a: number, b: number): boolean => a < n && b < n && isTaken(a, b);
  const refined = refineFill(positions, edgeLengthsAtLoop(around, flatFill), flatFill, isTakenAtLoop);
  if (positions.length === firstAdded) return undefined;
  const faired = fairFill(positions, [...refined, ...inner], n, firstAdded, progress);
  const rounded = faired.map(([x, y, z]): Vec3 => [Math.fround(x), Math.fround(y), Math.fround(z)]);
  if (intersectsItselfOr(surfaceTree(), rounded, refined, progress.silent())) return undefined;
  const renumber = (v: number): number => (v < n ? v : v - firstAdded + n);
  const facets = refined.map(([a, b, c]): Triangle => [renumber(a), renumber(b), renumber(c)]);
  return { added: rounded.slice(firstAdded), facets };
}

/** The mean length of the edges at each vertex of the loop, mm. It is longer if the fill would get too many vertices. */
function edgeLengthsAtLoop({ positions, inner, corners: n }: HoleNeighbourhood, fill: readonly Triangle[]): number[] {
  const sums = positions.map(() => 0);
  const counts = positions.map(() => 0);
  for (const facet of inner) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [facet[k], facet[(k + 1) % 3]];
      const length = distance(positions[a], positions[b]);
      for (const v of [a, b]) {
        sums[v] += length;
        counts[v]++;
      }
    }
  }
  const lengths = sums.map((sum, v) => (v < n ? sum / counts[v] : 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / n;
  const area = fill.reduce((sum, facet) => sum + exactLength(normalOf(positions, facet)) / 2, 0);
  const coarsening = Math.max(1, Math.sqrt(area / (MAX_ADDED_VERTICES * mean * mean)));
  return lengths.map((length) => coarsening * length);
}

function intersectsItselfOr(
  surface: Bvh,
  positions: readonly Vec3[],
  fill: readonly Triangle[],
  progress: Progress,
): boolean {
  const vertices = Float64Array.from(positions.flat());
  const filling = { vertices, triangles: Uint32Array.from(fill.flat()) };
  return (
    isSelfIntersecting(filling, progress) || bvhsIntersect(buildBvh(filling, progress), surface, () => true, progress)
  );
}

/** Cosine of the largest angle between facets at an edge of a smooth surface. */
const SMOOTH_COSINE = 0.75;
/** Sine of the mean angle between the flat fill and the surface around it, below which the hole stays flat: 3°. */
const MIN_FOLD = 0.05;
/**
 * Cosine of the mean angle between the flat fill and the surface around it. With a greater angle than 60°, a body was cut off at the
 * hole.
 */
const CUT_OFF_COSINE = 0.5;
/** Least bend of the surface around the hole, over the radius of the hole, as a share of the fold. */
const MIN_BEND_SHARE = 0.3;

/**
 * Whether a hole is in a curved surface: the surface around it is smooth, meets the flat fill at an angle, and bends accordingly.
 * False for the open end of a tube or a cone that is cut off flat, and for a hole in a flat face.
 */
function isInCurvedSurface(around: HoleNeighbourhood, flatFill: readonly Triangle[]): boolean {
  const { positions, corners: n, inner, outer } = around;
  const near = [...inner, ...outer];
  const normals = vertexNormals(positions, near);
  const innerNormals = vertexNormals(positions, inner);
  const fillNormals = vertexNormals(positions, flatFill);
  let [fold, cosine] = [0, 0];
  for (let i = 0; i < n; i++) {
    fold += exactLength(cross(innerNormals[i], fillNormals[i])) / n;
    cosine += dot(innerNormals[i], fillNormals[i]) / n;
  }
  if (fold < MIN_FOLD || cosine < CUT_OFF_COSINE || !isSmooth(positions, near)) return false;
  const middle = times(positions.slice(0, n).reduce(add, ORIGIN), 1 / n);
  const radius = positions.slice(0, n).reduce((sum, position) => sum + distance(position, middle) / n, 0);
  const isInner = new Set(inner.flat());
  const outwardOf = outwardDirections(around, innerNormals);
  let [bend, count] = [0, 0];
  for (const facet of outer) {
    for (let k = 0; k < 3; k++) {
      const [u, w] = [facet[k], facet[(k + 1) % 3]];
      const [from, to] = isInner.has(u) ? [u, w] : [w, u];
      const outward = outwardOf.get(from);
      if (!outward || isInner.has(to)) continue;
      const along = dot(subtract(positions[to], positions[from]), outward);
      // Edges that run around the hole do not show the bend across it.
      if (along < distance(positions[to], positions[from]) / 2) continue;
      bend += Math.abs(dot(subtract(normals[to], normals[from]), outward)) / along;
      count++;
    }
  }
  return count > 0 && (bend / count) * radius > MIN_BEND_SHARE * fold;
}

/** For each vertex next to the loop: the unit direction away from the loop along the surface. */
function outwardDirections(
  { positions, corners: n, inner }: HoleNeighbourhood,
  normals: readonly Vec3[],
): Map<number, Vec3> {
  const directions = new Map<number, Vec3>();
  for (const facet of inner) {
    const loopVertex = facet.find((v) => v < n) ?? 0;
    for (const v of facet) {
      if (v < n || directions.has(v)) continue;
      const along = subtract(positions[(loopVertex + 1) % n], positions[(loopVertex + n - 1) % n]);
      directions.set(v, unitOrZero(cross(along, normals[loopVertex])));
    }
  }
  return directions;
}

/** The area-weighted unit normal at each vertex. */
function vertexNormals(positions: readonly Vec3[], facets: readonly Triangle[]): Vec3[] {
  const sums = positions.map((): Vec3 => ORIGIN);
  for (const facet of facets) {
    const normal = normalOf(positions, facet);
    for (const v of facet) sums[v] = add(sums[v], normal);
  }
  return sums.map(unitOrZero);
}

const normalOf = (positions: readonly Vec3[], [a, b, c]: Triangle): Vec3 =>
  triangleNormal(positions[a], positions[b], positions[c]);

function isSmooth(positions: readonly Vec3[], facets: readonly Triangle[]): boolean {
  const normalAt = new Map<number, Vec3>();
  for (const facet of facets) {
    const normal = unitOrZero(normalOf(positions, facet));
    for (let k = 0; k < 3; k++) {
      const [a, b] = [facet[k], facet[(k + 1) % 3]];
      const other = normalAt.get(b * positions.length + a);
      if (other && dot(other, normal) < SMOOTH_COSINE) return false;
      normalAt.set(a * positions.length + b, normal);
    }
  }
  return true;
}

/** Returns a function that collects the neighbourhood of a loop of vertices of the surface. */
export function holeNeighbourhoods(surface: Surface): (loop: readonly number[]) => HoleNeighbourhood {
  const { triangles } = surface;
  const { starts, items: cornersAt } = bucketBy(triangles, vertexCount(surface));
  return (loop) => {
    const indices = new Map(loop.map((v, i) => [v, i]));
    const indexOf = (v: number): number => {
      const index = indices.get(v) ?? indices.size;
      indices.set(v, index);
      return index;
    };
    const collected = new Set<number>();
    const facetsAt = (vertices: readonly number[]): Triangle[] => {
      const found: Triangle[] = [];
      for (const v of vertices) {
        for (const corner of cornersAt.subarray(starts[v], starts[v + 1])) {
          const facet = (corner / 3) | 0;
          if (collected.has(facet)) continue;
          collected.add(facet);
          found.push([
            indexOf(triangles[3 * facet]),
            indexOf(triangles[3 * facet + 1]),
            indexOf(triangles[3 * facet + 2]),
          ]);
        }
      }
      return found;
    };
    const inner = facetsAt(loop);
    const outer = facetsAt([...indices.keys()].slice(loop.length));
    return { positions: [...indices.keys()].map((v) => vertexAt(surface, v)), corners: loop.length, inner, outer };
  };
}
