/** A polygon in the plane: x, y of each corner, mm. The first corner is not repeated at the end. */
export type Polygon = Float64Array;

/** A region of the plane: outlines counter-clockwise, holes clockwise. No polygon intersects itself or another. */
export type Polygons = readonly Polygon[];

export const cornerCount = (polygon: Polygon): number => polygon.length / 2;

/** The area of a polygon, positive if its corners run counter-clockwise. */
export function signedArea(polygon: Polygon): number {
  let doubled = 0;
  for (let at = 0, last = polygon.length - 2; at < polygon.length; last = at, at += 2) {
    doubled += polygon[last] * polygon[at + 1] - polygon[at] * polygon[last + 1];
  }
  return doubled / 2;
}

/** The area of a region. */
export const polygonsArea = (region: Polygons): number => region.reduce((sum, polygon) => sum + signedArea(polygon), 0);

/** The least and the greatest x (axis 0) or y (axis 1) of a region; ∞ and −∞ for an empty one. */
export function coordinateRange(region: Polygons, axis: 0 | 1): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const polygon of region) {
    for (let at = axis; at < polygon.length; at += 2) {
      least = Math.min(least, polygon[at]);
      most = Math.max(most, polygon[at]);
    }
  }
  return [least, most];
}

/** A point in the plane, mm. */
export type Point2 = readonly [x: number, y: number];

/** Whether a point is in a region, by the even-odd rule: the parity of the number of edges to its right. */
export function containsPoint(region: Polygons, x: number, y: number): boolean {
  let isInside = false;
  for (const polygon of region) {
    for (let at = 0, last = polygon.length - 2; at < polygon.length; last = at, at += 2) {
      const [ay, by] = [polygon[last + 1], polygon[at + 1]];
      if (ay > y === by > y) continue;
      if (x < polygon[last] + ((y - ay) / (by - ay)) * (polygon[at] - polygon[last])) isInside = !isInside;
    }
  }
  return isInside;
}
