import { type Box, placeBox, unionBoxes } from "../../geometry/box.ts";
import { AXIS_INDICES, type Axis, type Vec3 } from "../../geometry/vector.ts";
import type { Corner } from "../server/replies.ts";

/** Bounding box of a model, mm. */
export interface ModelBox {
  readonly min_corner: Corner;
  readonly max_corner: Corner;
}

/** Distance between copies, so that they are easy to distinguish. (Packing uses the least distance that the material allows.) */
const GAP_MM = 5;
/** Maximum number of tried places: far more than a chamber has for parts that users copy. */
const MOST_TRIED = 20_000;

/**
 * Offsets (mm) for up to `count` copies of some models, whose boxes overlap neither each other nor the models in the chamber (`present`):
 * first along +x, then +y, then +z, then the opposite directions. Fewer offsets if the chamber is full.
 */
export function copyOffsets(
  models: readonly ModelBox[],
  present: readonly ModelBox[],
  dimensionsMm: Vec3,
  count: number,
): Vec3[] {
  const own = models.map(toBox).reduce(unionBoxes);
  const stepMm = (axis: Axis): number => own.max[axis] - own.min[axis] + GAP_MM;
  const [x, y, z] = [stepMm(0), stepMm(1), stepMm(2)];
  const [width, depth, height] = dimensionsMm;
  const chamber: Box = { min: [-width / 2, -depth / 2, 0], max: [width / 2, depth / 2, height] };
  const taken = present.map(toBox);
  const offsets: Vec3[] = [];
  const [columns, rows] = [stepsWithin(own, chamber, x, 0), stepsWithin(own, chamber, y, 1)];
  const levels = stepsWithin(own, chamber, z, 2);
  let tried = 0;
  for (const k of levels) {
    for (const j of rows) {
      for (const i of columns) {
        if (offsets.length === count || ++tried > MOST_TRIED) return offsets;
        const offset: Vec3 = [i * x, j * y, k * z];
        const box = placeBox(own, 1, offset);
        if (taken.some((other) => areNear(box, other))) continue;
        taken.push(box);
        offsets.push(offset);
      }
    }
  }
  return offsets;
}

const toVec3 = ({ x, y, z }: Corner): Vec3 => [x, y, z];

const toBox = ({ min_corner, max_corner }: ModelBox): Box => ({ min: toVec3(min_corner), max: toVec3(max_corner) });

/** Numbers of steps along an axis by which a box can move and stay inside: 0, 1, 2 … in the positive direction, then −1, −2 … */
function stepsWithin({ min, max }: Box, inside: Box, stepMm: number, axis: Axis): number[] {
  const up = Math.max(0, Math.floor((inside.max[axis] - max[axis]) / stepMm));
  const down = Math.max(0, Math.floor((min[axis] - inside.min[axis]) / stepMm));
  return [...Array.from({ length: up + 1 }, (_, i) => i), ...Array.from({ length: down }, (_, i) => -1 - i)];
}

/** Tolerance, so that rounding does not make neighbours in a row overlap. */
const SLACK_MM = 0.01;

const areNear = (a: Box, b: Box): boolean =>
  AXIS_INDICES.every(
    (axis) => a.min[axis] < b.max[axis] + GAP_MM - SLACK_MM && b.min[axis] < a.max[axis] + GAP_MM - SLACK_MM,
  );
