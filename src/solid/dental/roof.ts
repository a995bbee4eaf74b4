import { boundingRectangle, type Rectangle } from "../../geometry/box.ts";
import { type Progress, noProgress } from "../../core/progress.ts";
import { offsetPolygons } from "../../geometry/polygon-operations.ts";
import { type Point2, type Polygons } from "../../geometry/polygon.ts";
import { type Vec3, lerp } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../mesh/bvh/closest-point.ts";

/** A height field: how far up the columns over a region are hollow, at the nodes of a grid. */
export interface Roof {
  readonly leftMm: number;
  readonly frontMm: number;
  readonly stepMm: number;
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the front; NaN away from the region. */
  readonly heightsMm: Float64Array;
}

interface RoofRequest {
  /** The part of the bottom that may become hollow. */
  readonly region: Polygons;
  readonly bottomMm: number;
  readonly topMm: number;
  /** The outside of the solid without its bottom. */
  readonly bvh: Bvh;
  readonly shellMm: number;
}

/**
 * A roof is at most as curved as a ball of the shell's radius: over this step it deviates from a chord by 1 / 288 of
 * that.
 */
const STEP_SHELLS = 1 / 6;
const [MIN_STEP_MM, MAX_STEP_MM] = [0.2, 0.5];
const MAX_NODES = 400_000;
/** Nodes beyond the rim of the region whose height is known: those of every square that the region reaches. */
const MARGIN_NODES = 2;
/** The region is inset by this, in steps, so that rounding does not end a column next to a vertical wall. */
const INSET = 0.2;
/** A column ends this close to the shell, in steps. */
const END_TOLERANCE = 0.02;
/** How far beyond the shell distances are computed, in steps. */
const SEARCH_MARGIN = 16;
const COLUMNS_PER_REPORT = 64;
/** Shares of the progress at which the columns are computed, and the steep edges lowered. */
const COLUMNS_SHARE = 0.6;
const STEEP_EDGES_SHARE = 0.9;

/**
 * Computes the roof over a region: each column is hollow from the bottom up to the shell. Below any hollow point all is
 * hollow, so no resin is trapped, and only the roof needs to support itself.
 */
export async function buildRoof(request: RoofRequest, progress: Progress): Promise<Roof> {
  const { region, shellMm } = request;
  const grid = gridOver(boundingRectangle(region), shellMm);
  const { columns, rows, leftMm, frontMm, stepMm } = grid;
  const heightsMm = new Float64Array(columns * rows).fill(NaN);
  const inner = await offsetPolygons(region, -INSET * stepMm);
  for (let row = 0; row < rows; row++) {
    const y = frontMm + row * stepMm;
    const xs = scanlineCrossings(inner, y);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const first = Math.ceil((xs[i] - leftMm) / stepMm);
      const last = Math.floor((xs[i + 1] - leftMm) / stepMm);
      for (let column = first; column <= last; column++) {
        if ((column - first) % COLUMNS_PER_REPORT === 0) progress.report((COLUMNS_SHARE * row) / rows);
        heightsMm[row * columns + column] = columnHeight(leftMm + column * stepMm, y, request, stepMm);
      }
    }
  }
  const roof = { ...grid, heightsMm };
  lowerSteepEdges(roof, request, progress.part(COLUMNS_SHARE, STEEP_EDGES_SHARE));
  extrapolateToRim(roof, request, progress.part(STEEP_EDGES_SHARE, 1));
  extrapolateOutward(roof, request.bottomMm);
  return roof;
}

function gridOver({ minX, minY, maxX, maxY }: Rectangle, shellMm: number): Omit<Roof, "heightsMm"> {
  const wantedMm = Math.min(MAX_STEP_MM, Math.max(MIN_STEP_MM, STEP_SHELLS * shellMm));
  const stepMm = Math.max(wantedMm, Math.sqrt(((maxX - minX) * (maxY - minY)) / MAX_NODES));
  const count = (mm: number): number => Math.ceil(mm / stepMm) + 1 + 2 * MARGIN_NODES;
  return {
    leftMm: minX - MARGIN_NODES * stepMm,
    frontMm: minY - MARGIN_NODES * stepMm,
    stepMm,
    columns: count(maxX - minX),
    rows: count(maxY - minY),
  };
}

/** x of the crossings of the line at y with the boundary of a region, ascending. */
function scanlineCrossings(region: Polygons, y: number): number[] {
  const xs: number[] = [];
  for (const polygon of region) {
    for (let at = 0, last = polygon.length - 2; at < polygon.length; last = at, at += 2) {
      const [ay, by] = [polygon[last + 1], polygon[at + 1]];
      if (ay > y === by > y) continue;
      xs.push(polygon[last] + ((y - ay) / (by - ay)) * (polygon[at] - polygon[last]));
    }
  }
  return xs.sort((a, b) => a - b);
}

/**
 * The height up to which a column is hollow: where the outside comes within the shell's thickness. The search rises by
 * the distance beyond that, so that no feature is skipped. Source: sphere tracing, J. C. Hart (1996). Next to a wall
 * that distance stays small: there the search leaps from one point beyond the shell to the next. Points between these
 * are at most the tolerance nearer than the shell, because a ball of the shell's radius has this sagitta on a chord of
 * that length.
 */
