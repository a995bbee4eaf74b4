import type { Region } from "./region.ts";

/** From the least to the greatest x (axis 0) or y (axis 1); the other way round for a region without rings. */
export function rangeOf(region: Region, axis: 0 | 1): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const ring of region) {
    for (let at = axis; at < ring.length; at += 2) {
      least = Math.min(least, ring[at]);
      most = Math.max(most, ring[at]);
    }
  }
  return [least, most];
}
