import { type Mat3, type Vec3, dot, matrixRow } from "../../geometry/vector.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";

/** Points whose coordinates are equal in whole micrometres are at the same place. */
const STEPS_PER_MM = 1000;

const key = ([x, y, z]: Vec3): string => [x, y, z].map((mm) => Math.round(mm * STEPS_PER_MM) + 0).join(" ");

/** By z, y and x in µm; places that are equal in µm by their exact coordinates, so that no order of the input decides. */
function inOrder({ position: a }: Touchpoint, { position: b }: Touchpoint): number {
  for (const steps of [STEPS_PER_MM, undefined]) {
    for (const axis of [2, 1, 0] as const) {
      const difference =
        steps === undefined ? a[axis] - b[axis] : Math.round(a[axis] * steps) - Math.round(b[axis] * steps);
      if (difference !== 0) return difference;
    }
  }
  return 0;
}

export interface CanonicalPoints {
  readonly points: readonly Touchpoint[];
  /** Points at the place of another point. */
  readonly doubled: readonly Touchpoint[];
}

/**
 * The points of a plan in the order in which supports are routed: the automatic ones as they are, then those of persons by height. Equal sets of
 * points give equal supports, however they were made. Of several points at one place the first in this order remains.
 */
export function canonicalPoints(points: readonly Touchpoint[]): CanonicalPoints {
  const automatic = points.filter(({ origin }) => origin === "AUTOMATIC");
  const manual = points.filter(({ origin }) => origin === "MANUAL").sort(inOrder);
  const places = new Set<string>();
  const doubled: Touchpoint[] = [];
  const kept = [...automatic, ...manual].filter((point) => {
    const place = key(point.position);
    if (places.has(place)) doubled.push(point);
    return places.size < places.add(place).size;
  });
  return { points: kept, doubled };
}

/** Largest z of the normal of a face that a tip can hold: tips lean by up to 45° and leave the face at 14.5° or steeper, which is 0.507. */
const MOST_UPWARD = 0.5;

/** Whether a point of a model in this rotation faces up, so that no support can hold it: it rests. */
export const facesUp = ({ normal }: Pick<Touchpoint, "normal">, rotation: Mat3): boolean =>
  dot(matrixRow(rotation, 2), normal) > MOST_UPWARD;
