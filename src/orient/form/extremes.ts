import type { Vec3 } from "../../core/geometry.ts";
import type { Part } from "./part.ts";

/** The vertices that reach farthest along directions, given with their opposites, x, y, z of each: a convex hull but for little. */
export function extremesOf({ vertices }: Part, directions: readonly Vec3[]): Float64Array {
  const found = new Set<number>();
  for (const [x, y, z] of directions) {
    // A direction and its opposite have the same two.
    if (x < 0 || (x === 0 && (y < 0 || (y === 0 && z < 0)))) continue;
    let [least, most] = [Infinity, -Infinity];
    let [lowest, highest] = [0, 0];
    for (let at = 0; at < vertices.length; at += 3) {
      const height = x * vertices[at] + y * vertices[at + 1] + z * vertices[at + 2];
      if (height < least) {
        least = height;
        lowest = at;
      }
      if (height > most) {
        most = height;
        highest = at;
      }
    }
    found.add(lowest).add(highest);
  }
  return Float64Array.from([...found].flatMap((at) => [vertices[at], vertices[at + 1], vertices[at + 2]]));
}
