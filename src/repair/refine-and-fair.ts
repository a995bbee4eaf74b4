import type { Progress } from "../core/progress.ts";
import {
  cross,
  distance,
  dot,
  exactLength,
  subtract,
  triangleCentroid,
  triangleNormal,
  type Vec3,
} from "../geometry/vector.ts";

/** The indices of the three corners of a triangle. */
export type Triangle = readonly [number, number, number];

/** Density of the refined fill relative to its surroundings: Liepa's α. */
const DENSITY = Math.SQRT2;
const MAX_ROUNDS = 24;

/**
 * Refines a fill until its triangles are as small as the edges around it: splits triangles at their centroids and flips edges.
 * `edgeLengths` are the mean lengths of the edges at each position, mm. Added positions and their lengths are appended to `positions`
 * and `edgeLengths`. Makes no edge for which `isTaken` holds.
 * Source: P. Liepa, "Filling Holes in Meshes" (2003), after P. Pfeifle, H.-P. Seidel (1996).
 */
export function refineFill(
  positions: Vec3[],
  edgeLengths: number[],
  fill: readonly Triangle[],
  isTaken: (a: number, b: number) => boolean,
): Triangle[] {
  let triangles = flipToDelaunay(positions, fill, isTaken);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next: Triangle[] = [];
    for (const triangle of triangles) {
      const [a, b, c] = triangle;
      const edgeLength = (edgeLengths[a] + edgeLengths[b] + edgeLengths[c]) / 3;
      const centroid = triangleCentroid(positions[a], positions[b], positions[c]);
      const isLarge = triangle.every((v) => {
        const reach = DENSITY * distance(centroid, positions[v]);
        return reach > edgeLength && reach > edgeLengths[v];
      });
      if (!isLarge) {
        next.push(triangle);
        continue;
      }
      const m = positions.push(centroid) - 1;
      edgeLengths[m] = edgeLength;
      next.push([a, b, m], [b, c, m], [c, a, m]);
    }
    if (next.length === triangles.length) break;
    triangles = flipToDelaunay(positions, next, isTaken);
  }
  return triangles;
}

const MAX_SWEEPS = 24;
/** Edges of four points on one circle, within rounding, are not flipped. */
const COCIRCULAR_TOLERANCE = 1e-6;

/**
 * Flips edges whose opposite angles add up to more than 180°, in sweeps until there are none. Unlike the planar version in
 * geometry/delaunay.ts it works on a surface in space, where the flipped edge may exist already.
 */
function flipToDelaunay(
  positions: readonly Vec3[],
  fill: readonly Triangle[],
  isTaken: (a: number, b: number) => boolean,
): Triangle[] {
  const triangles = [...fill];
  const keyOf = (from: number, to: number): number => from * positions.length + to;
  const triangleAt = new Map<number, number>();
  const set = (index: number, triangle: Triangle): void => {
    triangles[index] = triangle;
    for (let k = 0; k < 3; k++) triangleAt.set(keyOf(triangle[k], triangle[(k + 1) % 3]), index);
  };
  fill.forEach((triangle, index) => set(index, triangle));
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let isChanged = false;
    for (let index = 0; index < triangles.length; index++) {
      for (let k = 0; k < 3; k++) {
        const triangle = triangles[index];
        const [a, b, c] = [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]];
        const other = triangleAt.get(keyOf(b, a));
        if (other === undefined || a > b) continue;
        const d = thirdCorner(triangles[other], a, b);
        if (triangleAt.has(keyOf(c, d)) || triangleAt.has(keyOf(d, c)) || isTaken(c, d)) continue;
        if (cotangent(positions, c, a, b) + cotangent(positions, d, a, b) >= -COCIRCULAR_TOLERANCE) continue;
        triangleAt.delete(keyOf(a, b));
        triangleAt.delete(keyOf(b, a));
        set(index, [c, d, b]);
        set(other, [d, c, a]);
        isChanged = true;
        break;
      }
    }
    if (!isChanged) break;
  }
  return triangles;
}

const thirdCorner = ([p, q, r]: Triangle, a: number, b: number): number =>
  p !== a && p !== b ? p : q !== a && q !== b ? q : r;

/** The cotangent of the angle at `apex` between the directions to `a` and `b`. */
function cotangent(positions: readonly Vec3[], apex: number, a: number, b: number): number {
  const [u, v] = [subtract(positions[a], positions[apex]), subtract(positions[b], positions[apex])];
  return dot(u, v) / Math.max(exactLength(cross(u, v)), Number.MIN_VALUE);
}

/** Cotangent weights depend on the surface. The second pass takes the weights of the result of the first. */
const FAIRING_PASSES = 2;
/** Limits of the cotangent weights. They keep the edges of narrow triangles from dominating. */
const [MIN_WEIGHT, MAX_WEIGHT] = [0.05, 10];
/** Limits of the conjugate gradients: iterations, and the residual relative to the initial one. */
const MAX_ITERATIONS = 800;
const RESIDUAL_TOLERANCE = 1e-4;
const ITERATIONS_PER_REPORT = 16;

/**
 * Fairs a fill: moves the positions from `firstFree` on, which belong to the fill alone, to the shape of a thin plate that continues
 * the slope of the facets around it. `triangles` are those of the fill and of the surface at its boundary. The first `boundaryCount`
 * positions are the boundary.
 * Source: L. Kobbelt et al., "Interactive Multi-Resolution Modeling on Arbitrary Meshes" (1998), with the cotangent weights of M.
 * Meyer et al., "Discrete Differential-Geometry Operators for Triangulated 2-Manifolds" (2003).
 */