function columnHeight(x: number, y: number, request: RoofRequest, stepMm: number): number {
  const { bottomMm, topMm, bvh, shellMm } = request;
  const toleranceMm = END_TOLERANCE * stepMm;
  const leapMm = Math.sqrt(8 * shellMm * toleranceMm);
  let z = bottomMm;
  // Height at which the search continues, without further leaps, after a leap that went too far.
  let afterLeapMm: number | undefined;
  let canLeap = true;
  while (z < topMm) {
    const beyondShell = distanceToSurface(bvh, [x, y, z], shellMm + SEARCH_MARGIN * stepMm) - shellMm;
    if (beyondShell < toleranceMm) {
      if (afterLeapMm === undefined) break;
      z = afterLeapMm;
      afterLeapMm = undefined;
      canLeap = false;
      continue;
    }
    const leaps = canLeap && beyondShell < leapMm;
    afterLeapMm = leaps ? z + beyondShell : undefined;
    z += leaps ? leapMm : beyondShell;
  }
  return z;
}

/** The least height of the nodes of the square that contains a point; NaN if one is unknown. */
export function minHeightAt({ leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof, x: number, y: number): number {
  const column = Math.floor((x - leftMm) / stepMm);
  const row = Math.floor((y - frontMm) / stepMm);
  if (column < 0 || row < 0 || column + 1 >= columns || row + 1 >= rows) return NaN;
  const node = row * columns + column;
  return Math.min(heightsMm[node], heightsMm[node + 1], heightsMm[node + columns], heightsMm[node + columns + 1]);
}

/** Adjacent nodes that differ by more than this, in steps, are checked for a cliff between them. */
const MAX_RISE = 1;
/** Positions on the edge between two nodes that are compared with the shell, as shares of its length. */
const STEEP_EDGE_SAMPLES = [0.25, 0.5, 0.75];

/** Lowers nodes until the edges to their neighbours keep the shell's thickness, too. */
function lowerSteepEdges(
  { leftMm, frontMm, stepMm, columns, heightsMm }: Roof,
  request: RoofRequest,
  progress: Progress,
): void {
  const pointAt = (node: number): Vec3 => [
    leftMm + (node % columns) * stepMm,
    frontMm + Math.floor(node / columns) * stepMm,
    heightsMm[node],
  ];
  for (let node = 0; node < heightsMm.length; node++) {
    if (node % columns === 0) progress.report(node / heightsMm.length);
    // Along the sides of squares and their diagonals.
    for (const other of [node + 1, node + columns, node + columns + 1]) {
      const [low, high] = heightsMm[node] <= heightsMm[other] ? [node, other] : [other, node];
      for (const share of STEEP_EDGE_SAMPLES) {
        const rise = heightsMm[high] - heightsMm[low];
        if (!(rise > MAX_RISE * stepMm)) break;
        const [x, y, z] = lerp(pointAt(low), pointAt(high), share);
        if (distanceToSurface(request.bvh, [x, y, z], request.shellMm) >= request.shellMm) continue;
        const roofMm = columnHeight(x, y, request, stepMm);
        if (roofMm < z) heightsMm[high] = heightsMm[low] + Math.max(0, roofMm - heightsMm[low]) / share;
      }
    }
  }
}

/** Positions between a known node and the next at which the rim is searched, as shares, from the outermost inward. */
const RIM_SAMPLES = [0.75, 0.5, 0.25];

/** Sets the heights of the nodes just outside the region, so that up to its rim no height is too great. */
function extrapolateToRim(roof: Roof, request: RoofRequest, progress: Progress): void {
  const { bottomMm } = request;
  extrapolateHeights(roof, progress, (near, _, from, to) => {
    for (const share of RIM_SAMPLES) {
      const [x, y] = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
      const roofMm = columnHeight(x, y, request, roof.stepMm);
      // Only columns outside the rim end at the bottom.
      if (roofMm > bottomMm) return Math.min(near, Math.max(bottomMm, near + (roofMm - near) / share));
    }
    return near;
  });
}

/** Sets the heights of the next nodes outward, by linear extrapolation that does not rise. */
const extrapolateOutward = (roof: Roof, bottomMm: number): void =>
  extrapolateHeights(roof, noProgress, (near, far) =>
    Number.isNaN(far) ? near : Math.min(near, Math.max(bottomMm, 2 * near - far)),
  );

const NEIGHBOURS = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const)).filter(([dx, dy]) => dx || dy);

/**
 * Sets the unknown heights next to known ones to the least of the values that `guess` returns for the known neighbours: from the
 * height of the neighbour and of the node beyond it, NaN if unknown.
 */
function extrapolateHeights(
  { leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof,
  progress: Progress,
  guess: (near: number, far: number, from: Point2, to: Point2) => number,
): void {
  const before = heightsMm.slice();
  const heightAt = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= columns || row >= rows ? NaN : before[row * columns + column];
  const pointAt = (column: number, row: number): Point2 => [leftMm + column * stepMm, frontMm + row * stepMm];
  for (let row = 0; row < rows; row++) {
    progress.report(row / rows);
    for (let column = 0; column < columns; column++) {
      if (!Number.isNaN(before[row * columns + column])) continue;
      let least = Infinity;
      for (const [dx, dy] of NEIGHBOURS) {
        const near = heightAt(column + dx, row + dy);
        if (Number.isNaN(near)) continue;
        const far = heightAt(column + 2 * dx, row + 2 * dy);
        least = Math.min(least, guess(near, far, pointAt(column + dx, row + dy), pointAt(column, row)));
      }
      if (least < Infinity) heightsMm[row * columns + column] = least;
    }
  }
}
