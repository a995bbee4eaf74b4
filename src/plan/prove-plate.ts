import { getOrInsert } from "../core/memoize.ts";
import type { Polygons } from "../geometry/polygon.ts";
import { type Floor, distanceBeyondFloor } from "../layout/floor.ts";
import { type RotatedPart, rotatePart } from "../layout/part.ts";
import { TOLERANCE_MM, isApart } from "../layout/resolve-overlaps.ts";
import type { PlatePlace } from "./fill-request.ts";

/**
 * Whether all parts of a plate are on the floor and keep the spacing, by the exact distances of their outlines: the code that judges
 * `auto-layout`. Outlines contain their parts, so the parts are as far apart in space.
 */
export function isProvenPlate(
  floor: Floor,
  spacingMm: number,
  outlines: readonly Polygons[],
  places: readonly PlatePlace[],
): boolean {
  const turned = new Map<string, RotatedPart>();
  const parts = places.map(({ part, turnDeg }) =>
    getOrInsert(turned, `${part} ${turnDeg}`, () => rotatePart({ body: outlines[part] }, turnDeg)),
  );
  return places.every(({ x, y }, i) => {
    const { hull, box } = parts[i];
    if (distanceBeyondFloor(floor, hull, box, x, y) > TOLERANCE_MM) return false;
    return places.slice(0, i).every((other, k) => {
      const [dx, dy] = [other.x - x, other.y - y];
      const { box: near } = parts[k];
      const isFar =
        near.minX + dx > box.maxX + spacingMm ||
        near.maxX + dx < box.minX - spacingMm ||
        near.minY + dy > box.maxY + spacingMm ||
        near.maxY + dy < box.minY - spacingMm;
      return isFar || isApart(parts[i], parts[k], dx, dy, spacingMm);
    });
  });
}
