import type { Floor } from "./floor.ts";
import type { Standing } from "./part.ts";
import { isClear, LEAST_SPACING_MM } from "./settle.ts";

/** Whether parts stand on the floor where they are, apart from one another and from the obstacles. */
export function standClear(
  floor: Floor,
  spacingMm: number,
  parts: readonly Standing[],
  obstacles: readonly Standing[],
): boolean {
  const all = [...parts, ...obstacles];
  return parts.every((one, i) =>
    isClear(one.part, one, {
      floor,
      spacingMm: Math.max(spacingMm, LEAST_SPACING_MM),
      standing: all.toSpliced(i, 1),
    }),
  );
}
