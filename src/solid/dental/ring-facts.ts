import type { Region, Ring } from "../../mesh/boolean/region/region.ts";

/** A place seen from above, mm. */
export type Point = readonly [x: number, y: number];

export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** The least rectangle around rings. */
export function rectangleOf(rings: readonly Ring[]): Rectangle {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      minX = Math.min(minX, ring[at]);
      maxX = Math.max(maxX, ring[at]);
      minY = Math.min(minY, ring[at + 1]);
      maxY = Math.max(maxY, ring[at + 1]);
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Whether a place lies within a region, by the parity of the sides to its right. */
export function isIn(region: Region, x: number, y: number): boolean {
  let isInside = false;
  for (const ring of region) {
    for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
      const [ay, by] = [ring[last + 1], ring[at + 1]];
      if (ay > y === by > y) continue;
      if (x < ring[last] + ((y - ay) / (by - ay)) * (ring[at] - ring[last])) isInside = !isInside;
    }
  }
  return isInside;
}
