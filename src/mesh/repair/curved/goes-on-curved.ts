import { add, cross, dot, exactLength, ORIGIN, subtract, times, type Vec3 } from "../../../core/geometry.ts";
import { facetNormal } from "../facet-normal.ts";
import type { Facet, Surroundings } from "./surroundings.ts";

/** Cosine of the sharpest edge of a surface that is one curve. */
const SMOOTH = 0.75;
/** Sine of the mean fold between a flat fill and what is around it, below which the flat fill will do: 3°. */
const LEAST_FOLD = 0.05;
/** Cosine of the mean angle between both, beyond which the hole is where a body was cut off: 60°. */
const CUT_OFF = 0.5;
/** Of the bend across the hole that the fold amounts to, this much must be seen in the facets around the hole. */
const LEAST_BEND = 0.3;

/**
 * Whether a hole is one in a curved surface: what is around it is smooth, meets the flat fill in a fold, and bends the same
 * way, as far as the facets show. The open end of a tube or a cone, cut off flat, is none, nor is a hole in a flat face.
 */
export function goesOnCurved(around: Surroundings, fill: readonly Facet[]): boolean {
  const { places, corners: n, inner, outer } = around;
  const near = [...inner, ...outer];
  const normals = normalsAt(places, near);
  const atRim = normalsAt(places, inner);
  const ofFill = normalsAt(places, fill);
  let [fold, cosine, counted] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    fold += exactLength(cross(atRim[i]!, ofFill[i]!)) / n;
    cosine += dot(atRim[i]!, ofFill[i]!) / n;
  }
  if (fold < LEAST_FOLD || cosine < CUT_OFF || !isSmooth(places, near)) return false;
  const middle = times(places.slice(0, n).reduce(add, ORIGIN), 1 / n);
  const reach = places.slice(0, n).reduce((sum, place) => sum + exactLength(subtract(place, middle)) / n, 0);
  const isInner = new Set(inner.flat());
  const outwardOf = outwards(around, atRim);
  let bend = 0;
  for (const facet of outer) {
    for (let k = 0; k < 3; k++) {
      const [u, w] = [facet[k]!, facet[(k + 1) % 3]!];
      const [from, to] = isInner.has(u) ? [u, w] : [w, u];
      const outward = outwardOf.get(from);
      if (!outward || isInner.has(to)) continue;
      const along = dot(subtract(places[to]!, places[from]!), outward);
      const size = exactLength(subtract(places[to]!, places[from]!));
      // Edges that run around the hole tell nothing.
      if (along < size / 2) continue;
      bend += Math.abs(dot(subtract(normals[to]!, normals[from]!), outward)) / along;
      counted++;
    }
  }
  return counted > 0 && (bend / counted) * reach > LEAST_BEND * fold;
}

/** Of vertices next to the loop, the direction away from it, along the surface. */
function outwards({ places, corners: n, inner }: Surroundings, normals: readonly Vec3[]): Map<number, Vec3> {
  const found = new Map<number, Vec3>();
  for (const facet of inner) {
    for (const v of facet) {
      const rim = facet.find((one) => one < n)!;
      if (v < n || found.has(v)) continue;
      const along = subtract(places[(rim + 1) % n]!, places[(rim + n - 1) % n]!);
      const out = cross(along, normals[rim]!);
      found.set(v, times(out, 1 / (exactLength(out) || 1)));
    }
  }
  return found;
}

/** The unit normal at each vertex, by the areas of the given facets. */
function normalsAt(places: readonly Vec3[], facets: readonly Facet[]): Vec3[] {
  const sums = places.map((): Vec3 => ORIGIN);
  for (const facet of facets) {
    const normal = normalOf(places, facet);
    for (const v of facet) sums[v] = add(sums[v]!, normal);
  }
  return sums.map((sum) => times(sum, 1 / (exactLength(sum) || 1)));
}

const normalOf = (places: readonly Vec3[], [a, b, c]: Facet): Vec3 => facetNormal(places[a]!, places[b]!, places[c]!);

function isSmooth(places: readonly Vec3[], facets: readonly Facet[]): boolean {
  const known = new Map<number, Vec3>();
  for (const facet of facets) {
    const long = normalOf(places, facet);
    const normal = times(long, 1 / (exactLength(long) || 1));
    for (let k = 0; k < 3; k++) {
      const [a, b] = [facet[k]!, facet[(k + 1) % 3]!];
      const other = known.get(b * places.length + a);
      if (other && dot(other, normal) < SMOOTH) return false;
      known.set(a * places.length + b, normal);
    }
  }
  return true;
}
