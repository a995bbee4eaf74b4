import type { Watch } from "../../core/watch.ts";
import { type Surface, triangleCount } from "../../mesh/mesh.ts";

/** So many pieces more than facets at most; beyond, sides stay longer. */
const MOST_MORE = 500_000;

/**
 * The same surface in facets none of whose sides is longer than `longestMm`, or not by much where that would be too many:
 * boxes around long facets that lie askew hold little but air. Facets are halved at their longest side, and each side by
 * itself, so that neighbours go on sharing corners to the bit.
 */
export function withShortSides(surface: Surface, longestMm: number, watch: Watch): Surface {
  let sideMm = longestMm;
  let more = piecesMore(surface, sideMm);
  for (; more > MOST_MORE; more = piecesMore(surface, sideMm)) sideMm *= 2;
  return more === 0 ? surface : halved(surface, sideMm * sideMm, watch);
}

/** About so many pieces come out of the facets that are too long, less these. */
function piecesMore({ vertices, triangles }: Surface, sideMm: number): number {
  let pieces = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    const longest = Math.sqrt(Math.max(square(vertices, a, b), square(vertices, b, c), square(vertices, c, a)));
    if (longest <= sideMm) continue;
    const width = doubleArea(vertices, a, b, c) / longest;
    // Halves of a side too long are between once and half as long as it may be.
    pieces += (2 * longest * (1 + width / sideMm)) / sideMm;
  }
  return pieces;
}

function halved(surface: Surface, longestSquare: number, watch: Watch): Surface {
  const vertices = Array.from(surface.vertices);
  const triangles: number[] = [];
  const halve = (a: number, b: number, c: number): void => {
    const ab = square(vertices, a, b);
    const bc = square(vertices, b, c);
    const ca = square(vertices, c, a);
    const longest = Math.max(ab, bc, ca);
    if (longest <= longestSquare) triangles.push(a / 3, b / 3, c / 3);
    else if (ab === longest) halveSide(a, b, c);
    else if (bc === longest) halveSide(b, c, a);
    else halveSide(c, a, b);
  };
  const halveSide = (from: number, to: number, apex: number): void => {
    const middle = vertices.length;
    for (let axis = 0; axis < 3; axis++) vertices.push((vertices[from + axis] + vertices[to + axis]) / 2);
    halve(from, middle, apex);
    halve(middle, to, apex);
  };
  const count = triangleCount(surface);
  for (let facet = 0; facet < count; facet++) {
    watch.report(facet / count);
    const [a, b, c] = surface.triangles.subarray(3 * facet, 3 * facet + 3);
    halve(3 * a, 3 * b, 3 * c);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Of the distance of two vertices, by where their coordinates start. */
function square(vertices: ArrayLike<number>, a: number, b: number): number {
  const x = vertices[b] - vertices[a];
  const y = vertices[b + 1] - vertices[a + 1];
  const z = vertices[b + 2] - vertices[a + 2];
  return x * x + y * y + z * z;
}

function doubleArea(vertices: ArrayLike<number>, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [0, 1, 2].map((axis) => vertices[b + axis] - vertices[a + axis]);
  const [vx, vy, vz] = [0, 1, 2].map((axis) => vertices[c + axis] - vertices[a + axis]);
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return Math.sqrt(x * x + y * y + z * z);
}
