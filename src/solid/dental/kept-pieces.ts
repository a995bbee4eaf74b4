import type { Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { flipFacets } from "../../mesh/repair/flip-facets.ts";
import { keepFacets } from "../../mesh/repair/keep-facets.ts";
import type { Trimmed } from "./trim.ts";

/** Facets that are joined through shared corners. */
interface Piece {
  /** What it encloses together with the plane of the cut; negative for the wall of a cavity. */
  volumeMm3: number;
  /** The vertex that is farthest from the plane. */
  top: number;
}

export interface KeptPieces {
  readonly trimmed: Trimmed;
  /** How many pieces were left out. */
  readonly dropped: number;
}

/**
 * The largest piece of a trimmed surface with the cavities in it, or all of its pieces, facing outward. Source of the volumes:
 * the divergence theorem about a point of the plane, to which the open side adds nothing.
 */
export function keptPieces(trimmed: Trimmed, heightMm: number, keepsAll: boolean, watch: Watch): KeptPieces {
  watch.report(0);
  const { pieces, pieceOf } = piecesOf(trimmed, heightMm);
  const facesInward = pieces.reduce((sum, { volumeMm3 }) => sum + volumeMm3, 0) < 0;
  const sizeOf = ({ volumeMm3 }: Piece): number => (facesInward ? -volumeMm3 : volumeMm3);
  const solids = pieces.filter((piece) => sizeOf(piece) > 0);
  // A sheet, or scraps of one: nothing that a base could carry.
  if (solids.length === 0) return { trimmed: { ...trimmed, triangles: new Uint32Array() }, dropped: 0 };
  const largest = solids.reduce((most, piece) => (sizeOf(piece) > sizeOf(most) ? piece : most), solids[0]);
  const walls = keepsAll ? [] : pieces.filter((piece) => sizeOf(piece) <= 0);
  const isLargest = (facet: number): boolean => pieces[pieceOf[facet]] === largest;
  const kept = new Set(keepsAll ? pieces : [largest, ...within(trimmed, walls, isLargest, watch)]);
  const facets = keepFacets(trimmed, (facet) => kept.has(pieces[pieceOf[facet]]));
  const { triangles } = flipFacets(facets, () => facesInward);
  return { trimmed: { ...trimmed, triangles }, dropped: keepsAll ? 0 : Math.max(0, solids.length - 1) };
}

function piecesOf({ vertices, triangles }: Trimmed, heightMm: number): { pieces: Piece[]; pieceOf: Uint32Array } {
  const sets = newDisjointSets(vertices.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const pieces: Piece[] = [];
  const numbers = new Map<number, number>();
  const pieceOf = new Uint32Array(triangles.length / 3);
  for (let at = 0; at < triangles.length; at += 3) {
    const root = sets.find(triangles[at]);
    let number = numbers.get(root);
    if (number === undefined) {
      number = pieces.length;
      numbers.set(root, number);
      pieces.push({ volumeMm3: 0, top: triangles[at] });
    }
    pieceOf[at / 3] = number;
    const piece = pieces[number];
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    piece.volumeMm3 += coneVolume(vertices, a, b, c, heightMm);
    for (const vertex of triangles.subarray(at, at + 3))
      if (vertices[3 * vertex + 2] > vertices[3 * piece.top + 2]) piece.top = vertex;
  }
  return { pieces, pieceOf };
}

/** Between a facet and the point of the plane z = `heightMm` above the origin. */
function coneVolume(vertices: Float64Array, a: number, b: number, c: number, heightMm: number): number {
  const [az, bz, cz] = [vertices[a + 2] - heightMm, vertices[b + 2] - heightMm, vertices[c + 2] - heightMm];
  return (
    (vertices[a] * (vertices[b + 1] * cz - bz * vertices[c + 1]) +
      vertices[a + 1] * (bz * vertices[c] - vertices[b] * cz) +
      az * (vertices[b] * vertices[c + 1] - vertices[b + 1] * vertices[c])) /
    6
  );
}

/** Those of the pieces that lie within another one. */
function within(
  trimmed: Trimmed,
  pieces: readonly Piece[],
  isOther: (facet: number) => boolean,
  watch: Watch,
): readonly Piece[] {
  if (pieces.length === 0) return pieces;
  const tree = facetTree(keepFacets(trimmed, isOther), watch);
  const pointAt = (vertex: number): Vec3 => {
    const [x, y, z] = trimmed.vertices.subarray(3 * vertex, 3 * vertex + 3);
    return [x, y, z];
  };
  // The winding number counts what is above a place, where the cut has taken nothing away.
  return pieces.filter(({ top }) => windingNumber(tree, pointAt(top)) !== 0);
}
