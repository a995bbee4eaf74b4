import { toSharedMemory } from "../core/typed-arrays.ts";
import { type Mesh, withOtherSurface } from "./mesh.ts";

/** The plane from which the letters of a label are raised, across an axis, in the coordinates of the mesh. */
export interface LetterPlane {
  /** 0 or 1: x or y. */
  readonly axis: 0 | 1;
  /** Direction of the axis in which the letters are raised. */
  readonly side: 1 | -1;
  /** Coordinate of the face along the axis. */
  readonly atMm: number;
}

/** Least height of letters: above the rounding of meshes to single precision, far below the 0.6 mm of letters. */
const LEAST_RAISED_MM = 0.01;

/** The facets of a mesh as two meshes with its vertices and its hash: those with a corner beyond the plane, and the rest. */
export function partLetters(mesh: Mesh, { axis, side, atMm }: LetterPlane): { letters: Mesh; rest: Mesh } {
  const { vertices, triangles } = mesh;
  const isRaised = (corner: number): boolean => side * (vertices[3 * corner + axis] - atMm) > LEAST_RAISED_MM;
  const parts: [rest: number[], letters: number[]] = [[], []];
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    parts[isRaised(a) || isRaised(b) || isRaised(c) ? 1 : 0].push(a, b, c);
  }
  const [rest, letters] = parts.map((part) =>
    withOtherSurface(mesh, { vertices, triangles: toSharedMemory(Uint32Array.from(part)) }),
  );
  return { letters, rest };
}
