import type { Surface } from "../../../mesh/mesh.ts";
import type { Roof } from "./roof.ts";

/** The body below a roof, from `floorMm` up; where no height is known it reaches hardly above that. */
export function roomBelow({ leftMm, frontMm, stepMm, columns, rows, heightsMm }: Roof, floorMm: number): Surface {
  const count = columns * rows;
  const rim = rimOf(columns, rows);
  const vertices = new Float64Array(3 * (count + rim.length + 1));
  const place = (vertex: number, at: number, zMm: number): void => {
    vertices[3 * vertex] = leftMm + (at % columns) * stepMm;
    vertices[3 * vertex + 1] = frontMm + Math.floor(at / columns) * stepMm;
    vertices[3 * vertex + 2] = zMm;
  };
  for (let at = 0; at < count; at++) {
    const height = heightsMm[at];
    place(at, at, Number.isNaN(height) ? floorMm + stepMm : height);
  }
  rim.forEach((at, i) => place(count + i, at, floorMm));
  const middle = count + rim.length;
  place(middle, Math.floor(rows / 2) * columns + Math.floor(columns / 2), floorMm);
  const triangles: number[] = [];
  for (let at = 0; at + columns < count; at++) {
    if (at % columns === columns - 1) continue;
    triangles.push(at, at + 1, at + columns + 1, at, at + columns + 1, at + columns);
  }
  rim.forEach((at, i) => {
    const next = (i + 1) % rim.length;
    const [below, belowNext] = [count + i, count + next];
    triangles.push(at, below, belowNext, at, belowNext, rim[next], middle, belowNext, below);
  });
  return { vertices, triangles: Uint32Array.from(triangles) };
}

/** The corners on the rim of a grid, counter-clockwise. */
function rimOf(columns: number, rows: number): number[] {
  const rim: number[] = [];
  for (let column = 0; column + 1 < columns; column++) rim.push(column);
  for (let row = 0; row + 1 < rows; row++) rim.push(row * columns + columns - 1);
  for (let column = columns - 1; column > 0; column--) rim.push((rows - 1) * columns + column);
  for (let row = rows - 1; row > 0; row--) rim.push(row * columns);
  return rim;
}
