import { previousHalfedge } from "../geometry/halfedge.ts";
import { memoize } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { bodiesOf } from "./bodies.ts";
import { invertedBodies } from "./body-nesting.ts";
import { type Edges, edgesOf, hasRepeatedCorner } from "./edges.ts";
import { type Mesh, type Surface, isDegenerateFacet, triangleCount, vertexCount } from "./mesh.ts";

/** Counts of the topological defects of a mesh. */
export interface MeshReport {
  /** Edges of one facet only: the boundaries of holes. */
  readonly openEdges: number;
  /** Edges of more than two facets. */
  readonly nonManifoldEdges: number;
  /** Edges whose two facets use them in the same direction: one of the two facets is flipped. */
  readonly misorientedEdges: number;
  /** Facets without area, including those with a repeated corner. */
  readonly degenerateFacets: number;
  /** Facets with a repeated corner. */
  readonly collapsedFacets: number;
  /** Facets with the same three corners, in any order, as an earlier facet. */
  readonly duplicateFacets: number;
  /** Edge-connected components; cavities count, facets with a repeated corner do not. */
  readonly bodies: number;
  /** Closed bodies that face inward and are no cavity: an even number of other closed bodies encloses them. */
  readonly invertedBodies: number;
}

export function meshReport(mesh: Mesh, progress: Progress): MeshReport {
  const facets = countDegenerateFacets(mesh);
  progress.report(0.1);
  const edges = edgesOf(mesh.triangles, vertexCount(mesh));
  progress.report(0.5);
  const edgeDefects = countEdgeDefects(mesh.triangles, edges);
  progress.report(0.7);
  const bodies = bodiesOf(mesh, edges);
  progress.report(0.8);
  const inverted = invertedBodies(mesh, edges, bodies, progress.part(0.8, 1));
  releaseArrays(edges.halfedges, edges.far, edges.runs, edges.starts, bodies.bodyOf);
  const bodyCount = bodies.count - facets.collapsedFacets;
  return { ...facets, ...edgeDefects, bodies: bodyCount, invertedBodies: inverted.length };
}

/** {@link meshReport}, computed once per mesh object: repair and its callers ask for the same reports. */
export const cachedMeshReport = memoize(meshReport);

function countDegenerateFacets(mesh: Mesh): Pick<MeshReport, "degenerateFacets" | "collapsedFacets"> {
  let degenerateFacets = 0;
  let collapsedFacets = 0;
  for (let facet = 0; facet < triangleCount(mesh); facet++) {
    if (!isDegenerateFacet(mesh, facet)) continue;
    degenerateFacets++;
    if (hasRepeatedCorner(mesh.triangles, facet)) collapsedFacets++;
  }
  return { degenerateFacets, collapsedFacets };
}

type EdgeDefects = Pick<MeshReport, "openEdges" | "nonManifoldEdges" | "misorientedEdges" | "duplicateFacets">;

function countEdgeDefects(triangles: Uint32Array, { halfedges, far, runs }: Edges): EdgeDefects {
  let openEdges = 0;
  let nonManifoldEdges = 0;
  let misorientedEdges = 0;
  let duplicateFacets = 0;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const from = runs[edge];
    const to = runs[edge + 1];
    if (to - from === 2) {
      const first = halfedges[from];
      const second = halfedges[from + 1];
      if (triangles[first] === triangles[second]) misorientedEdges++;
      // Each facet is compared only at the edge of its two smallest corners.
      const apex = triangles[previousHalfedge(first)];
      if (apex > far[from] && apex === triangles[previousHalfedge(second)]) duplicateFacets++;
    } else if (to - from === 1) {
      openEdges++;
    } else {
      nonManifoldEdges++;
      const apexes = halfedges.subarray(from, to).map((halfedge) => triangles[previousHalfedge(halfedge)]);
      const counted = apexes.filter((apex) => apex > far[from]);
      duplicateFacets += counted.length - new Set(counted).size;
    }
  }
  return { openEdges, nonManifoldEdges, misorientedEdges, duplicateFacets };
}

/**
 * The defects that need repair, in words; empty for a closed manifold. Degenerate facets, which rounding leaves in the
 * files of many programs, are harmless in a closed mesh and do not count.
 */
export function describeDefects(report: MeshReport): string[] {
  const counted: [number, string, string][] = [
    [report.openEdges, "open edge", "open edges"],
    [report.nonManifoldEdges, "non-manifold edge", "non-manifold edges"],
    [report.misorientedEdges, "edge with a facet turned over", "edges with a facet turned over"],
    [report.duplicateFacets, "duplicate facet", "duplicate facets"],
    [report.invertedBodies, "inside-out body", "inside-out bodies"],
  ];
  return counted.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
}

/** The defects that {@link checkClosedManifold} detects. */
export interface ClosedManifoldCheck {
  /** Whether there are gaps, or facets that face against their neighbours. */
  readonly isOpen: boolean;
  /** Whether a vertex-connected component faces inward: one that is inside out, or the wall of a cavity. */
  readonly hasInward: boolean;
}

/** Odd multipliers for hashing: the first two primes of xxHash32. */
const MIX_LOW = 0x9e3779b1;
const MIX_HIGH = 0x85ebca77;

const FACETS_PER_REPORT = 65_536;

/**
 * Whether a surface is closed, and faces outward, without a table of its edges: faster than {@link meshReport}, but
 * only probabilistic. Edges are summed up as hashes, so a gap is missed with a probability of about 2⁻³².
 */
export function checkClosedManifold(surface: Surface, progress: Progress): ClosedManifoldCheck {
  const { vertices, triangles } = surface;
  const sets = newDisjointSets(vertexCount(surface));
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) progress.report((0.5 * at) / triangles.length);
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const volumes = new Float64Array(vertexCount(surface));
  // The two facets of a closed edge add and subtract the same number, so a sum other than 0 means a gap.
  let balance = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) progress.report(0.5 + (0.5 * at) / triangles.length);
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    volumes[sets.find(a)] += signedVolume(vertices, a, b, c);
    balance = (balance + edgeHash(a, b) + edgeHash(b, c) + edgeHash(c, a)) | 0;
  }
  return { isOpen: balance !== 0, hasInward: volumes.some((volume) => volume < 0) };
}

/** A hash of a directed edge, negated for the opposite direction; 0 for an edge of one vertex. */
function edgeHash(from: number, to: number): number {
  if (from === to) return 0;
  if (from > to) return -edgeHash(to, from) | 0;
  let mixed = Math.imul(from, MIX_LOW) ^ Math.imul(to, MIX_HIGH);
  mixed = Math.imul(mixed ^ (mixed >>> 15), MIX_HIGH);
  return mixed ^ (mixed >>> 13);
}

/** Six times the signed volume of the tetrahedron of a facet and the origin. */
function signedVolume(vertices: Surface["vertices"], a: number, b: number, c: number): number {
  const bx = vertices[3 * b];
  const by = vertices[3 * b + 1];
  const bz = vertices[3 * b + 2];
  const cx = vertices[3 * c];
  const cy = vertices[3 * c + 1];
  const cz = vertices[3 * c + 2];
  return (
    vertices[3 * a] * (by * cz - bz * cy) +
    vertices[3 * a + 1] * (bz * cx - bx * cz) +
    vertices[3 * a + 2] * (bx * cy - by * cx)
  );
}
