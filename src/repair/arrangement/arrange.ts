import { facetOf } from "../../geometry/halfedge.ts";
import type { Progress } from "../../core/progress.ts";
import { appendNumbers } from "../../core/typed-arrays.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { edgesOf } from "../../mesh/edges.ts";
import {
  filterFacets,
  isDegenerateFacet,
  type Surface,
  triangleCount,
  vertexAt,
  vertexCount,
} from "../../mesh/mesh.ts";
import { type CoplanarCluster, splitSegments, triangulateCluster } from "./coplanar-cluster.ts";
import {
  areCoplanar,
  type ExactFacet,
  exactFacet,
  facetIntersection,
  gridPoint,
  type IntegerGrid,
  integerGridOf,
  newPointSet,
  orient2d,
  type PointSet,
} from "./exact-geometry.ts";

/** A surface cut along its self-intersections: its pieces intersect only at common edges and vertices. */
export interface MeshArrangement extends Surface {
  /** For each piece the number of facets of the surface that cover it; those facing the other way are subtracted. */
  readonly multiplicity: Int32Array;
  /** The facets of the surface that a piece was part of. */
  readonly sourceFacetsOf: (piece: number) => readonly number[];
}

/** With more overlapping facets in one plane the surface is a pile of sheets, not the boundary of a solid. */
const MAX_COPLANAR_FACETS = 4000;

/**
 * Most points of a cut. Bodies that cross themselves have one or two for each pair of facets that intersect, 300 facets across one
 * another at random ten.
 */
const MAX_POINTS = 250_000;

const PAIRS_PER_REPORT = 64;
const CLUSTERS_PER_REPORT = 8;

/**
 * Cuts a surface along its self-intersections. `pairs` are the facets that intersect, two indices per pair, none of them
 * degenerate. Exact: pieces fit together however narrow they are, and only the coordinates of new vertices are rounded.
 * Undefined where too many facets overlap, or cut each other in too many points.
 * Source: Q. Zhou, E. Grinspun, D. Zorin, A. Jacobson, "Mesh Arrangements for Solid Geometry" (2016).
 */
export function arrangeFacets(surface: Surface, pairs: Uint32Array, progress: Progress): MeshArrangement | undefined {
  const clusters = newClusters(surface);
  const planes = coplanarGroups(clusters, triangleCount(surface), pairs, progress.part(0, 0.1));
  if (planes.some((members) => members.length > MAX_COPLANAR_FACETS)) return undefined;
  for (const members of planes) clusters.join(members);
  intersectPairs(clusters, pairs, progress.part(0.1, 0.4));
  if (!splitClusters(clusters, surface, progress.part(0.4, 0.7))) return undefined;
  return assemble(clusters, surface, progress.part(0.7, 1));
}

/** The facets of the pairs, grouped by overlap in one plane. */
function coplanarGroups(clusters: Clusters, facetCount: number, pairs: Uint32Array, progress: Progress): number[][] {
  const sets = newDisjointSets(facetCount);
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * PAIRS_PER_REPORT) === 0) progress.report(at / pairs.length);
    const [one, other] = [pairs[at], pairs[at + 1]];
    if (areCoplanar(clusters.exactOf(one), clusters.exactOf(other))) sets.join(one, other);
  }
  const facets = [...new Set(pairs)].sort((a, b) => a - b);
  return [...Map.groupBy(facets, (facet) => sets.find(facet)).values()];
}

/** Adds the intersection of each pair of facets in different planes to both of their clusters. */
function intersectPairs(clusters: Clusters, pairs: Uint32Array, progress: Progress): void {
  const { points, grid, exactOf } = clusters;
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * PAIRS_PER_REPORT) === 0) progress.report(at / pairs.length);
    const [one, other] = [clusters.of(pairs[at]), clusters.of(pairs[at + 1])];
    if (one === other) continue;
    const intersection = facetIntersection(exactOf(pairs[at]), exactOf(pairs[at + 1]), grid);
    const [from, to, ...more] = [...new Set(intersection.map((point) => points.add(point)))];
    if (more.length > 0) throw new Error("Two facets in different planes intersect in more than a segment.");
    for (const [cluster, cutting] of [
      [one, other],
      [other, one],
    ]) {
      const cut = cutting.projection.plane;
      if (to !== undefined) cluster.segments.push({ ends: [from, to], line: cluster.segments.length, cut });
      else if (from !== undefined) cluster.points.add(from);
    }
  }
}

/**
 * Splits the segments of all clusters. Points on edges of the surface are passed on to the facets beyond these edges, until all
 * facets at an edge have the same points on it. False where there are more than {@link MAX_POINTS}.
 */
function splitClusters(clusters: Clusters, surface: Surface, progress: Progress): boolean {
  const { triangles } = surface;
  const { points, grid } = clusters;
  const { halfedges, runs } = edgesOf(triangles, vertexCount(surface));
  const edgeOf = new Uint32Array(triangles.length);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    for (let i = runs[edge]; i < runs[edge + 1]; i++) edgeOf[halfedges[i]] = edge;
  }
  const queue = new Set(clusters.all());
  let done = 0;
  for (const cluster of queue) {
    const all = done + queue.size;
    queue.delete(cluster);
    const part = progress.part(done / all, ++done / all);
    if (done % CLUSTERS_PER_REPORT === 0) part.report(0);
    if (!splitSegments(cluster, points, grid, MAX_POINTS, part)) return false;
    cluster.facets.forEach(({ facet }, i) => {
      for (let k = 0; k < 3; k++) {
        const inner = cluster.lines[3 * i + k].slice(1, -1);
        if (inner.length === 0) continue;
        const edge = edgeOf[3 * facet + k];
        for (let at = runs[edge]; at < runs[edge + 1]; at++) {
          const other = facetOf(halfedges[at]);
          // A degenerate facet has no plane. It keeps its whole edge, which is open then.
          if (other === facet || isDegenerateFacet(surface, other)) continue;
          const beyond = clusters.of(other);
          if (beyond === cluster || inner.every((point) => beyond.points.has(point))) continue;
          for (const point of inner) beyond.points.add(point);
          queue.add(beyond);
        }
      }
    });
  }
  return true;
}

