import type { Surface } from "../../mesh/mesh.ts";
import type { Point } from "./ring-facts.ts";

/** A level way through a wall that stands on the bottom: half an ellipse upon it, seen along the way. */
export interface Archway {
  readonly from: Point;
  readonly to: Point;
  readonly radiusMm: number;
  readonly heightMm: number;
}

/** Sides of the half ellipse. */
const PIECES = 32;

/** The body of an archway; below the bottom it reaches on, so that it opens the bottom, too. */
export function archwayBody({ from, to, radiusMm, heightMm }: Archway, bottomMm: number, belowMm: number): Surface {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const size = Math.sqrt(dx * dx + dy * dy);
  const [leftX, leftY] = [-dy / size, dx / size];
  // Counter-clockwise seen against the way: from the right below to the left below.
  const profile: [across: number, up: number][] = [[radiusMm, -belowMm]];
  for (let i = 0; i <= PIECES; i++) {
    const angle = Math.PI * (i / PIECES);
    profile.push([radiusMm * Math.fround(Math.cos(angle)), heightMm * Math.fround(Math.sin(angle))]);
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
