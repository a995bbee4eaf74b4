import type { Watch } from "../../core/watch.ts";

/** Facets above a level plane, in scene coordinates. */
export interface Trimmed {
  /** x, y, z of the vertices of the surface, then of those that the cut made. */
  readonly vertices: Float64Array;
  readonly triangles: Uint32Array;
  /** For each vertex 1 when it lies on the plane. */
  readonly isOnPlane: Uint8Array;
}

/** A vertex that lies so near the plane counts as on it, so that the cut leaves no slivers beside it. */
const NEAR_MM = 1e-4;

const FACETS_PER_REPORT = 65_536;

/**
 * What lies above the plane z = `heightMm`. Facets that the plane does not pass through keep their corners; those that lie in
 * it go. Each edge is cut once, so what was joined stays joined.
 */
export function trim(vertices: Float64Array, triangles: Uint32Array, heightMm: number, watch: Watch): Trimmed {
  const count = vertices.length / 3;
  const sides = Int8Array.from({ length: count }, (_, i) => sideOf(vertices[3 * i + 2] - heightMm));
  const cuts: number[] = [];
  const cutOf = new Map<number, number>();
  const cut = (a: number, b: number): number => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * count + high;
    const known = cutOf.get(key);
    if (known !== undefined) return known;
    const share = (heightMm - vertices[3 * low + 2]) / (vertices[3 * high + 2] - vertices[3 * low + 2]);
    const between = (axis: number): number =>
      vertices[3 * low + axis] + share * (vertices[3 * high + axis] - vertices[3 * low + axis]);
    cuts.push(between(0), between(1), heightMm);
    const made = count + cuts.length / 3 - 1;
    cutOf.set(key, made);
    return made;
  };
  const kept: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) watch.report(at / triangles.length);
    const corners = [triangles[at], triangles[at + 1], triangles[at + 2]];
    const above = corners.filter((corner) => sides[corner] > 0).length;
    if (above === 0) continue;
    const piece = corners.every((corner) => sides[corner] >= 0) ? corners : pieceAbove(corners, sides, cut);
    for (let i = 2; i < piece.length; i++) kept.push(piece[0], piece[i - 1], piece[i]);
  }
  const all = new Float64Array(vertices.length + cuts.length);
  all.set(vertices);
  all.set(cuts, vertices.length);
  return {
    vertices: all,
    triangles: Uint32Array.from(kept),
    isOnPlane: Uint8Array.from({ length: all.length / 3 }, (_, i) => (i >= count || sides[i] === 0 ? 1 : 0)),
  };
}

const sideOf = (mm: number): -1 | 0 | 1 => (mm > NEAR_MM ? 1 : mm < -NEAR_MM ? -1 : 0);

/** The corners of a facet's part above the plane, in turn. */
function pieceAbove(corners: readonly number[], sides: Int8Array, cut: (a: number, b: number) => number): number[] {
  const piece: number[] = [];
  corners.forEach((corner, i) => {
    const next = corners[(i + 1) % 3];
    if (sides[corner] >= 0) piece.push(corner);
    if (sides[corner] * sides[next] < 0) piece.push(cut(corner, next));
  });
  return piece;
}
