import { runAtOnce } from "../../core/steps.ts";
import { boxOf } from "../../geometry/box.ts";
import { overlappingGroups } from "../../geometry/overlapping-rectangles.ts";
import { concatenateSurfaces } from "../../mesh/mesh.ts";
import type { FilePart } from "../model-reader.ts";

/** A part with the number of its faces. */
export interface CadPart extends FilePart {
  readonly faces: number;
}

/**
 * The parts, of which those with a single face are joined where their boxes touch: first seen from above, then from two sides. Solids keep
 * their position in the list and their names; joined faces follow, without a name unless all have the same.
 */
export function joinTouching(parts: readonly CadPart[], reach: number): FilePart[] {
  const loose = parts.filter(({ faces }) => faces === 1);
  const boxes = new Map(loose.map((part) => [part, boxOf(part.surface.vertices as Float64Array)]));
  const groupsAlong = (group: readonly CadPart[], [x, y]: readonly [number, number]): CadPart[][] => {
    const rectangles = group.map((part) => {
      const { min, max } = boxes.get(part)!;
      return { minX: min[x], minY: min[y], maxX: max[x], maxY: max[y] };
    });
    return runAtOnce(overlappingGroups(rectangles, reach)).map((members) => members.map((i) => group[i]));
  };
  const groups = VIEWS.reduce(
    (all: CadPart[][], view) => all.flatMap((group) => groupsAlong(group, view)),
    loose.length > 0 ? [loose] : [],
  );
  const joined = groups.map((group) => ({
    ...(group.every(({ name }) => name === group[0].name) && group[0].name !== undefined && { name: group[0].name }),
    surface: concatenateSurfaces(group.map(({ surface }) => surface)),
  }));
  const solids = parts.filter(({ faces }) => faces > 1);
  return [...solids, ...joined].map((part, index) => ({ ...part, index }));
}

/** Axes of the planes onto which boxes are projected. */
const VIEWS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 2],
  [2, 0],
];
