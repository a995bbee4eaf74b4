import { facetOf, nextHalfedge } from "../../geometry/halfedge.ts";
import type { Progress } from "../../core/progress.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { cross, dot, exactLength, subtract, triangleCentroid } from "../../geometry/vector.ts";
import { bodiesOf } from "../../mesh/bodies.ts";
import type { WindingField } from "../../mesh/bvh/fast-winding-number.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { cornersOf, facetNormal, type Surface, triangleCount, vertexAt, vertexCount } from "../../mesh/mesh.ts";
import type { MeshArrangement } from "./arrange.ts";

const GROUPS_PER_REPORT = 16;

/** Shares of the progress at which the cut bodies, the patches, their largest pieces and their groups are known. Estimates. */
const SHARES = { bodies: 0.1, patches: 0.2, largest: 0.3, groups: 0.4 };

/**
 * The boundary of the points with a winding number of at least 1, from an arrangement. A piece with such points behind it and none in
 * front is kept, a piece with the opposite is flipped. Bodies that are not cut stay unchanged.
 */
export function extractOuterHull(
  surface: Surface,
  arrangement: MeshArrangement,
  windingNumberAt: WindingField,
  progress: Progress,
): Surface {
  const { multiplicity, sourceFacetsOf } = arrangement;
  const isBodyCut = cutBodyTest(surface, arrangement);
  progress.report(SHARES.bodies);
  const patchOf = patchesOf(arrangement);
  progress.report(SHARES.patches);
  const squaredAreas = Float64Array.from(patchOf, (_, piece) => {
    const normal = facetNormal(arrangement, piece);
    return dot(normal, normal);
  });
  const largestPieceOf = largestPieces(patchOf, squaredAreas);
  progress.report(SHARES.largest);
  /** For each patch 1 to keep it, −1 to flip it, 0 to remove it. */
  const orientation = new Int8Array(patchOf.length);
  const groups = patchWindings(surface, arrangement, patchOf);
  const orienting = progress.part(SHARES.groups, 1);
  groups.forEach((group, i) => {
    if (i % GROUPS_PER_REPORT === 0) orienting.report(i / groups.length);
    // The winding number is evaluated at one large piece of a group. The winding numbers at its other patches follow from it.
    const [patch, reference] = [...group].reduce((largest, next) =>
      squaredAreas[largestPieceOf[next[0]]] > squaredAreas[largestPieceOf[largest[0]]] ? next : largest,
    );
    const piece = largestPieceOf[patch];
    if (!isBodyCut(sourceFacetsOf(piece)[0])) {
      orientation[patch] = 1;
      return;
    }
    const inFront = windingInFront(arrangement, piece, windingNumberAt);
    for (const [other, winding] of group) {
      const front = inFront + winding - reference;
      const behind = front + multiplicity[largestPieceOf[other]];
      orientation[other] = front <= 0 && behind > 0 ? 1 : front > 0 && behind <= 0 ? -1 : 0;
    }
  });
  return orientedPieces(arrangement, patchOf, orientation);
}

/**
 * The winding number in front of a piece. Without the facets of the piece, the winding number at its centroid is the mean of those in
 * front and behind.
 */
function windingInFront(arrangement: MeshArrangement, piece: number, windingNumberAt: WindingField): number {
  const [first, ...more] = arrangement.sourceFacetsOf(piece);
  const isSource = (facet: number): boolean => facet === first || more.includes(facet);
  const centroid = triangleCentroid(...cornersOf(arrangement, piece));
  return Math.round(windingNumberAt(centroid, isSource) - arrangement.multiplicity[piece] / 2);
}

/** The pieces of the patches with orientation 1, and flipped the pieces of patches with orientation −1. */
function orientedPieces(arrangement: MeshArrangement, patchOf: Uint32Array, orientation: Int8Array): Surface {
  const { vertices, triangles } = arrangement;
  const kept: number[] = [];
  for (let piece = 0; piece < patchOf.length; piece++) {
    const [a, b, c] = [triangles[3 * piece], triangles[3 * piece + 1], triangles[3 * piece + 2]];
    if (orientation[patchOf[piece]] === 1) kept.push(a, b, c);
    else if (orientation[patchOf[piece]] === -1) kept.push(a, c, b);
  }
  return { vertices, triangles: Uint32Array.from(kept) };
}

/** Returns a test of a facet of the surface: whether any facet of its body was cut. */
function cutBodyTest(surface: Surface, arrangement: MeshArrangement): (facet: number) => boolean {
  const { multiplicity, sourceFacetsOf } = arrangement;
  const { bodyOf, count } = bodiesOf(surface);
  const missing = new Uint32Array(count);
  for (const body of bodyOf) missing[body]++;
  for (let piece = 0; piece < triangleCount(arrangement); piece++) {
    const sources = sourceFacetsOf(piece);
    if (sources.length === 1 && multiplicity[piece] === 1) missing[bodyOf[sources[0]]]--;
  }
  return (facet) => missing[bodyOf[facet]] !== 0;
}

