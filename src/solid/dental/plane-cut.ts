import { nextHalfedge } from "../../geometry/halfedge.ts";
import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { filterFacets, flipFacets, vertexAt } from "../../mesh/mesh.ts";

/** The facets of a surface above a horizontal plane, in scene coordinates. */
export interface TrimmedSurface {
  /** x, y, z of the vertices of the surface, then of those on the cut. */
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  /** 1 for each vertex on the plane. */
  readonly isOnPlane: Uint8Array;
}

/** A vertex this close to the plane counts as on it, so that the cut leaves no slivers there. */
const ON_PLANE_MM = 1e-4;

const FACETS_PER_REPORT = 65_536;

/**
 * Removes everything below the plane z = `heightMm`, and facets in it. Facets that the plane does not cross keep their vertices. Each
 * edge is cut once, so facets that were connected stay connected.
 */
export function trimBelow(
  vertices: Float64Array,
  triangles: Uint32Array,
  heightMm: number,
  progress: Progress,
): TrimmedSurface {
  const count = vertices.length / 3;
  const sides = Int8Array.from({ length: count }, (_, i) => planeSide(vertices[3 * i + 2] - heightMm));
  const added: number[] = [];
  const cutVertices = new Map<number, number>();
  const cutEdge = (a: number, b: number): number => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * count + high;
    const known = cutVertices.get(key);
    if (known !== undefined) return known;
    const share = (heightMm - vertices[3 * low + 2]) / (vertices[3 * high + 2] - vertices[3 * low + 2]);
    const between = (axis: number): number =>
      vertices[3 * low + axis] + share * (vertices[3 * high + axis] - vertices[3 * low + axis]);
    added.push(between(0), between(1), heightMm);
    const vertex = count + added.length / 3 - 1;
    cutVertices.set(key, vertex);
    return vertex;
  };
  const kept: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) progress.report(at / triangles.length);
    const corners = [triangles[at], triangles[at + 1], triangles[at + 2]];
    if (corners.every((corner) => sides[corner] <= 0)) continue;
    const polygon = corners.every((corner) => sides[corner] >= 0) ? corners : clipTriangle(corners, sides, cutEdge);
    for (let i = 2; i < polygon.length; i++) kept.push(polygon[0], polygon[i - 1], polygon[i]);
  }
  const all = new Float64Array(vertices.length + added.length);
  all.set(vertices);
  all.set(added, vertices.length);
  return {
    vertices: all,
    triangles: Uint32Array.from(kept),
    isOnPlane: Uint8Array.from({ length: all.length / 3 }, (_, i) => (i >= count || sides[i] === 0 ? 1 : 0)),
  };
}

const planeSide = (mm: number): -1 | 0 | 1 => (mm > ON_PLANE_MM ? 1 : mm < -ON_PLANE_MM ? -1 : 0);

/** The corners of the part of a facet above the plane. */
function clipTriangle(
  corners: readonly number[],
  sides: Int8Array,
  cutEdge: (a: number, b: number) => number,
): number[] {
  return corners.flatMap((corner, i) => {
    const next = corners[(i + 1) % 3];
    const kept = sides[corner] >= 0 ? [corner] : [];
    return sides[corner] * sides[next] < 0 ? [...kept, cutEdge(corner, next)] : kept;
  });
}

/** A connected component of a trimmed surface. */
interface SurfaceComponent {
  /** Volume enclosed by the piece and the plane of the cut; negative for the wall of a cavity. */
  volumeMm3: number;
  /** The vertex farthest from the plane. */
  top: number;
}

interface KeptPieces {
  readonly trimmed: TrimmedSurface;
  /** Number of pieces left out. */
  readonly dropped: number;
}

/**
 * The largest piece of a trimmed surface with its cavities, or all pieces, facing outward. Source of the volumes: the
 * divergence theorem about a point of the plane, to which the open side contributes nothing.
 */
export function keepPieces(
  trimmed: TrimmedSurface,
  heightMm: number,
  keepsAll: boolean,
  progress: Progress,
): KeptPieces {
  progress.report(0);
  const { pieces, pieceOf } = connectedPieces(trimmed, heightMm);
  const facesInward = pieces.reduce((sum, { volumeMm3 }) => sum + volumeMm3, 0) < 0;
  const sizeOf = ({ volumeMm3 }: SurfaceComponent): number => (facesInward ? -volumeMm3 : volumeMm3);
  const solids = pieces.filter((piece) => sizeOf(piece) > 0);
  // Only open sheets, which have no base.
  if (solids.length === 0) return { trimmed: { ...trimmed, triangles: new Uint32Array() }, dropped: 0 };
  const largest = solids.reduce((most, piece) => (sizeOf(piece) > sizeOf(most) ? piece : most), solids[0]);
  const walls = keepsAll ? [] : pieces.filter((piece) => sizeOf(piece) <= 0);
  const isLargest = (facet: number): boolean => pieces[pieceOf[facet]] === largest;
  const kept = new Set(keepsAll ? pieces : [largest, ...piecesInside(trimmed, walls, isLargest, progress)]);
  const facets = filterFacets(trimmed, (facet) => kept.has(pieces[pieceOf[facet]]));
  const { triangles } = flipFacets(facets, () => facesInward);
  return { trimmed: { ...trimmed, triangles }, dropped: keepsAll ? 0 : Math.max(0, solids.length - 1) };
}

