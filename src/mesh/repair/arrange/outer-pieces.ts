import type { Vec3 } from "../../../core/geometry.ts";
import type { Watch } from "../../../core/watch.ts";
import { bodiesOf } from "../../bodies.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { edgesOf, facetOf } from "../../edges.ts";
import { type Surface, triangleCount } from "../../mesh.ts";
import type { SolidAngles } from "../solid-angles.ts";
import type { Arrangement } from "./arrange.ts";

const PATCHES_PER_REPORT = 16;

/** Solid angles in less time, off by up to 0.25 in a heap of a hundred balls. */
const ROUGH_RADII = 2;
/** How far from a whole number they may be: beyond, they are worked out well. */
const SURE = 0.2;

/**
 * The boundary of what a surface goes around at least once, from its arrangement: pieces with nothing in front of them
 * and something behind, turned about where it is the other way round. Bodies that nothing cuts stay as they are.
 */
export function outerPieces(
  surface: Surface,
  arrangement: Arrangement,
  solidAngles: SolidAngles,
  watch: Watch,
): Surface {
  const { vertices, triangles, sheets, originsOf } = arrangement;
  const isTouched = touchedBodies(surface, arrangement);
  const patchOf = patchesOf(arrangement);
  const stands = largestOfEach(arrangement, patchOf);
  const turnOf = new Int8Array(patchOf.length);
  let done = 0;
  for (const [patch, piece] of stands) {
    if (done++ % PATCHES_PER_REPORT === 0) watch.report(done / stands.size);
    const origins = originsOf(piece);
    if (!isTouched(origins[0]!)) {
      turnOf[patch] = 1;
      continue;
    }
    // In the middle of a facet the facets about it go around a point half as often as behind it and in front of it.
    const [first, ...more] = origins;
    const isOrigin = (facet: number): boolean => facet === first || more.includes(facet);
    const point = middleOf(arrangement, piece);
    const rough = solidAngles(point, isOrigin, ROUGH_RADII) - sheets[piece]! / 2;
    const isSure = Math.abs(rough - Math.round(rough)) < SURE;
    const inFront = Math.round(isSure ? rough : solidAngles(point, isOrigin) - sheets[piece]! / 2);
    const behind = inFront + sheets[piece]!;
    turnOf[patch] = inFront <= 0 && behind > 0 ? 1 : inFront > 0 && behind <= 0 ? -1 : 0;
  }
  const kept: number[] = [];
  for (let piece = 0; piece < triangleCount(arrangement); piece++) {
    const turn = turnOf[patchOf[piece]!];
    const [a, b, c] = triangles.subarray(3 * piece, 3 * piece + 3) as unknown as [number, number, number];
    if (turn === 1) kept.push(a, b, c);
    else if (turn === -1) kept.push(a, c, b);
  }
  return { vertices, triangles: Uint32Array.from(kept) };
}

/** Tells of facets whether anything in their body was cut. */
function touchedBodies(surface: Surface, { triangles, sheets, originsOf }: Arrangement): (facet: number) => boolean {
  const { bodyOf, count } = bodiesOf(surface);
  const left = new Uint32Array(count);
  for (const body of bodyOf) left[body]!++;
  for (let piece = 0; piece < triangles.length / 3; piece++) {
    const origins = originsOf(piece);
    if (origins.length === 1 && sheets[piece] === 1) left[bodyOf[origins[0]!]!]!--;
  }
  return (facet) => left[bodyOf[facet]!] !== 0;
}

/** Pieces that meet at edges of two pieces, as one patch: everywhere on it there is the same in front and behind. */
function patchesOf({ vertices, triangles, sheets }: Arrangement): Uint32Array {
  const { halfEdges, runs } = edgesOf(triangles, vertices.length / 3);
  const sets = newDisjointSets(triangles.length / 3);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const [one, other] = [halfEdges[runs[edge]], halfEdges[runs[edge] + 1]];
    const [first, second] = [facetOf(one), facetOf(other)];
    if (triangles[one] !== triangles[other] && sheets[first] === sheets[second]) sets.join(first, second);
  }
  return Uint32Array.from({ length: triangles.length / 3 }, (_, piece) => sets.find(piece));
}

/** Of each patch the piece with the largest area. */
function largestOfEach(arrangement: Arrangement, patchOf: Uint32Array): Map<number, number> {
  const largest = new Map<number, number>();
  const areas = new Float64Array(patchOf.length);
  for (let piece = 0; piece < patchOf.length; piece++) {
    const area = squaredArea(arrangement, piece);
    const patch = patchOf[piece]!;
    if (largest.has(patch) && area <= areas[patch]!) continue;
    largest.set(patch, piece);
    areas[patch] = area;
  }
  return largest;
}

function squaredArea({ vertices, triangles }: Surface, piece: number): number {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * piece + k]);
  const [ux, uy, uz] = [0, 1, 2].map((axis) => vertices[b! + axis]! - vertices[a! + axis]!);
  const [vx, vy, vz] = [0, 1, 2].map((axis) => vertices[c! + axis]! - vertices[a! + axis]!);
  return (uy! * vz! - uz! * vy!) ** 2 + (uz! * vx! - ux! * vz!) ** 2 + (ux! * vy! - uy! * vx!) ** 2;
}

function middleOf({ vertices, triangles }: Surface, piece: number): Vec3 {
  const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * piece + k]);
  const middle = (axis: number): number => (vertices[a! + axis]! + vertices[b! + axis]! + vertices[c! + axis]!) / 3;
  return [middle(0), middle(1), middle(2)];
}
