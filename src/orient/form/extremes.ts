import { times, type Vec3 } from "../../core/geometry.ts";
import type { Part } from "./part.ts";

/** How far a part reaches: a convex hull but for little. */
export interface Extremes {
  /** x, y, z of the vertices that reach farthest along some directions: the hull of these lies in that of the part. */
  readonly points: Float64Array;
  /** Those directions and how far the part reaches along each, mm: what is beyond any of them lies outside of the hull. */
  readonly bounds: readonly (readonly [direction: Vec3, reachMm: number])[];
}

/** The extremes along directions and their opposites. */
export function extremesOf({ vertices }: Part, directions: readonly Vec3[]): Extremes {
  const found = new Set<number>();
  const bounds: [Vec3, number][] = [];
  for (const direction of directions) {
    const [x, y, z] = direction;
    let least = Infinity;
    let most = -Infinity;
    let nearest = 0;
    let farthest = 0;
    for (let at = 0; at < vertices.length; at += 3) {
      const along = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (along < least) {
        least = along;
        nearest = at;
      }
      if (along > most) {
        most = along;
        farthest = at;
      }
    }
    found.add(nearest).add(farthest);
    bounds.push([direction, most], [times(direction, -1), -least]);
  }
  return { points: Float64Array.from([...found].flatMap((at) => [...vertices.subarray(at, at + 3)])), bounds };
}