function connectedPieces(
  { vertices, triangles }: TrimmedSurface,
  heightMm: number,
): { pieces: SurfaceComponent[]; pieceOf: Uint32Array } {
  const sets = newDisjointSets(vertices.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const pieces: SurfaceComponent[] = [];
  const indices = new Map<number, number>();
  const pieceOf = new Uint32Array(triangles.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    const root = sets.find(triangles[at]);
    let index = indices.get(root);
    if (index === undefined) {
      index = pieces.length;
      indices.set(root, index);
      pieces.push({ volumeMm3: 0, top: triangles[at] });
    }
    pieceOf[at / 3] = index;
    const piece = pieces[index];
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    piece.volumeMm3 += tetrahedronVolume(vertices, a, b, c, heightMm);
    for (const vertex of triangles.subarray(at, at + 3))
      if (vertices[3 * vertex + 2] > vertices[3 * piece.top + 2]) piece.top = vertex;
  }
  return { pieces, pieceOf };
}

/** Signed volume between a facet and the point of the plane z = `heightMm` on the z axis. */
function tetrahedronVolume(vertices: Float64Array, a: number, b: number, c: number, heightMm: number): number {
  const [az, bz, cz] = [vertices[a + 2] - heightMm, vertices[b + 2] - heightMm, vertices[c + 2] - heightMm];
  return (
    (vertices[a] * (vertices[b + 1] * cz - bz * vertices[c + 1]) +
      vertices[a + 1] * (bz * vertices[c] - vertices[b] * cz) +
      az * (vertices[b] * vertices[c + 1] - vertices[b + 1] * vertices[c])) /
    6
  );
}

/** The pieces inside the surface of the facets for which `isOuter` holds. */
function piecesInside(
  trimmed: TrimmedSurface,
  pieces: readonly SurfaceComponent[],
  isOuter: (facet: number) => boolean,
  progress: Progress,
): readonly SurfaceComponent[] {
  if (pieces.length === 0) return pieces;
  const bvh = buildBvh(filterFacets(trimmed, isOuter), progress);
  // `windingNumber` counts the facets above a point, where the cut has removed nothing.
  return pieces.filter(({ top }) => windingNumber(bvh, vertexAt(trimmed, top)) !== 0);
}

/** The boundary of a trimmed surface. */
interface CutContours {
  /** Vertices of the closed loops in the plane of the cut. The solid is to their left, seen from above. */
  readonly contours: readonly (readonly number[])[];
  /** Number of boundary edges above the cut: rims of holes. */
  readonly openEdges: number;
}

type DirectedEdge = readonly [from: number, to: number];

/** Throws OPERATION_FAILED if a boundary in the plane of the cut does not close. */
export function findContours(trimmed: TrimmedSurface): CutContours {
  const { vertices, triangles, isOnPlane } = trimmed;
  const boundary = boundaryEdges(triangles, vertices.length / 3);
  const inPlane = boundary.filter(([from, to]) => isOnPlane[from] === 1 && isOnPlane[to] === 1);
  return { contours: chainEdges(inPlane, trimmed), openEdges: boundary.length - inPlane.length };
}

/** The directed edges of facets without an opposite one. */
function boundaryEdges(triangles: Uint32Array, vertexCount: number): DirectedEdge[] {
  const { halfedges, far, runs } = edgesOf(triangles, vertexCount);
  const boundary: DirectedEdge[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    // The number of facets that traverse the edge toward its far end, less those that traverse it back.
    let balance = 0;
    for (let i = runs[edge]; i < runs[edge + 1]; i++) balance += triangles[halfedges[i]] === far[i] ? -1 : 1;
    if (balance === 0) continue;
    const side = Array.from(halfedges.subarray(runs[edge], runs[edge + 1])).find(
      (halfedge) => (triangles[halfedge] === far[runs[edge]] ? -1 : 1) === Math.sign(balance),
    )!;
    for (let i = 0; i < Math.abs(balance); i++) boundary.push([triangles[side], triangles[nextHalfedge(side)]]);
  }
  return boundary;
}

function chainEdges(edges: readonly DirectedEdge[], { vertices }: TrimmedSurface): number[][] {
  const successors = new Map<number, number[]>();
  for (const [from, to] of edges) {
    const known = successors.get(from);
    if (known) known.push(to);
    else successors.set(from, [to]);
  }
  const loops: number[][] = [];
  for (const [start] of edges) {
    while (successors.get(start)?.length) {
      const loop = [start];
      let at = start;
      for (let before = -1; ;) {
        const choices = successors.get(at);
        if (!choices?.length) throw openContourError();
        const next = choices.length === 1 ? choices.pop()! : takeLeftmost(choices, before, at, vertices);
        if (next === start) break;
        loop.push(next);
        [before, at] = [at, next];
      }
      loops.push(loop);
    }
  }
  return loops;
}

/** Where contours touch at a vertex, each follows the solid on its left. */
function takeLeftmost(choices: number[], before: number, at: number, vertices: Float64Array): number {
  if (before < 0) return choices.pop()!;
  const angleTo = (to: number): number =>
    Math.atan2(vertices[3 * to + 1] - vertices[3 * at + 1], vertices[3 * to] - vertices[3 * at]);
  const back = angleTo(before);
  // The angle clockwise from the edge back.
  const turnTo = (to: number): number => (back - angleTo(to) + 4 * Math.PI) % (2 * Math.PI);
  const best = choices.reduce((least, to, i) => (turnTo(to) < turnTo(choices[least]) ? i : least), 0);
  return choices.splice(best, 1)[0];
}

const openContourError = (): Error =>
  operationFailed(
    "the cut meets its open rim, so its outline does not close. Cut higher, or repair the model first with /v1/scene/model/repair/.",
  );
