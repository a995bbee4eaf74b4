import type { Box } from "../geometry/box.ts";
import type { Surface } from "./mesh.ts";

/** The corners of each face; corner i is at the greater end of the axes whose bits are set. */
const FACES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
] as const;

/** The surface of a box, closed and facing outward. */
export function boxSurface({ min, max }: Box): Surface {
  const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((axis) => ((i >> axis) & 1 ? max : min)[axis]));
  return {
    vertices: Float64Array.from(corners.flat()),
    triangles: Uint32Array.from(FACES.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
  };
}
