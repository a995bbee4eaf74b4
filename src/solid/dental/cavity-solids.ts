import { subtractPolygons } from "../../geometry/polygon-operations.ts";
import type { Point2, Polygon, Polygons } from "../../geometry/polygon.ts";
import { cosSin } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { TILE_SQUARES, heightFacets } from "./height-facets.ts";
import type { Roof } from "./roof.ts";

/** A horizontal passage through a wall at the bottom: half an ellipse, seen along it. */
export interface Archway {
  readonly from: Point2;
  readonly to: Point2;
  readonly radiusMm: number;
  readonly heightMm: number;
  /** Sides of the half ellipse. */
  readonly segments: number;
}

/** The solid of an archway. It reaches `belowMm` below the bottom, so that it opens the bottom, too. */
export function archwaySolid(
  { from, to, radiusMm, heightMm, segments }: Archway,
  bottomMm: number,
  belowMm: number,
): Surface {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.sqrt(dx * dx + dy * dy);
  const [leftX, leftY] = [-dy / size, dx / size];
  // Counter-clockwise seen against the direction: from the lower right to the lower left.
  const profile: [across: number, up: number][] = [[radiusMm, -belowMm]];
  for (let i = 0; i <= segments; i++) {
    const [cos, sin] = cosSin(Math.PI * (i / segments));
    profile.push([radiusMm * cos, heightMm * sin]);
  }
  profile.push([-radiusMm, -belowMm]);
  const count = profile.length;
  const vertices = [from, to].flatMap(([x, y]) =>
    profile.flatMap(([across, up]) => [x - across * leftX, y - across * leftY, bottomMm + up]),
  );
  const triangles: number[] = [];
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    triangles.push(i, count + i, count + next, i, count + next, next);
    if (i > 1) triangles.push(0, i - 1, i, count, count + i, count + i - 1);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Facets of a roof deviate by at most twice this from its heights, in steps of the grid: half as much as its columns. */
const ROOF_TOLERANCE = 0.005;

/** The solid below a roof, down to `floorMm`. Unknown heights are chosen so that they need few facets. */
export function solidBelowRoof(roof: Roof, floorMm: number): Surface {
  const { leftMm, frontMm, stepMm } = roof;
  const grid = { columns: wholeTiles(roof.columns), rows: wholeTiles(roof.rows) };
  const { columns, rows } = grid;
  const known = placedInGrid(roof, columns, rows);
  const heights = continuedHeights(known, columns, rows);
  const top = heightFacets({ ...grid, heights }, (node) => !Number.isNaN(known[node]), ROOF_TOLERANCE * stepMm);
  const vertexAt = new Int32Array(columns * rows).fill(-1);
  const vertices: number[] = [];
  const addVertex = (node: number, zMm: number): number => {
    vertices.push(leftMm + (node % columns) * stepMm, frontMm + Math.floor(node / columns) * stepMm, zMm);
    return vertices.length / 3 - 1;
  };
  for (const node of top) if (vertexAt[node] < 0) vertexAt[node] = addVertex(node, heights[node]);
  const triangles = Array.from(top, (node) => vertexAt[node]);
  const rim = gridRim(columns, rows).filter((node) => vertexAt[node] >= 0);
  const below = rim.map((node) => addVertex(node, floorMm));
  const centre = addVertex(Math.floor(rows / 2) * columns + Math.floor(columns / 2), floorMm);
  rim.forEach((node, i) => {
    const next = (i + 1) % rim.length;
    const [above, aboveNext] = [vertexAt[node], vertexAt[rim[next]]];
    triangles.push(above, below[i], below[next], above, below[next], aboveNext, centre, below[next], below[i]);
  });
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Number of nodes along a side of the smallest grid of whole tiles with at least `nodes` nodes. */
const wholeTiles = (nodes: number): number => Math.ceil((nodes - 1) / TILE_SQUARES) * TILE_SQUARES + 1;

/** The heights of a roof in a larger grid with the same first node; NaN beyond it. */
function placedInGrid(roof: Roof, columns: number, rows: number): Float64Array {
  const heights = new Float64Array(columns * rows).fill(NaN);
  for (let row = 0; row < roof.rows; row++)
    heights.set(roof.heightsMm.subarray(row * roof.columns, (row + 1) * roof.columns), row * columns);
  return heights;
}

/** Sets unknown heights to the nearest known one of their row, and rows without any to the row before or after. */
function continuedHeights(known: Float64Array, columns: number, rows: number): Float64Array {
  const heights = known.slice();
  const copyUnknown = (from: number, to: number): void => {
    if (Number.isNaN(heights[to])) heights[to] = heights[from];
  };
  for (let row = 0; row < rows; row++) {
    const first = row * columns;
    for (let column = 1; column < columns; column++) copyUnknown(first + column - 1, first + column);
    for (let column = columns - 2; column >= 0; column--) copyUnknown(first + column + 1, first + column);
  }
  for (let node = columns; node < heights.length; node++) copyUnknown(node - columns, node);
  for (let node = heights.length - columns - 1; node >= 0; node--) copyUnknown(node + columns, node);
  return heights;
}

/** The nodes on the rim of a grid, counter-clockwise. */
function gridRim(columns: number, rows: number): number[] {
  const rim: number[] = [];
  for (let column = 0; column + 1 < columns; column++) rim.push(column);
  for (let row = 0; row + 1 < rows; row++) rim.push(row * columns + columns - 1);
  for (let column = columns - 1; column > 0; column--) rim.push((rows - 1) * columns + column);
  for (let row = rows - 1; row > 0; row--) rim.push(row * columns);
  return rim;
}

/** Squares are enlarged by this, in steps: two squares that share a corner would otherwise leave a vertical edge of four walls there. */
const SQUARE_MARGIN = 0.05;

/** The region without the parts where the roof is lower than `leastMm`: what remains is hollow up to that height. */
export async function regionBelowRoof(roof: Roof, region: Polygons, leastMm: number): Promise<Polygons> {
  const low = lowRectangles(roof, leastMm);
  return low.length === 0 ? region : subtractPolygons(region, low);
}

/** Rectangles over runs of squares with a node that is lower. Squares without known nodes are outside of the region. */
function lowRectangles({ leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof, leastMm: number): Polygon[] {
  const rectangles: Polygon[] = [];
  const isLow = (node: number): boolean =>
    [node, node + 1, node + columns, node + columns + 1].some((corner) => heightsMm[corner] < leastMm);
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns;) {
      if (!isLow(row * columns + column)) {
        column++;
        continue;
      }
      const first = column;
      while (column + 1 < columns && isLow(row * columns + column)) column++;
      const [left, right] = [leftMm + (first - SQUARE_MARGIN) * stepMm, leftMm + (column + SQUARE_MARGIN) * stepMm];
      const [front, back] = [frontMm + (row - SQUARE_MARGIN) * stepMm, frontMm + (row + 1 + SQUARE_MARGIN) * stepMm];
      rectangles.push(Float64Array.of(left, front, right, front, right, back, left, back));
    }
  }
  return rectangles;
}
