import type { Part } from "../form/part.ts";
import type { Cubes } from "./cubes.ts";

/** A line that misses a facet by less than this many cubes meets it: rounding may put it on either side of an edge. */
const SLACK = 1e-9;

/**
 * Marks cubes as `value`, so that every step from the middle of a cube to that of its neighbour which crosses the surface begins
 * or ends in one that is marked: those in which a line along an axis through the middles of cubes meets a facet (Laine, "A topological
 * approach to voxelization", 2013: the thinnest wall that nothing gets through). The cubes of all corners are marked too, so that a
 * wall stays closed where facets smaller than a cube are missing.
 */
export function markWalls(cubes: Cubes, part: Part, value: number): void {
  const { kinds, columns, rows } = cubes;
  const { triangles } = part;
  const places = placesOf(part, cubes);
  for (let at = 0; at < places.length; at += 3) {
    kinds[nearest(places[at]) + columns * (nearest(places[at + 1]) + rows * nearest(places[at + 2]))] = value;
  }
  const axes = [1, columns, columns * rows].map((stride, i) => ({ i, stride }));
  for (let corner = 0; corner < triangles.length; corner += 3) {
    const a = 3 * triangles[corner];
    const b = 3 * triangles[corner + 1];
    const c = 3 * triangles[corner + 2];
    const alongX = meetsWhole(places[a], places[b], places[c]);
    const alongY = meetsWhole(places[a + 1], places[b + 1], places[c + 1]);
    const alongZ = meetsWhole(places[a + 2], places[b + 2], places[c + 2]);
    const [x, y, z] = axes;
    if (alongY && alongZ) markAlong(kinds, value, places, a, b, c, y, z, x);
    if (alongZ && alongX) markAlong(kinds, value, places, a, b, c, z, x, y);
    if (alongX && alongY) markAlong(kinds, value, places, a, b, c, x, y, z);
  }
}

/** Whether a whole number lies among three. */
const meetsWhole = (a: number, b: number, c: number): boolean =>
  Math.floor(Math.max(a, b, c) + SLACK) >= Math.min(a, b, c) - SLACK;

/** x, y, z of each vertex, counted in cubes along the axes of the frame: whole numbers are the middles of cubes. */
function placesOf({ vertices }: Part, { frame, firstMm, sideMm }: Cubes): Float64Array {
  const places = new Float64Array(vertices.length);
  const [a, b, c, d, e, f, g, h, i] = frame.map((value) => value / sideMm);
  const [x0, y0, z0] = firstMm.map((first) => first / sideMm);
  for (let at = 0; at < places.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    places[at] = a * x + b * y + c * z - x0;
    places[at + 1] = d * x + e * y + f * z - y0;
    places[at + 2] = g * x + h * y + i * z - z0;
  }
  return places;
}

/** The whole number next to a positive one. */
const nearest = (place: number): number => (place + 0.5) | 0;

interface Axis {
  /** 0, 1, 2 for x, y, z. */
  readonly i: number;
  /** From a cube to the next along it. */
  readonly stride: number;
}

/** Marks the cubes in which lines along `height` meet the facet of the corners at a, b and c. */
function markAlong(
  kinds: Uint8Array,
  value: number,
  places: Float64Array,
  a: number,
  b: number,
  c: number,
  across: Axis,
  along: Axis,
  height: Axis,
): void {
  const { i } = across;
  const { i: j } = along;
  const { i: k } = height;
  let low = a;
  let middle = b;
  let high = c;
  if (places[low + j] > places[middle + j]) [low, middle] = [middle, low];
  if (places[middle + j] > places[high + j]) [middle, high] = [high, middle];
  if (places[low + j] > places[middle + j]) [low, middle] = [middle, low];
  const x0 = places[low + i];
  const y0 = places[low + j];
  const z0 = places[low + k];
  const x1 = places[middle + i] - x0;
  const y1 = places[middle + j] - y0;
  const z1 = places[middle + k] - z0;
  const x2 = places[high + i] - x0;
  const y2 = places[high + j] - y0;
  const z2 = places[high + k] - z0;
  const area = x1 * y2 - y1 * x2;
  // Seen from its edge a facet has no middle; its neighbours are met where they end.
  if (area === 0) return;
  const perX = (z1 * y2 - y1 * z2) / area;
  const perY = (x1 * z2 - z1 * x2) / area;
  const bottom = Math.min(0, z1, z2);
  const top = Math.max(0, z1, z2);
  const last = Math.floor(y0 + y2 + SLACK);
  for (let row = Math.ceil(y0 - SLACK); row <= last; row++) {
    const y = Math.min(y2, Math.max(0, row - y0));
    const p = (x2 * y) / y2;
    const q = y < y1 ? (x1 * y) / y1 : y2 > y1 ? x1 + ((x2 - x1) * (y - y1)) / (y2 - y1) : x1;
    const end = Math.floor(x0 + Math.max(p, q) + SLACK);
    for (let column = Math.ceil(x0 + Math.min(p, q) - SLACK); column <= end; column++) {
      const z = perX * (column - x0) + perY * y;
      const level = nearest(z0 + Math.min(top, Math.max(bottom, z)));
      kinds[column * across.stride + row * along.stride + level * height.stride] = value;
    }
  }
}
