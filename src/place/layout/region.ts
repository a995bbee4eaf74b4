/** Corners of a closed line, x and y of each in mm. What it encloses is to its left. */
export type Ring = Float64Array;

/**
 * A part of the plane: all that its rings wind about at least once. Outer rings run counter-clockwise and holes clockwise;
 * rings of several regions together are the region that covers what any of them covers.
 */
export interface Region {
  readonly rings: readonly Ring[];
}

export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export const together = (regions: readonly Region[]): Region => ({ rings: regions.flatMap(({ rings }) => rings) });

/** The least rectangle around points. */
export function rectangleOf(rings: readonly Ring[]): Rectangle {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      if (ring[i] < minX) minX = ring[i];
      if (ring[i] > maxX) maxX = ring[i];
      if (ring[i + 1] < minY) minY = ring[i + 1];
      if (ring[i + 1] > maxY) maxY = ring[i + 1];
    }
  }
  return { minX, minY, maxX, maxY };
}

/** Twice the area that a ring encloses, negative where it runs clockwise. */
export function doubleArea(ring: Ring): number {
  let sum = 0;
  let [x, y] = [ring.at(-2)!, ring.at(-1)!];
  for (let i = 0; i < ring.length; i += 2) {
    sum += x * ring[i + 1] - ring[i] * y;
    [x, y] = [ring[i], ring[i + 1]];
  }
  return sum;
}
