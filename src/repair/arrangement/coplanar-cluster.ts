import type { Progress } from "../../core/progress.ts";
import { lowerBound } from "../../geometry/binary-search.ts";
import { constrainedDelaunay } from "./constrained-delaunay.ts";
import {
  type ExactFacet,
  type ExactPlane,
  type ExactPoint,
  type IntegerGrid,
  orient2d,
  type PlaneProjection,
  type PointSet,
} from "./exact-geometry.ts";

/**
 * Overlapping facets in one plane, most often a single one, and the points and segments that cut them. Points are given by their indices
 * in a {@link PointSet}.
 */
export interface CoplanarCluster {
  readonly facets: readonly ClusterFacet[];
  readonly projection: PlaneProjection;
  /** Points in the plane that must become vertices. */
  readonly points: Set<number>;
  /** Segments in the plane that must become edges. The first are the edges of the facets, three for each. */
  readonly segments: Segment[];
  /** For each segment, as it was before all splits: the points on it, in order. */
  readonly lines: number[][];
  /** Number of points at the last split of the segments. Points that were added later follow them. */
  splitPointCount: number;
}

const TRIANGLES_PER_REPORT = 256;
/** Share of the progress at which a cluster is triangulated. The rest finds the facets that cover each triangle. Estimated. */
const TRIANGULATED_SHARE = 0.5;
/** Steps of the progress, in addition to one step for the box of each facet of the cluster. */
const STEPS_PER_TRIANGLE = 256;

export interface Segment {
  readonly ends: readonly [number, number];
  /** Index of the line of the cluster that contains it. */
  readonly line: number;
  /** The plane of the facet that cuts the cluster along this segment; undefined for edges of the facets themselves. */
  readonly cut: ExactPlane | undefined;
}

interface ClusterFacet {
  readonly exact: ExactFacet;
  /** Index in the surface. */
  readonly facet: number;
  /** 1 if it is counter-clockwise in the projection, −1 if it is clockwise. */
  readonly orientation: 1 | -1;
}

/** A triangle of a cluster, its corners counter-clockwise in the projection. */
interface ClusterTriangle {
  readonly corners: readonly [number, number, number];
  /** Number of facets that cover it. Facets with orientation −1 count −1. */
  readonly multiplicity: number;
}

/** Triangulates the facets of a cluster along its points and its segments, which must be split before. */
export function triangulateCluster(
  { facets, projection, points, segments, lines }: CoplanarCluster,
  set: PointSet,
  grid: IntegerGrid,
  progress: Progress,
): ClusterTriangle[] {
  const indices = [...points].sort((a, b) => a - b);
  const local = indices.map((index) => set.all[index]);
  const localOf = (index: number): number => lowerBound(indices, index);
  const edges = segments.map(({ ends: [a, b] }) => [localOf(a), localOf(b)] as const);
  const localLines = lines.filter(({ length }) => length > 2).map((line) => line.map(localOf));
  const triangles = constrainedDelaunay(
    projection,
    local,
    edges,
    localLines,
    grid,
    progress.part(0, TRIANGULATED_SHARE),
  );
  const finding = progress.part(TRIANGULATED_SHARE, 1);
  const covering = coveringFacets(facets, projection, lines, set);
  return triangles.flatMap((triangle, i): ClusterTriangle[] => {
    if (i % TRIANGLES_PER_REPORT === TRIANGLES_PER_REPORT - 1) {
      finding.report(i / triangles.length, TRIANGLES_PER_REPORT * (STEPS_PER_TRIANGLE + facets.length));
    }
    const [a, b, c] = triangle;
    const corners = [indices[a], indices[b], indices[c]] as const;
    // All triangles in the plane of a single facet are in that facet.
    const around = facets.length === 1 ? facets : covering(corners);
    if (around.length === 0) return [];
    return [{ corners, multiplicity: around.reduce((sum, { orientation }) => sum + orientation, 0) }];
  });
}

/**
 * Returns a look-up of the facets of a cluster that cover a triangle. The triangle must not cross their edges. The first of `lines`
 * have the points on these edges, three lines for each facet: these points need no exact predicate.
 */
function coveringFacets(
  facets: readonly ClusterFacet[],
  projection: PlaneProjection,
  lines: readonly (readonly number[])[],
  { all }: PointSet,
): (corners: readonly [number, number, number]) => ClusterFacet[] {
  const { right, up } = projection;
  const boxes = Float64Array.from(facets.flatMap(({ exact: { corners } }) => boxAround(projection, corners)));
  const onEdge = lines.slice(0, 3 * facets.length).map((line) => new Set(line));
  const isCovered = (index: number, corner: number): boolean => {
    const { exact, orientation } = facets[index];
    return [0, 1, 2].every((k) => {
      if (onEdge[3 * index + k].has(corner)) return true;
      return orientation * orient2d(projection, exact.corners[k], exact.corners[(k + 1) % 3], all[corner]) >= 0;
    });
  };
  return (corners) => {
    const [p, q, r] = corners.map((corner) => all[corner].mm);
    const left = Math.min(p[right], q[right], r[right]);
    const bottom = Math.min(p[up], q[up], r[up]);
    const rightmost = Math.max(p[right], q[right], r[right]);
    const top = Math.max(p[up], q[up], r[up]);
    const found: ClusterFacet[] = [];
    for (let index = 0, at = 0; index < facets.length; index++, at += 4) {
      if (left < boxes[at] || bottom < boxes[at + 1] || rightmost > boxes[at + 2] || top > boxes[at + 3]) continue;
      if (corners.every((corner) => isCovered(index, corner))) found.push(facets[index]);
    }
    return found;
  };
}

/** Left, bottom, right and top of the box of points, mm. */
const boxAround = ({ right, up }: PlaneProjection, points: readonly ExactPoint[]): number[] => [
  Math.min(...points.map(({ mm }) => mm[right])),
  Math.min(...points.map(({ mm }) => mm[up])),
  Math.max(...points.map(({ mm }) => mm[right])),
  Math.max(...points.map(({ mm }) => mm[up])),
];