/** Replaces the facets of clusters by their pieces. */
function assemble(clusters: Clusters, surface: Surface, progress: Progress): MeshArrangement {
  const { vertices, triangles } = surface;
  const { points, grid, pointOf } = clusters;
  const all = [...clusters.all()];
  const vertexOf = new Map<number, number>();
  for (const { facets } of all) {
    for (const { facet } of facets) {
      for (const v of triangles.subarray(3 * facet, 3 * facet + 3)) vertexOf.set(pointOf(v), v);
    }
  }
  const addedVertices: number[] = [];
  const toVertex = (point: number): number => {
    const known = vertexOf.get(point);
    if (known !== undefined) return known;
    const v = (vertices.length + addedVertices.length) / 3;
    addedVertices.push(...points.all[point].mm);
    vertexOf.set(point, v);
    return v;
  };
  const corners: number[] = [];
  const multiplicity: number[] = [];
  const sources: (readonly number[])[] = [];
  all.forEach((cluster, i) => {
    if (i % CLUSTERS_PER_REPORT === 0) progress.report(i / all.length);
    const facets = cluster.facets.map(({ facet }) => facet);
    const part = progress.part(i / all.length, (i + 1) / all.length);
    for (const piece of triangulateCluster(cluster, points, grid, part)) {
      if (piece.multiplicity === 0) continue;
      corners.push(...piece.corners.map(toVertex));
      multiplicity.push(piece.multiplicity);
      sources.push(facets);
    }
  });
  const kept: number[] = [];
  for (let facet = 0; facet < triangleCount(surface); facet++) if (!clusters.has(facet)) kept.push(facet);
  return {
    vertices: appendNumbers(new Float64Array(vertices), addedVertices),
    triangles: appendNumbers(filterFacets(surface, (facet) => !clusters.has(facet)).triangles, corners),
    multiplicity: Int32Array.from([...kept.map(() => 1), ...multiplicity]),
    sourceFacetsOf: (piece) => (piece < kept.length ? [kept[piece]] : sources[piece - kept.length]),
  };
}

/** The clusters of facets of a surface, for those facets that have one, and the points in them. */
interface Clusters {
  readonly grid: IntegerGrid;
  readonly points: PointSet;
  /** Index of the point of a vertex. */
  pointOf(v: number): number;
  exactOf(facet: number): ExactFacet;
  has(facet: number): boolean;
  /** The cluster of a facet. Where it has none, one with this single facet is made. */
  of(facet: number): CoplanarCluster;
  /** Makes a cluster of facets in one plane. */
  join(facets: readonly number[]): CoplanarCluster;
  /** All clusters in the order in which they were made. */
  all(): Iterable<CoplanarCluster>;
}

function newClusters(surface: Surface): Clusters {
  const { triangles } = surface;
  const grid = integerGridOf(surface);
  const points = newPointSet();
  const pointOfVertex = new Map<number, number>();
  const exactFacets = new Map<number, ExactFacet>();
  const clusters = new Map<number, CoplanarCluster>();
  const pointOf = (v: number): number => {
    const known = pointOfVertex.get(v);
    if (known !== undefined) return known;
    const point = points.add(gridPoint(vertexAt(surface, v), grid));
    pointOfVertex.set(v, point);
    return point;
  };
  const cornersOf = (facet: number): [number, number, number] => [
    pointOf(triangles[3 * facet]),
    pointOf(triangles[3 * facet + 1]),
    pointOf(triangles[3 * facet + 2]),
  ];
  const exactOf = (facet: number): ExactFacet => {
    const known = exactFacets.get(facet);
    if (known) return known;
    const [a, b, c] = cornersOf(facet);
    const exact = exactFacet([points.all[a], points.all[b], points.all[c]]);
    exactFacets.set(facet, exact);
    return exact;
  };
  const join = (facets: readonly number[]): CoplanarCluster => {
    const { projection } = exactOf(facets[0]);
    const cluster: CoplanarCluster = {
      facets: facets.map((facet) => {
        const exact = exactOf(facet);
        return { exact, facet, orientation: orient2d(projection, ...exact.corners) > 0 ? 1 : -1 };
      }),
      projection,
      points: new Set(),
      segments: facets
        .flatMap((facet): [number, number][] => {
          const [a, b, c] = cornersOf(facet);
          return [
            [a, b],
            [b, c],
            [c, a],
          ];
        })
        .map((ends, line) => ({ ends, line, cut: undefined })),
      lines: [],
      splitPoints: 0,
    };
    for (const facet of facets) clusters.set(facet, cluster);
    return cluster;
  };
  return {
    grid,
    points,
    pointOf,
    exactOf,
    has: (facet) => clusters.has(facet),
    of: (facet) => clusters.get(facet) ?? join([facet]),
    join,
    all: () => new Set(clusters.values()),
  };
}