export function fairFill(
  positions: readonly Vec3[],
  triangles: readonly Triangle[],
  boundaryCount: number,
  firstFree: number,
  progress: Progress,
): Vec3[] {
  let faired = [...positions];
  for (let pass = 0; pass < FAIRING_PASSES; pass++) {
    const part = progress.part(pass / FAIRING_PASSES, (pass + 1) / FAIRING_PASSES);
    faired = minimizeBending(faired, triangles, boundaryCount, firstFree, part);
  }
  return faired;
}

/** Minimises the integral of the squared mean curvature at the boundary and inside: a linear system in the free positions. */
function minimizeBending(
  positions: readonly Vec3[],
  triangles: readonly Triangle[],
  boundaryCount: number,
  firstFree: number,
  progress: Progress,
): Vec3[] {
  const count = positions.length;
  const { ends, weights } = cotangentEdges(positions, triangles);
  const areas = vertexAreas(positions, triangles);
  const hasCurvature = (v: number): boolean => v < boundaryCount || v >= firstFree;
  const laplacian = (x: Float64Array): Float64Array => {
    const out = new Float64Array(count);
    for (let i = 0; i < weights.length; i++) {
      const [a, b] = [ends[2 * i], ends[2 * i + 1]];
      const difference = weights[i] * (x[b] - x[a]);
      out[a] += difference;
      out[b] -= difference;
    }
    return out;
  };
  /** The gradient of the bending energy at the free vertices; 0 at all others. */
  const gradient = (x: Float64Array): Float64Array => {
    const curvature = laplacian(x);
    for (let v = 0; v < count; v++) curvature[v] = hasCurvature(v) ? curvature[v] / areas[v] : 0;
    return laplacian(curvature).fill(0, 0, firstFree);
  };
  const diagonal = new Float64Array(count);
  const weightSums = new Float64Array(count);
  for (let i = 0; i < weights.length; i++) {
    const [a, b, weight] = [ends[2 * i], ends[2 * i + 1], weights[i]];
    weightSums[a] += weight;
    weightSums[b] += weight;
    if (hasCurvature(b)) diagonal[a] += (weight * weight) / areas[b];
    if (hasCurvature(a)) diagonal[b] += (weight * weight) / areas[a];
  }
  for (let v = firstFree; v < count; v++) diagonal[v] += (weightSums[v] * weightSums[v]) / areas[v];
  const [xs, ys, zs] = [0, 1, 2].map((axis) => {
    const x = Float64Array.from(positions, (position) => position[axis]);
    return conjugateGradient(x, gradient, diagonal, firstFree, progress);
  });
  return positions.map((position, v): Vec3 => (v < firstFree ? position : [xs[v], ys[v], zs[v]]));
}

/** Solves gradient(x) = 0 for the free entries of `x`, in place, by conjugate gradients preconditioned with the diagonal. */
function conjugateGradient(
  x: Float64Array,
  gradient: (x: Float64Array) => Float64Array,
  diagonal: Float64Array,
  firstFree: number,
  progress: Progress,
): Float64Array {
  const residual = gradient(x).map((value) => -value);
  const preconditioned = (): Float64Array => residual.map((value, v) => (v < firstFree ? 0 : value / diagonal[v]));
  let z = preconditioned();
  const direction = z.slice();
  let size = dotProduct(residual, z);
  const tolerance = RESIDUAL_TOLERANCE * RESIDUAL_TOLERANCE * size;
  for (let step = 0; step < MAX_ITERATIONS && size > tolerance; step++) {
    if (step % ITERATIONS_PER_REPORT === 0) progress.report(step / MAX_ITERATIONS);
    const change = gradient(direction);
    const share = size / dotProduct(direction, change);
    for (let v = firstFree; v < x.length; v++) {
      x[v] += share * direction[v];
      residual[v] -= share * change[v];
    }
    z = preconditioned();
    const nextSize = dotProduct(residual, z);
    for (let v = firstFree; v < x.length; v++) direction[v] = z[v] + (nextSize / size) * direction[v];
    size = nextSize;
  }
  return x;
}

function dotProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

interface WeightedEdges {
  /** Two vertices per edge. */
  readonly ends: Uint32Array;
  readonly weights: Float64Array;
}

/** Each edge once, with half the sum of the cotangents of its opposite angles as weight. */
function cotangentEdges(positions: readonly Vec3[], triangles: readonly Triangle[]): WeightedEdges {
  const count = positions.length;
  const weights = new Map<number, number>();
  for (const triangle of triangles) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [triangle[k], triangle[(k + 1) % 3], triangle[(k + 2) % 3]];
      const key = Math.min(a, b) * count + Math.max(a, b);
      weights.set(key, (weights.get(key) ?? 0) + cotangent(positions, c, a, b) / 2);
    }
  }
  return {
    ends: Uint32Array.from([...weights.keys()].flatMap((key) => [Math.floor(key / count), key % count])),
    weights: Float64Array.from(weights.values(), (weight) => Math.min(Math.max(weight, MIN_WEIGHT), MAX_WEIGHT)),
  };
}

/** A third of the area of the triangles at each vertex, mm². */
function vertexAreas(positions: readonly Vec3[], triangles: readonly Triangle[]): Float64Array {
  const areas = new Float64Array(positions.length);
  for (const [a, b, c] of triangles) {
    const area = exactLength(triangleNormal(positions[a], positions[b], positions[c])) / 6;
    for (const v of [a, b, c]) areas[v] += area;
  }
  return areas;
}
