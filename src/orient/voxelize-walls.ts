import type { PartVoxels } from "./part-voxels.ts";
import type { PartSurface } from "./part-surface.ts";

/** A line that misses a facet by less than this many voxels hits it: rounding may put it on either side of an edge. */
const SLACK_VOXELS = 1e-9;

/**
 * 6-separating voxelization of a surface (Laine 2013, "A topological approach to voxelization"): marks with `value` the voxels in
 * which a facet hits an axis-parallel line through the centres of voxels. These are the thinnest walls that no path of steps between
 * neighbouring voxels crosses. The voxels of all vertices are marked too, so that walls are closed where facets smaller than a voxel
 * are missing.
 */
export function voxelizeWalls(voxels: PartVoxels, surface: PartSurface, value: number): void {
  const { kinds, columns, rows } = voxels;
  const { triangles } = surface;
  const places = voxelCoordinates(surface, voxels);
  for (let at = 0; at < places.length; at += 3) {
    kinds[
      roundPositive(places[at]) + columns * (roundPositive(places[at + 1]) + rows * roundPositive(places[at + 2]))
    ] = value;
  }
  const axes = [1, columns, columns * rows].map((stride, i) => ({ i, stride }));
  for (let corner = 0; corner < triangles.length; corner += 3) {
    const a = 3 * triangles[corner];
    const b = 3 * triangles[corner + 1];
    const c = 3 * triangles[corner + 2];
    const alongX = containsInteger(places[a], places[b], places[c]);
    const alongY = containsInteger(places[a + 1], places[b + 1], places[c + 1]);
    const alongZ = containsInteger(places[a + 2], places[b + 2], places[c + 2]);
    const [x, y, z] = axes;
    if (alongY && alongZ) markCrossings(kinds, value, places, a, b, c, y, z, x);
    if (alongZ && alongX) markCrossings(kinds, value, places, a, b, c, z, x, y);
    if (alongX && alongY) markCrossings(kinds, value, places, a, b, c, x, y, z);
  }
}

/** Whether the range of three numbers contains an integer. */
const containsInteger = (a: number, b: number, c: number): boolean =>
  Math.floor(Math.max(a, b, c) + SLACK_VOXELS) >= Math.min(a, b, c) - SLACK_VOXELS;

/** x, y, z of each vertex in voxels along the axes of the frame: integers are the centres of voxels. */
function voxelCoordinates({ vertices }: PartSurface, { frame, origin, voxelMm }: PartVoxels): Float64Array {
  const places = new Float64Array(vertices.length);
  const [a, b, c, d, e, f, g, h, i] = frame.map((value) => value / voxelMm);
  const [x0, y0, z0] = origin.map((first) => first / voxelMm);
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

/** Rounds a positive number to the nearest integer. */
const roundPositive = (place: number): number => (place + 0.5) | 0;

interface GridAxis {
  /** 0, 1, 2 for x, y, z. */
  readonly i: number;
  /** Index difference of neighbouring voxels along the axis. */
  readonly stride: number;
}

/** Marks the voxels in which lines along `height` hit the facet with the corners at a, b and c. */
function markCrossings(
  kinds: Uint8Array,
  value: number,
  places: Float64Array,
  a: number,
  b: number,
  c: number,
  across: GridAxis,
  along: GridAxis,
  height: GridAxis,
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
  // A facet parallel to the lines hits none; its neighbours are hit at their common edges.
  if (area === 0) return;
  const perX = (z1 * y2 - y1 * z2) / area;
  const perY = (x1 * z2 - z1 * x2) / area;
  const bottom = Math.min(0, z1, z2);
  const top = Math.max(0, z1, z2);
  const last = Math.floor(y0 + y2 + SLACK_VOXELS);
  for (let row = Math.ceil(y0 - SLACK_VOXELS); row <= last; row++) {
    const y = Math.min(y2, Math.max(0, row - y0));
    const p = (x2 * y) / y2;
    const q = y < y1 ? (x1 * y) / y1 : y2 > y1 ? x1 + ((x2 - x1) * (y - y1)) / (y2 - y1) : x1;
    const end = Math.floor(x0 + Math.max(p, q) + SLACK_VOXELS);
    for (let column = Math.ceil(x0 + Math.min(p, q) - SLACK_VOXELS); column <= end; column++) {
      const z = perX * (column - x0) + perY * y;
      const level = roundPositive(z0 + Math.min(top, Math.max(bottom, z)));
      kinds[column * across.stride + row * along.stride + level * height.stride] = value;
    }
  }
}
