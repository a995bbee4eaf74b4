import { cross, exactLength, subtract, type Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { cotangent } from "./refine-fill.ts";
import type { Facet } from "./surroundings.ts";

/** The weights are those of the plate before it is bent; bent once, it tells better ones. */
const BENDINGS = 2;
/** Weights of edges between slender facets are cut off here, so that no vertex is all that another listens to. */
const [LEAST_WEIGHT, MOST_WEIGHT] = [0.05, 10];
/** Of conjugate gradients; the rest of the force left, against that in the beginning. */
const MOST_STEPS = 800;
const LEFT = 1e-4;
const STEPS_PER_REPORT = 16;

/**
 * The places with the vertices from `firstFree` on, which the fill has and nothing else, moved to where a thin plate would
 * lie that goes on from the facets around it as they slope. `facets` are the fill and those with corners on its rim; the
 * first `rim` places are the rim.
 * Source: L. Kobbelt et al., "Interactive Multi-Resolution Modeling on Arbitrary Meshes" (1998), with the cotangent weights of
 * M. Meyer et al. (2003).
 */
export function fairFill(
  places: readonly Vec3[],
  facets: readonly Facet[],
  rim: number,
  firstFree: number,
  watch: Watch,
): Vec3[] {
  let bent = [...places];
  for (let i = 0; i < BENDINGS; i++) {
    bent = bendOnce(bent, facets, rim, firstFree, watch.part(i / BENDINGS, (i + 1) / BENDINGS));
  }
  return bent;
}

/** Minimises the sum of the squared mean curvatures, times areas, at the rim and within it: linear in the places. */
function bendOnce(places: readonly Vec3[], facets: readonly Facet[], rim: number, free: number, watch: Watch): Vec3[] {
  const count = places.length;
  const { ends, weights } = linksOf(places, facets);
  const areas = areasOf(places, facets);
  const isRow = (v: number): boolean => v < rim || v >= free;
  const laplacian = (x: Float64Array): Float64Array => {
    const out = new Float64Array(count);
    for (let i = 0; i < weights.length; i++) {
      const [a, b] = [ends[2 * i], ends[2 * i + 1]];
      const pull = weights[i] * (x[b] - x[a]);
      out[a] += pull;
      out[b] -= pull;
    }
    return out;
  };
  /** The force on the free vertices. */
  const force = (x: Float64Array): Float64Array => {
    const row = laplacian(x);
    for (let v = 0; v < count; v++) row[v] = isRow(v) ? row[v] / areas[v] : 0;
    return laplacian(row).fill(0, 0, free);
  };
  const scale = new Float64Array(count);
  const sums = new Float64Array(count);
  for (let i = 0; i < weights.length; i++) {
    const [a, b, weight] = [ends[2 * i], ends[2 * i + 1], weights[i]];
    sums[a] += weight;
    sums[b] += weight;
    if (isRow(b)) scale[a] += (weight * weight) / areas[b];
    if (isRow(a)) scale[b] += (weight * weight) / areas[a];
  }
  for (let v = free; v < count; v++) scale[v] += (sums[v] * sums[v]) / areas[v];
  const solved = [0, 1, 2].map((axis) => {
    const x = Float64Array.from(places, (place) => place[axis]!);
    return solve(x, force, scale, free, watch);
  });
  return places.map((place, v): Vec3 => (v < free ? place : [solved[0]![v], solved[1]![v], solved[2]![v]]));
}

/** Conjugate gradients, scaled by the diagonal. */
function solve(
  x: Float64Array,
  force: (x: Float64Array) => Float64Array,
  scale: Float64Array,
  free: number,
  watch: Watch,
): Float64Array {
  const residual = force(x).map((value) => -value);
  const scaled = (): Float64Array => residual.map((value, v) => (v < free ? 0 : value / scale[v]));
  let z = scaled();
  const way = z.slice();
  let size = product(residual, z);
  const enough = LEFT * LEFT * size;
  for (let step = 0; step < MOST_STEPS && size > enough; step++) {
    if (step % STEPS_PER_REPORT === 0) watch.report(step / MOST_STEPS);
    const turned = force(way);
    const share = size / product(way, turned);
    for (let v = free; v < x.length; v++) {
      x[v] += share * way[v];
      residual[v] -= share * turned[v];
    }
    z = scaled();
    const next = product(residual, z);
    for (let v = free; v < x.length; v++) way[v] = z[v] + (next / size) * way[v];
    size = next;
  }
  return x;
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

interface Links {
  /** Two vertices each. */
  readonly ends: Uint32Array;
  readonly weights: Float64Array;
}

/** Every edge once, with half the cotangents of the angles opposite of it. */
function linksOf(places: readonly Vec3[], facets: readonly Facet[]): Links {
  const count = places.length;
  const weights = new Map<number, number>();
  for (const facet of facets) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [facet[k]!, facet[(k + 1) % 3]!, facet[(k + 2) % 3]!];
      const key = Math.min(a, b) * count + Math.max(a, b);
      weights.set(key, (weights.get(key) ?? 0) + cotangent(places, c, a, b) / 2);
    }
  }
  return {
    ends: Uint32Array.from([...weights.keys()].flatMap((key) => [Math.floor(key / count), key % count])),
    weights: Float64Array.from(weights.values(), (one) => Math.min(Math.max(one, LEAST_WEIGHT), MOST_WEIGHT)),
  };
}

/** A third of the facets at each vertex, mm². */
function areasOf(places: readonly Vec3[], facets: readonly Facet[]): Float64Array {
  const areas = new Float64Array(places.length);
  for (const [a, b, c] of facets) {
    const area = exactLength(cross(subtract(places[b]!, places[a]!), subtract(places[c]!, places[a]!))) / 6;
    for (const v of [a, b, c]) areas[v] += area;
  }
  return areas;
}
