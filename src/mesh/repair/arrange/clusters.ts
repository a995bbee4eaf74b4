import type { Surface } from "../../mesh.ts";
import type { Cluster } from "./cluster.ts";
import { latticePlace, newPlaces, type Places } from "./exact-place.ts";
import { planeOf } from "./exact-plane.ts";
import type { ExactFacet } from "./facet-pair.ts";
import { turnOf, viewOf } from "./in-plane.ts";
import { type Lattice, latticeOf } from "./lattice.ts";

/** The clusters of a surface's facets that have one, and the places in them. */
export interface Clusters {
  readonly lattice: Lattice;
  readonly places: Places;
  /** The number of the place of a vertex. */
  placeOf(v: number): number;
  exactOf(facet: number): ExactFacet;
  /** The cluster of a facet, if it has one. */
  find(facet: number): Cluster | undefined;
  /** The cluster of a facet; one of its own where it had none. */
  of(facet: number): Cluster;
  /** Makes a cluster of facets in one plane. */
  gather(facets: readonly number[]): Cluster;
  /** Every cluster once, in the order of their making. */
  all(): Iterable<Cluster>;
}

export function newClusters(surface: Surface): Clusters {
  const { vertices, triangles } = surface;
  const lattice = latticeOf(surface);
  const places = newPlaces();
  const numbers = new Map<number, number>();
  const exact = new Map<number, ExactFacet>();
  const clusters = new Map<number, Cluster>();
  const cornersOf = (facet: number): [number, number, number] => [
    placeOf(triangles[3 * facet]),
    placeOf(triangles[3 * facet + 1]),
    placeOf(triangles[3 * facet + 2]),
  ];
  const placeOf = (v: number): number => {
    const known = numbers.get(v);
    if (known !== undefined) return known;
    const mm = [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]] as const;
    const number = places.numberOf(latticePlace(mm, lattice));
    numbers.set(v, number);
    return number;
  };
  const exactOf = (facet: number): ExactFacet => {
    const known = exact.get(facet);
    if (known) return known;
    const [a, b, c] = cornersOf(facet);
    const corners = [places.all[a]!, places.all[b]!, places.all[c]!] as const;
    const plane = planeOf(...corners);
    const made = { corners, plane, view: viewOf(plane) };
    exact.set(facet, made);
    return made;
  };
  const gather = (facets: readonly number[]): Cluster => {
    const { view } = exactOf(facets[0]!);
    const made: Cluster = {
      facets: facets.map((facet) => {
        const one = exactOf(facet);
        return { exact: one, facet, facing: turnOf(view, ...one.corners) > 0 ? 1 : -1 };
      }),
      view,
      points: new Set(),
      segments: facets.flatMap((facet): [number, number][] => {
        const [a, b, c] = cornersOf(facet);
        return [
          [a, b],
          [b, c],
          [c, a],
        ];
      }),
    };
    for (const facet of facets) clusters.set(facet, made);
    return made;
  };
  return {
    lattice,
    places,
    placeOf,
    exactOf,
    find: (facet) => clusters.get(facet),
    of: (facet) => clusters.get(facet) ?? gather([facet]),
    gather,
    all: () => new Set(clusters.values()),
  };
}
