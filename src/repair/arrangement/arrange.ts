import { facetOf } from "../../geometry/halfedge.ts";
import type { Progress } from "../../core/progress.ts";
import { appendNumbers } from "../../core/typed-arrays.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { filterFacets, isDegenerateFacet, type Surface, triangleCount, vertexCount } from "../../mesh/mesh.ts";
import { ClusterIndex } from "./cluster-index.ts";
import { triangulateCluster } from "./coplanar-cluster.ts";
import { areCoplanar, facetIntersection } from "./exact-geometry.ts";
import { splitSegments } from "./split-segments.ts";

/** A surface cut along its self-intersections: its pieces intersect only at common edges and vertices. */
export interface MeshArrangement extends Surface {
  /** Number of facets of the surface that cover each piece. Facets with the opposite orientation count −1. */
  readonly multiplicity: Int32Array;
  /** The facets of the surface that contain a piece. */
  readonly sourceFacetsOf: (piece: number) => readonly number[];
}

/** A surface with more overlapping facets in one plane is a pile of sheets, not the boundary of a solid. */
const MAX_COPLANAR_FACETS = 4000;

/**
 * Most points of a cut. Bodies that cross themselves have one or two for each pair of facets that intersect, 300 random facets across
 * one another have ten.
 */
const MAX_POINTS = 250_000;

const PAIRS_PER_REPORT = 64;
const CLUSTERS_PER_REPORT = 8;

/** Shares of the progress at which coplanar facets, intersections and split segments are known. The rest triangulates. Estimates. */
const SHARES = { grouped: 0.1, intersected: 0.4, split: 0.7 };

/**
 * Cuts a surface along its self-intersections. `pairs` are the facets that intersect, two indices per pair; no degenerate facets. The
 * cut is exact: pieces fit together however narrow they are, and only the coordinates of new vertices are rounded. Undefined if too
 * many facets overlap or the cut has too many points.
 * Source: Q. Zhou, E. Grinspun, D. Zorin, A. Jacobson, "Mesh Arrangements for Solid Geometry" (2016).
 */
export function arrangeFacets(surface: Surface, pairs: Uint32Array, progress: Progress): MeshArrangement | undefined {
  const clusters = new ClusterIndex(surface);
  const planes = coplanarGroups(clusters, triangleCount(surface), pairs, progress.part(0, SHARES.grouped));
  if (planes.some((members) => members.length > MAX_COPLANAR_FACETS)) return undefined;
  for (const members of planes) clusters.join(members);
  intersectPairs(clusters, pairs, progress.part(SHARES.grouped, SHARES.intersected));
  if (!splitClusters(clusters, surface, progress.part(SHARES.intersected, SHARES.split))) return undefined;
  return assemble(clusters, surface, progress.part(SHARES.split, 1));
}

/** The facets of the pairs, grouped by overlap in one plane. */
function coplanarGroups(
  clusters: ClusterIndex,
  facetCount: number,
  pairs: Uint32Array,
  progress: Progress,
): number[][] {
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
function intersectPairs(clusters: ClusterIndex, pairs: Uint32Array, progress: Progress): void {
  const { points, grid } = clusters;
  for (let at = 0; at < pairs.length; at += 2) {
    if (at % (2 * PAIRS_PER_REPORT) === 0) progress.report(at / pairs.length);
    const [one, other] = [clusters.of(pairs[at]), clusters.of(pairs[at + 1])];
    if (one === other) continue;
    const intersection = facetIntersection(clusters.exactOf(pairs[at]), clusters.exactOf(pairs[at + 1]), grid);
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
 * Splits the segments of all clusters. A point on an edge of the surface is added to all facets at this edge, so that they are split
 * at the same points. Returns false if there are more than {@link MAX_POINTS}.
 */
function splitClusters(clusters: ClusterIndex, surface: Surface, progress: Progress): boolean {
  const { triangles } = surface;
  const { points, grid } = clusters;
  const { halfedges, runs } = edgesOf(triangles, vertexCount(surface));
  const edgeOf = new Uint32Array(triangles.length);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    for (let i = runs[edge]; i < runs[edge + 1]; i++) edgeOf[halfedges[i]] = edge;
  }
  const queue = clusters.all();
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
          // A degenerate facet has no plane. Its edge is not split and becomes open.
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
function assemble(clusters: ClusterIndex, surface: Surface, progress: Progress): MeshArrangement {
  const { vertices, triangles } = surface;
  const { points, grid } = clusters;
  const all = [...clusters.all()];
  const vertexOf = new Map<number, number>();
  for (const { facets } of all) {
    for (const { facet } of facets) {
      for (const v of triangles.subarray(3 * facet, 3 * facet + 3)) vertexOf.set(clusters.pointOf(v), v);
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
