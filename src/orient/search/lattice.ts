import { type Mat3, unit, type Vec3 } from "../../core/geometry.ts";
import { transposed, turn } from "../../mesh/pose.ts";

/**
 * Directions all round: the points (i, j, k) / |(i, j, k)| of whole numbers with |i| + |j| + |k| = `steps`, 4 · steps² + 2 of them, in the
 * part's own axes. They stay the same set whichever way its axes point and whatever their order, which is all that the axes of a
 * shape leave open. (A Fibonacci sphere would not.)
 */
export function lattice(steps: number, axes: Mat3): Vec3[] {
  const back = transposed(axes);
  const directions: Vec3[] = [];
  for (let i = -steps; i <= steps; i++) {
    const left = steps - Math.abs(i);
    for (let j = -left; j <= left; j++) {
      const k = left - Math.abs(j);
      for (const z of k === 0 ? [0] : [-k, k]) directions.push(turn(back, unit([i, j, z])));
    }
  }
  return directions;
}

/** One of each two opposite directions. */
export const halfOf = (directions: readonly Vec3[]): Vec3[] =>
  directions.filter(([x, y, z]) => x > 0 || (x === 0 && (y > 0 || (y === 0 && z >= 0))));