/**
 * The patch of each piece, named after its first piece. A patch is a set of pieces connected by edges of two pieces. The winding
 * number in front of a patch is the same everywhere, and so is the winding number behind it.
 */
function patchesOf(arrangement: MeshArrangement): Uint32Array {
  const { triangles, multiplicity } = arrangement;
  const { halfedges, runs } = edgesOf(triangles, vertexCount(arrangement));
  const sets = newDisjointSets(triangleCount(arrangement));
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const [one, other] = [halfedges[runs[edge]], halfedges[runs[edge] + 1]];
    const [first, second] = [facetOf(one), facetOf(other)];
    if (triangles[one] !== triangles[other] && multiplicity[first] === multiplicity[second]) sets.join(first, second);
  }
  return Uint32Array.from({ length: triangleCount(arrangement) }, (_, piece) => sets.find(piece));
}

/** The largest piece of each patch. */
function largestPieces(patchOf: Uint32Array, squaredAreas: Float64Array): Uint32Array {
  const largest = Uint32Array.from(patchOf);
  for (let piece = 0; piece < patchOf.length; piece++) {
    const patch = patchOf[piece];
    if (squaredAreas[piece] > squaredAreas[largest[patch]]) largest[patch] = piece;
  }
  return largest;
}

/** The winding numbers in front of patches, relative to that of the first patch. */
type PatchWindings = ReadonlyMap<number, number>;

/** The edge of a cut is parallel to both facets. With a smaller cosine, rounding has changed its direction too much. */
const MIN_ALIGNED_COSINE = 0.99;

/** A cut between two patches. `difference` is that of the winding numbers in front of them. */
interface Crossing {
  readonly to: number;
  readonly difference: number;
}

/**
 * Propagates relative winding numbers from patch to patch across cuts, where two facets intersect. Returns groups of connected
 * patches, named as in `patchOf`. Each patch is in one group.
 */
export function patchWindings(surface: Surface, arrangement: MeshArrangement, patchOf: Uint32Array): PatchWindings[] {
  const crossings = crossingsOf(surface, arrangement, patchOf);
  const groups: Map<number, number>[] = [];
  const isReached = new Uint8Array(patchOf.length);
  for (const first of patchOf) {
    if (isReached[first] === 1) continue;
    isReached[first] = 1;
    const group = new Map([[first, 0]]);
    for (const [patch, winding] of group) {
      for (const { to, difference } of crossings.get(patch) ?? []) {
        if (isReached[to] === 1) continue;
        isReached[to] = 1;
        group.set(to, winding + difference);
      }
    }
    groups.push(group);
  }
  return groups;
}

/** The crossings from each patch to others. They are at edges of four pieces, where two facets cut each other in two. */
function crossingsOf(surface: Surface, arrangement: MeshArrangement, patchOf: Uint32Array): Map<number, Crossing[]> {
  const { triangles, multiplicity, sourceFacetsOf } = arrangement;
  const { halfedges, runs } = edgesOf(triangles, vertexCount(arrangement));
  const crossings = new Map<number, Crossing[]>();
  const add = (from: number, crossing: Crossing): void => {
    const known = crossings.get(from);
    if (known) known.push(crossing);
    else crossings.set(from, [crossing]);
  };
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 4) continue;
    const uses = [...halfedges.subarray(runs[edge], runs[edge + 1])];
    const pieces = uses.map(facetOf);
    if (pieces.some((piece) => multiplicity[piece] !== 1 || sourceFacetsOf(piece).length !== 1)) continue;
    const sources = pieces.map((piece) => sourceFacetsOf(piece)[0]);
    const [one, other] = [sources[0], sources.find((source) => source !== sources[0])];
    if (other === undefined || sources.filter((source) => source === one).length !== 2) continue;
    if (sources.filter((source) => source === other).length !== 2) continue;
    const line = cross(facetNormal(surface, one), facetNormal(surface, other));
    // Negative for a piece behind the other facet: there the winding number is greater by 1.
    const cosines = uses.map((halfedge, i) => {
      const from = vertexAt(arrangement, triangles[halfedge]);
      const direction = subtract(vertexAt(arrangement, triangles[nextHalfedge(halfedge)]), from);
      const cosine = dot(direction, line) / (exactLength(direction) * exactLength(line));
      return sources[i] === one ? -cosine : cosine;
    });
    if (!cosines.every((cosine) => Math.abs(cosine) > MIN_ALIGNED_COSINE)) continue;
    for (let i = 1; i < 4; i++) {
      const difference = Number(cosines[i] < 0) - Number(cosines[0] < 0);
      const [from, to] = [patchOf[pieces[0]], patchOf[pieces[i]]];
      add(from, { to, difference });
      add(to, { to: from, difference: -difference });
    }
  }
  return crossings;
}
