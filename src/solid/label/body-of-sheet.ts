import type { Surface } from "../../mesh/mesh.ts";
import { movedOut, type Sheet } from "./sheet.ts";

/** The closed body between a sheet moved out by one distance, mm, and by a greater one; negative ones lead inward. */
export function bodyOfSheet({ corners, triangles }: Sheet, innerMm: number, outerMm: number): Surface {
  const above = corners.length;
  const facets: number[] = [];
  const sides = new Set<string>();
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = triangles.slice(at, at + 3);
    facets.push(a + above, b + above, c + above, a, c, b);
    for (const side of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) sides.add(side);
  }
  for (const side of sides) {
    const [a, b] = side.split(" ").map(Number);
    // A side that no other triangle has the other way round is one of the rim.
    if (!sides.has(`${b} ${a}`)) facets.push(a, b, b + above, a, b + above, a + above);
  }
  const places = [innerMm, outerMm].flatMap((mm) => corners.flatMap((corner) => movedOut(corner, mm)));
  return { vertices: Float64Array.from(places), triangles: Uint32Array.from(facets) };
}
