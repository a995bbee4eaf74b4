import { type Surface, vertexAt } from "../../mesh/mesh.ts";
import type { CoplanarCluster } from "./coplanar-cluster.ts";
import {
  type ExactFacet,
  exactFacet,
  gridPoint,
  type IntegerGrid,
  integerGridOf,
  newPointSet,
  orient2d,
  type PointSet,
} from "./exact-geometry.ts";

/** The clusters of the facets of a surface that are cut, and the exact points in them. Each is made at its first use. */
export class ClusterIndex {
  readonly grid: IntegerGrid;
  readonly points: PointSet = newPointSet();
  readonly #surface: Surface;
  /** Index of the point of each vertex that is in use. */
  readonly #pointOfVertex = new Map<number, number>();
  readonly #exactFacets = new Map<number, ExactFacet>();
  readonly #clusters = new Map<number, CoplanarCluster>();

  constructor(surface: Surface) {
    this.#surface = surface;
    this.grid = integerGridOf(surface);
  }

  /** Index of the point of a vertex. */
  pointOf(v: number): number {
    const known = this.#pointOfVertex.get(v);
    if (known !== undefined) return known;
    const point = this.points.add(gridPoint(vertexAt(this.#surface, v), this.grid));
    this.#pointOfVertex.set(v, point);
    return point;
  }

  exactOf(facet: number): ExactFacet {
    const known = this.#exactFacets.get(facet);
    if (known) return known;
    const [a, b, c] = this.#cornersOf(facet);
    const { all } = this.points;
    const exact = exactFacet([all[a], all[b], all[c]]);
    this.#exactFacets.set(facet, exact);
    return exact;
  }

  /** Whether a facet has a cluster. */
  has(facet: number): boolean {
    return this.#clusters.has(facet);
  }

  /** The cluster of a facet. A facet without one becomes a cluster by itself. */
  of(facet: number): CoplanarCluster {
    return this.#clusters.get(facet) ?? this.join([facet]);
  }

  /** Makes a cluster of facets in one plane. */
  join(facets: readonly number[]): CoplanarCluster {
    const { projection } = this.exactOf(facets[0]);
    const cluster: CoplanarCluster = {
      facets: facets.map((facet) => {
        const exact = this.exactOf(facet);
        return { exact, facet, orientation: orient2d(projection, ...exact.corners) > 0 ? 1 : -1 };
      }),
      projection,
      points: new Set(),
      segments: facets.flatMap((facet) => this.#edgesOf(facet)).map((ends, line) => ({ ends, line, cut: undefined })),
      lines: [],
      splitPointCount: 0,
    };
    for (const facet of facets) this.#clusters.set(facet, cluster);
    return cluster;
  }

  /** All clusters in the order in which they were made. */
  all(): Set<CoplanarCluster> {
    return new Set(this.#clusters.values());
  }

  #cornersOf(facet: number): [number, number, number] {
    const { triangles } = this.#surface;
    return [
      this.pointOf(triangles[3 * facet]),
      this.pointOf(triangles[3 * facet + 1]),
      this.pointOf(triangles[3 * facet + 2]),
    ];
  }

  #edgesOf(facet: number): [number, number][] {
    const [a, b, c] = this.#cornersOf(facet);
    return [
      [a, b],
      [b, c],
      [c, a],
    ];
  }
}
