import type { Region } from "../../mesh/boolean/region/region.ts";
import { isIn, type Point, rectangleOf } from "./ring-facts.ts";

/** Tells the number of the region that a place lies in, of regions that do not touch; −1 for none. */
export function cellFinder(cells: readonly Region[]): (place: Point) => number {
  const rectangles = cells.map(rectangleOf);
  return ([x, y]) =>
    cells.findIndex((cell, i) => {
      const { minX, minY, maxX, maxY } = rectangles[i];
      return x >= minX && x <= maxX && y >= minY && y <= maxY && isIn(cell, x, y);
    });
}
