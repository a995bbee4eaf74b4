import { boundingRectangle, type Rectangle } from "../../geometry/box.ts";
import type { Progress } from "../../core/progress.ts";
import { intersectPolygons, offsetPolygons } from "../../geometry/polygon-operations.ts";
import { type Point2, type Polygon, type Polygons, containsPoint, signedArea } from "../../geometry/polygon.ts";
import type { Archway } from "./cavity-solids.ts";

/** A honeycomb seen from above. */
export interface Honeycomb {
  /** Width of a cell between opposite walls. */
  readonly cellMm: number;
  readonly wallMm: number;
  readonly centres: readonly Point2[];
  /** The centres of each pair of adjacent cells. */
  readonly neighbours: readonly (readonly [a: Point2, b: Point2])[];
}

/**
 * Width of a cell. As wide as the hollow of most arches, so that resin runs out and a drain hole fits between two
 * walls, and narrow enough for its roof.
 */
const CELL_MM = 6;
/** Regions larger than any jaw get wider cells. */
const MAX_CELLS = 1000;

const SIN_60 = Math.sqrt(3) / 2;

/** The honeycomb over a rectangle; one cell is centred on it. */
export function honeycombOver({ minX, minY, maxX, maxY }: Rectangle, wallMm: number): Honeycomb {
  const cellMm = Math.max(CELL_MM, Math.sqrt(((maxX - minX) * (maxY - minY)) / MAX_CELLS));
  const pitchMm = cellMm + wallMm;
  const [centreX, centreY] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const rows = Math.ceil((maxY - centreY) / (pitchMm * SIN_60)) + 1;
  const columns = Math.ceil((maxX - centreX) / pitchMm) + 1;
  const centreOf = (i: number, j: number): Point2 => [
    centreX + pitchMm * (i + (j % 2 === 0 ? 0 : 0.5)),
    centreY + pitchMm * SIN_60 * j,
  ];
  const centres: Point2[] = [];
  const neighbours: [Point2, Point2][] = [];
  for (let j = -rows; j <= rows; j++) {
    const shift = j % 2 === 0 ? 0 : 1;
    for (let i = -columns; i <= columns; i++) {
      const centre = centreOf(i, j);
      centres.push(centre);
      for (const [di, dj] of [
        [1, 0],
        [shift - 1, 1],
        [shift, 1],
      ])
        neighbours.push([centre, centreOf(i + di, j + dj)]);
    }
  }
  return { cellMm, wallMm, centres, neighbours };
}

/** The outline of a cell: a regular hexagon, two of its sides along y. */
function hexagon([x, y]: Point2, cellMm: number): Polygon {
  const half = cellMm / 2;
  const corner = half / SIN_60;
  return Float64Array.from(
    [
      [half, -corner / 2],
      [half, corner / 2],
      [0, corner],
      [-half, corner / 2],
      [-half, -corner / 2],
      [0, -corner],
    ].flatMap(([dx, dy]) => [x + dx, y + dy]),
  );
}

/** Narrower parts, such as between a honeycomb and the shell, stay solid: resin would not drain from them. */
const MIN_CELL_WIDTH_MM = 1.5;

/** The parts of a region that become hollow: disjoint cells between the walls of a honeycomb, if there is one. */
export async function hollowCells(
  region: Polygons,
  honeycomb: Honeycomb | undefined,
  progress: Progress,
): Promise<Polygons[]> {
  const hexagons = honeycomb?.centres.map((centre) => hexagon(centre, honeycomb.cellMm));
  const hollow = hexagons ? await intersectPolygons(region, hexagons) : region;
  const openings = hollow.filter((polygon) => signedArea(polygon) < 0);
  const outlines = hollow.filter((polygon) => signedArea(polygon) > 0);
  const cells: Polygons[] = [];
  for (const [index, outline] of outlines.entries()) {
    progress.report(index / outlines.length);
    const cell = [outline, ...openings.filter(([x, y]) => containsPoint([outline], x, y))];
    if ((await offsetPolygons(cell, -MIN_CELL_WIDTH_MM / 2)).length > 0) cells.push(cell);
  }
  return cells;
}

/** Returns the index of the cell that contains a point, of disjoint cells; −1 for none. */
export function cellLocator(cells: readonly Polygons[]): (point: Point2) => number {
  const rectangles = cells.map(boundingRectangle);
  return ([x, y]) =>
    cells.findIndex((cell, i) => {
      const { minX, minY, maxX, maxY } = rectangles[i];
      return x >= minX && x <= maxX && y >= minY && y <= maxY && containsPoint(cell, x, y);
    });
}

/** An opening at the bottom of a wall of the honeycomb, from one cell to another. */
export interface Passage extends Archway {
  /** Indices of the cells. */
  readonly cells: readonly [number, number];
}

/** With this radius, resin runs through as it does through common drain holes, and the roof needs no supports. */
export const PASSAGE_RADIUS_MM = 1;
/** Sides of the half circle of a passage, within 0.02 mm of it: there may be thousands, inside the model. */
const PASSAGE_SEGMENTS = 8;
/** How far a passage reaches into the cells. */
const CELL_OVERLAP_MM = 0.3;
/** Positions tried along a wall on each side of its middle. */
const TRIES = 4;

/**
 * One passage for each wall between two cells that is long enough for it. The bottom of a base is closed by the platform, so each cell
 * must drain through its neighbours.
 */
export function findPassages(
  cells: readonly Polygons[],
  region: Polygons,
  { cellMm, wallMm, neighbours }: Honeycomb,
  progress: Progress,
): Passage[] {
  const passages: Passage[] = [];
  const reach = wallMm / 2 + CELL_OVERLAP_MM;
  const cellSide = cellMm / 2 / SIN_60;
  const free = Math.max(0, cellSide / 2 - PASSAGE_RADIUS_MM);
  const pitchMm = cellMm + wallMm;
  const cellAt = cellLocator(cells);
  for (const [index, [a, b]] of neighbours.entries()) {
    progress.report(index / neighbours.length);
    const [alongX, alongY] = [(b[0] - a[0]) / pitchMm, (b[1] - a[1]) / pitchMm];
    for (let i = 0; i <= 2 * TRIES; i++) {
      // The middle of the wall, then farther from it on alternating sides.
      const aside = ((i % 2 === 0 ? 1 : -1) * Math.ceil(i / 2) * free) / TRIES;
      const at = (along: number, across: number): Point2 => [
        (a[0] + b[0]) / 2 + along * alongX - (aside + across) * alongY,
        (a[1] + b[1]) / 2 + along * alongY + (aside + across) * alongX,
      ];
      const [from, to] = [cellAt(at(-reach, 0)), cellAt(at(reach, 0))];
      if (from < 0 || to < 0 || from === to) continue;
      const isClear = [-PASSAGE_RADIUS_MM, PASSAGE_RADIUS_MM].every(
        (across) =>
          cellAt(at(-reach, across)) === from &&
          cellAt(at(reach, across)) === to &&
          containsPoint(region, ...at(0, across)),
      );
      if (!isClear) continue;
      const archway = {
        from: at(-reach, 0),
        to: at(reach, 0),
        radiusMm: PASSAGE_RADIUS_MM,
        heightMm: PASSAGE_RADIUS_MM,
        segments: PASSAGE_SEGMENTS,
      };
      passages.push({ ...archway, cells: [from, to] });
      break;
    }
  }
  return passages;
}
