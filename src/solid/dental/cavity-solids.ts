import { subtractPolygons } from "../../geometry/polygon-operations.ts";
import type { Point2, Polygon, Polygons } from "../../geometry/polygon.ts";
import { cosSin } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { Roof } from "./roof.ts";

/** A horizontal passage through a wall at the bottom: half an ellipse, seen along it. */
export interface Archway {
  readonly from: Point2;
  readonly to: Point2;
  readonly radiusMm: number;
  readonly heightMm: number;
}

/** Sides of the half ellipse. */
const SEGMENTS = 32;

/** The solid of an archway. It reaches `belowMm` below the bottom, so that it opens the bottom, too. */
export function archwaySolid({ from, to, radiusMm, heightMm }: Archway, bottomMm: number, belowMm: number): Surface {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.sqrt(dx * dx + dy * dy);
  const [leftX, leftY] = [-dy / size, dx / size];
  // Counter-clockwise seen against the direction: from the lower right to the lower left.
  const profile: [across: number, up: number][] = [[radiusMm, -belowMm]];
  for (let i = 0; i <= SEGMENTS; i++) {
    const [cos, sin] = cosSin(Math.PI * (i / SEGMENTS));
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

/** The solid below a roof, down to `floorMm`. Where no height is known it is one step of the grid high. */
export function solidBelowRoof({ leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof, floorMm: number): Surface {
  const count = columns * rows;
  const rim = gridRim(columns, rows);
  const vertices = new Float64Array(3 * (count + rim.length + 1));
  const setVertex = (vertex: number, node: number, zMm: number): void => {
    vertices[3 * vertex] = leftMm + (node % columns) * stepMm;
    vertices[3 * vertex + 1] = frontMm + Math.floor(node / columns) * stepMm;
    vertices[3 * vertex + 2] = zMm;
  };
  for (let node = 0; node < count; node++) {
    const height = heightsMm[node];
    setVertex(node, node, Number.isNaN(height) ? floorMm + stepMm : height);
  }
  rim.forEach((node, i) => setVertex(count + i, node, floorMm));
  const centre = count + rim.length;
  setVertex(centre, Math.floor(rows / 2) * columns + Math.floor(columns / 2), floorMm);
  const triangles: number[] = [];
  for (let node = 0; node + columns < count; node++) {
    if (node % columns === columns - 1) continue;
    triangles.push(node, node + 1, node + columns + 1, node, node + columns + 1, node + columns);
  }
  rim.forEach((node, i) => {
    const next = (i + 1) % rim.length;
    const [below, belowNext] = [count + i, count + next];
    triangles.push(node, below, belowNext, node, belowNext, rim[next], centre, belowNext, below);
  });
  return { vertices, triangles: Uint32Array.from(triangles) };
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

/** Squares are enlarged by this, in steps: two that share a corner would leave a vertical edge of four walls there. */
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
