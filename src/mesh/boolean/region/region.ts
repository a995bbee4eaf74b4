/** x, y of the corners of a closed line in the plane, mm, without a repeated end. */
export type Ring = Float64Array;

/**
 * A part of the plane: rings counter-clockwise around it and clockwise around its openings, none crossing itself or
 * another.
 */
export type Region = readonly Ring[];

export const cornerCount = (ring: Ring): number => ring.length / 2;

/** Positive for a ring that runs counter-clockwise. */
export function signedArea(ring: Ring): number {
  let doubled = 0;
  for (let at = 0, last = ring.length - 2; at < ring.length; last = at, at += 2) {
    doubled += ring[last] * ring[at + 1] - ring[at] * ring[last + 1];
  }
  return doubled / 2;
}

export const areaOf = (region: Region): number => region.reduce((sum, ring) => sum + signedArea(ring), 0);
