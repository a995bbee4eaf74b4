import { paired } from "../core/paired.ts";
import { type Box, boxSize } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { shelve } from "../layout/shelve.ts";

/** Distance from the build volume to the models beside it, mm (`overflow` of the interface). */
export const BESIDE_MM = 10;

/**
 * Moves that put boxes on the floor in rows beside the build volume, at +x, as deep as the volume and `gapMm` apart. Boxes of `others` that
 * already are at that side come first.
 */
export function movesBeside(
  boxes: readonly Box[],
  others: readonly Box[],
  { dimensionsMm: [widthMm, depthMm] }: BuildVolume,
  gapMm: number,
): Vec3[] {
  const beside = others.filter(({ max }) => max[0] > widthMm / 2 + BESIDE_MM);
  const firstMm = beside.reduce((x, { max }) => Math.max(x, max[0] + gapMm), widthMm / 2 + BESIDE_MM);
  const sizes = boxes.map(boxSize);
  const { places } = shelve(
    sizes.map(([x, y]) => [y, x]),
    depthMm,
    gapMm,
  );
  return paired(boxes, places).map(([{ min }, [along, across]]) => [
    firstMm + across - min[0],
    along - depthMm / 2 - min[1],
    -min[2],
  ]);
}
