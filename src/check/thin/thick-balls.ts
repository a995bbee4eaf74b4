import type { Vec3 } from "../../core/geometry.ts";

/** Centres of balls that are just as large as the threshold, for questions about which are near. */
export interface ThickBalls {
  add(centre: Vec3): void;
  /** The centre nearest to a place, no farther than `reachMm`, if there is one. */
  nearest(place: Vec3, reachMm: number): Vec3 | undefined;
  /** Forgets those that are no nearer than the longest reach to any place at a height or above it. */
  drop(heightMm: number): void;
}

/** Cubes in a row are fewer. */
const MOST_CUBES = 2 ** 20;

/** Questions reach no farther than `longestReachMm`: the centres are kept in cubes of twice that. */
export function newThickBalls(longestReachMm: number): ThickBalls {
  const sideMm = 2 * longestReachMm;
  /** By the cubes' heights, then by their places beside each other: x, y, z of each centre. */
  const levels = new Map<number, Map<number, number[]>>();
  let lowest = 0;
  const cubeOf = (mm: number): number => Math.floor(mm / sideMm);
  return {
    add([x, y, z]) {
      const k = cubeOf(z);
      let level = levels.get(k);
      if (!level) levels.set(k, (level = new Map()));
      const number = cubeOf(x) * MOST_CUBES + cubeOf(y);
      let places = level.get(number);
      if (!places) level.set(number, (places = []));
      places.push(x, y, z);
    },
    nearest([x, y, z], reachMm) {
      let least = reachMm * reachMm;
      let found: number[] | undefined;
      let foundAt = 0;
      const [firstRow, lastRow] = [cubeOf(y - reachMm), cubeOf(y + reachMm)];
      const [firstColumn, lastColumn] = [cubeOf(x - reachMm), cubeOf(x + reachMm)];
      for (let k = cubeOf(z - reachMm); k <= cubeOf(z + reachMm); k++) {
        const level = levels.get(k);
        if (!level) continue;
        for (let i = firstColumn; i <= lastColumn; i++) {
          for (let j = firstRow; j <= lastRow; j++) {
            const places = level.get(i * MOST_CUBES + j);
            if (!places) continue;
            for (let at = 0; at < places.length; at += 3) {
              const square = (places[at] - x) ** 2 + (places[at + 1] - y) ** 2 + (places[at + 2] - z) ** 2;
              if (square > least) continue;
              least = square;
              found = places;
              foundAt = at;
            }
          }
        }
      }
      return found && [found[foundAt], found[foundAt + 1], found[foundAt + 2]];
    },
    drop(heightMm) {
      for (; (lowest + 1) * sideMm <= heightMm - longestReachMm; lowest++) levels.delete(lowest);
    },
  };
}
