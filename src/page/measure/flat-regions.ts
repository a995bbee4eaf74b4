import { facetOf, nextHalfedge } from "../../geometry/halfedge.ts";
import { type Vec3, add, dot, length, times, unitOrZero } from "../../geometry/vector.ts";
import { type MeshTopology, across, pointAt, startOf, facetNormal } from "./mesh-topology.ts";
import { PER_SLICE, type Slices } from "./slices.ts";

/** Connected facets in one plane. */
export interface FlatRegion {
  /** Outward unit normal. */
  readonly normal: Vec3;
  /** Centre of the area. */
  readonly centre: Vec3;
  /** In square mesh units. */
  readonly area: number;
  /** Closed loops of halfedges around the region and around its holes. */
  readonly rims: readonly (readonly number[])[];
  /** Whether it is a piece of a curved surface, which was divided into facets. */
  readonly isCurved: boolean;
}

const cosOf = (degrees: number): number => Math.cos((degrees * Math.PI) / 180);

/** Facets of one plane differ by less in direction. */
export const SAME_PLANE_COS = cosOf(0.06);
/** Facets that meet at less than this are usually pieces of a curved surface: circles have at least 18 pieces in most files. */
export const SMOOTH_COS = cosOf(20);
/** A flat face is larger than this many times the facets that go on smoothly, unless it is a piece of a curved surface. */
const NEIGHBOURS = 3;

/** Cosine of the angle between two facets' normals; 1 if one of them has no area. */
export function cosBetween(a: Vec3, b: Vec3): number {
  const lengths = length(a) * length(b);
  return lengths === 0 ? 1 : dot(a, b) / lengths;
}

/** The flat regions of a mesh, each found when a place in it is first asked for. */
export class FlatRegions {
  readonly #topology: MeshTopology;
  /** Number of the region of each facet, from 1; 0 or negative while it is not known. */
  readonly #numbers: Int32Array;
  readonly #regions: FlatRegion[] = [];
  #floods = 0;

  constructor(topology: MeshTopology) {
    this.#topology = topology;
    this.#numbers = new Int32Array(topology.triangles.length / 3);
  }

  *at(facet: number): Slices<FlatRegion> {
    const known = this.#regions[this.#numbers[facet]! - 1];
    if (known) return known;
    const own = yield* this.#flood(facet);
    // The direction of a narrow facet is inexact: that of the largest one counts.
    const fromLargest = yield* this.#flood(own.largest);
    const { facets } = this.#numbers[facet] === -this.#floods ? fromLargest : own;
    const normal = facetNormal(this.#topology, own.largest);
    const mark = -++this.#floods;
    for (const one of facets) this.#numbers[one] = mark;
    const region = yield* this.#regionOf(facets, mark, unitOrZero(normal));
    // Only now, at once: work that is abandoned before leaves no region.
    const number = this.#regions.push(region);
    for (const one of facets) this.#numbers[one] = number;
    return region;
  }

  /** The free facets around a facet that have its direction, or that are in its plane but too narrow to have one; and the largest of them. */
  *#flood(seed: number): Slices<{ facets: number[]; largest: number }> {
    const topology = this.#topology;
    const mark = -++this.#floods;
    const facets = [seed];
    let [largest, largestSize] = [seed, 0];
    this.#numbers[seed] = mark;
    const plane = unitOrZero(facetNormal(topology, seed));
    const at = dot(plane, pointAt(topology, startOf(topology, 3 * seed)));
    const isIn = (facet: number): boolean => {
      const own = facetNormal(topology, facet);
      if (dot(own, plane) >= SAME_PLANE_COS * length(own)) return true;
      return [0, 1, 2].every((i) => {
        const point = pointAt(topology, startOf(topology, 3 * facet + i));
        return Math.abs(dot(plane, point) - at) <= topology.rounding;
      });
    };
    for (let i = 0; i < facets.length; i++) {
      const facet = facets[i]!;
      const size = length(facetNormal(topology, facet));
      if (size > largestSize) [largest, largestSize] = [facet, size];
      for (let side = 3 * facet; side < 3 * facet + 3; side++) {
        const other = across(topology, side);
        const next = facetOf(other);
        const number = other < 0 ? mark : this.#numbers[next]!;
        if (number > 0 || number === mark || !isIn(next)) continue;
        this.#numbers[next] = mark;
        facets.push(next);
      }
      if (i % PER_SLICE === PER_SLICE - 1) yield;
    }
    return { facets, largest };
  }

  *#regionOf(facets: readonly number[], mark: number, normal: Vec3): Slices<FlatRegion> {
    const topology = this.#topology;
    let [area, moment]: [number, Vec3] = [0, [0, 0, 0]];
    const rim = new Set<number>();
    for (const [i, facet] of facets.entries()) {
      const [a, b, c] = [0, 1, 2].map((corner) => pointAt(topology, startOf(topology, 3 * facet + corner)));
      const own = length(facetNormal(topology, facet)) / 2;
      area += own;
      moment = add(moment, times(add(add(a!, b!), c!), own / 3));
      for (let side = 3 * facet; side < 3 * facet + 3; side++) {
        const other = across(topology, side);
        if (other < 0 || this.#numbers[facetOf(other)] !== mark) rim.add(side);
      }
      if (i % PER_SLICE === PER_SLICE - 1) yield;
    }
    return {
      normal,
      area,
      centre: area > 0 ? times(moment, 1 / area) : pointAt(topology, startOf(topology, 3 * facets[0]!)),
      rims: loopsOf(topology, rim),
      isCurved: isCurved(topology, rim, area),
    };
  }
}

/** Orders the halfedges of a rim, with the region on the left of each. */
function loopsOf(topology: MeshTopology, rim: ReadonlySet<number>): number[][] {
  const rest = new Set(rim);
  const loops: number[][] = [];
  for (const first of rim) {
    if (!rest.has(first)) continue;
    const loop: number[] = [];
    for (let side = first; rest.delete(side); side = rimAfter(topology, rim, side)) loop.push(side);
    loops.push(loop);
  }
  return loops;
}

/** The rim goes on at the first side around the end of a halfedge that is in the rim. */
function rimAfter(topology: MeshTopology, rim: ReadonlySet<number>, side: number): number {
  let next = nextHalfedge(side);
  while (!rim.has(next)) next = nextHalfedge(across(topology, next));
  return next;
}

/** Whether the surface goes on smoothly in two directions, with facets that are about as large as the region. */
function isCurved(topology: MeshTopology, rim: ReadonlySet<number>, area: number): boolean {
  let beyond = 0;
  const directions: Vec3[] = [];
  for (const side of rim) {
    const other = across(topology, side);
    if (other < 0) continue;
    const next = facetNormal(topology, facetOf(other));
    if (cosBetween(facetNormal(topology, facetOf(side)), next) <= SMOOTH_COS) continue;
    beyond += length(next) / 2;
    if (directions.length < 2 && directions.every((one) => cosBetween(one, next) < SAME_PLANE_COS))
      directions.push(next);
  }
  return directions.length > 1 && area <= NEIGHBOURS * beyond;
}
