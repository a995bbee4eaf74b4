import { lowerBound } from "../../geometry/binary-search.ts";
import type { EmptyLayer } from "../../geometry/pockets.ts";
import type { SpanGrid } from "../../geometry/spans.ts";
import { type Vec3, add, times } from "../../geometry/vector.ts";
import type { LayeredPart } from "./layered-part.ts";
import type { BoreRegions } from "./sealed-spaces.ts";

/** A cylinder in the scene, mm. */
export interface Cylinder {
  /** Centre of one end. */
  readonly start: Vec3;
  /** Unit vector to the other end. */
  readonly direction: Vec3;
  readonly lengthMm: number;
  readonly radiusMm: number;
}

/**
 * The regions of the empty space with a pixel in each layer of a cylinder. Layers are taken in the middle of their height; pixels belong to the cylinder
 * by their centres. In its last layer from the platform the whole bore is printed: a walk opens a space only there.
 */
export function boreRegions({ space, layers, grid }: LayeredPart, cylinder: Cylinder): BoreRegions {
  const { boundariesMm } = space;
  const { start, direction, lengthMm, radiusMm } = cylinder;
  const end = add(start, times(direction, lengthMm));
  const from = Math.max(0, lowerBound(boundariesMm, Math.min(start[2], end[2]) - radiusMm) - 1);
  const to = Math.min(layers.length, lowerBound(boundariesMm, Math.max(start[2], end[2]) + radiusMm));
  let first = from;
  const regions: number[][] = [];
  for (let layer = from; layer < to; layer++) {
    const heightMm = (boundariesMm[layer] + boundariesMm[layer + 1]) / 2;
    const met = regionsInSection(layers[layer], grid, cylinder, heightMm);
    if (met) regions.push([...met]);
    else if (regions.length > 0) break;
    else first = layer + 1;
  }
  return { first, regions };
}

/** The regions of a layer in the section of a cylinder; undefined if the section has no pixel. */
function regionsInSection(
  { empty: { rowStarts, starts, ends }, regions: { regionOf } }: EmptyLayer,
  grid: SpanGrid,
  cylinder: Cylinder,
  heightMm: number,
): Set<number> | undefined {
  const { start, direction, lengthMm, radiusMm } = cylinder;
  const { rows, columns, pixelMm, leftMm, backMm } = grid;
  const endY = start[1] + lengthMm * direction[1];
  const firstRow = Math.max(0, Math.floor((backMm - Math.max(start[1], endY) - radiusMm) / pixelMm));
  const lastRow = Math.min(rows - 1, Math.ceil((backMm - Math.min(start[1], endY) + radiusMm) / pixelMm));
  let met: Set<number> | undefined;
  for (let row = firstRow; row <= lastRow; row++) {
    const [low, high] = chordAt(cylinder, backMm - (row + 0.5) * pixelMm, heightMm);
    const from = Math.max(0, Math.ceil((low - leftMm) / pixelMm - 0.5));
    const to = Math.min(columns, Math.floor((high - leftMm) / pixelMm - 0.5) + 1);
    if (from >= to) continue;
    met ??= new Set();
    for (let span = rowStarts[row]; span < rowStarts[row + 1] && starts[span] < to; span++) {
      if (ends[span] > from) met.add(regionOf[span]);
    }
  }
  return met;
}

/** Least squared sine of the angle between the axis and x at which the chord has ends on the side of the cylinder. */
const LEAST_SLOPE = 1e-12;

/** The section of a line along x at (y, z) in a cylinder: least and greatest x; empty if the least is greater. */
function chordAt(
  { start, direction, lengthMm, radiusMm }: Cylinder,
  y: number,
  z: number,
): [low: number, high: number] {
  const [dx, dy, dz] = direction;
  const [py, pz] = [y - start[1], z - start[2]];
  // With x from the start, the place along the axis is dx · x + along, and its squared distance from the axis a · x² − 2b · x + c + r².
  const along = py * dy + pz * dz;
  const [a, b, c] = [1 - dx * dx, along * dx, py * py + pz * pz - along * along - radiusMm * radiusMm];
  let [low, high] = [-Infinity, Infinity];
  if (a < LEAST_SLOPE) {
    if (c > 0) return [Infinity, -Infinity];
  } else {
    const squared = b * b - a * c;
    if (squared < 0) return [Infinity, -Infinity];
    const root = Math.sqrt(squared);
    [low, high] = [(b - root) / a, (b + root) / a];
  }
  if (Math.abs(dx) < LEAST_SLOPE) {
    if (along < 0 || along > lengthMm) return [Infinity, -Infinity];
  } else {
    const ends = [-along / dx, (lengthMm - along) / dx];
    low = Math.max(low, Math.min(...ends));
    high = Math.min(high, Math.max(...ends));
  }
  return [start[0] + low, start[0] + high];
}
