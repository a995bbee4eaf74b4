import type { Corner } from "../server/replies.ts";
import type { Point } from "../view/view.ts";

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
 * Offsets (mm) for up to `count` copies of some models, whose boxes overlap neither each other nor the models in the chamber (`standing`):
 * first along +x, then +y, then +z, then the opposite directions. Fewer offsets if the chamber is full.
 */
export function copyOffsets(
  models: readonly ModelBox[],
  standing: readonly ModelBox[],
  dimensionsMm: Point,
  count: number,
): Point[] {
  const own = boxOf(models);
  const [x, y, z] = own.max.map((most, axis) => most - own.min[axis] + GAP_MM);
  const [width, depth, height] = dimensionsMm;
  const chamber: Bounds = { min: [-width / 2, -depth / 2, 0], max: [width / 2, depth / 2, height] };
  const taken = standing.map((box) => boxOf([box]));
  const offsets: Point[] = [];
  const [columns, rows, levels] = [x, y, z].map((step, axis) => stepsWithin(own, chamber, step, axis));
  let tried = 0;
  for (const k of levels) {
    for (const j of rows) {
      for (const i of columns) {
        if (offsets.length === count || ++tried > MOST_TRIED) return offsets;
        const offset: Point = [i * x, j * y, k * z];
        const box = movedBy(own, offset);
        if (taken.some((other) => areNear(box, other))) continue;
        taken.push(box);
        offsets.push(offset);
      }
    }
  }
  return offsets;
}

interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

const pointOf = ({ x, y, z }: Corner): Point => [x, y, z];

const boxOf = (boxes: readonly ModelBox[]): Bounds => ({
  min: extreme(
    boxes.map(({ min_corner }) => pointOf(min_corner)),
    Math.min,
  ),
  max: extreme(
    boxes.map(({ max_corner }) => pointOf(max_corner)),
    Math.max,
  ),
});

const extreme = (points: readonly Point[], pick: (a: number, b: number) => number): Point =>
  points.reduce(([a, b, c], [x, y, z]) => [pick(a, x), pick(b, y), pick(c, z)]);

const movedBy = ({ min, max }: Bounds, [x, y, z]: Point): Bounds => ({
  min: [min[0] + x, min[1] + y, min[2] + z],
  max: [max[0] + x, max[1] + y, max[2] + z],
});

/** Numbers of steps along an axis by which a box can move and stay inside: 0, 1, 2 … in the positive direction, then −1, −2 … */
function stepsWithin({ min, max }: Bounds, inside: Bounds, stepMm: number, axis: number): number[] {
  const up = Math.max(0, Math.floor((inside.max[axis] - max[axis]) / stepMm));
  const down = Math.max(0, Math.floor((min[axis] - inside.min[axis]) / stepMm));
  return [...Array.from({ length: up + 1 }, (_, i) => i), ...Array.from({ length: down }, (_, i) => -1 - i)];
}

/** Tolerance, so that rounding does not make neighbours in a row overlap. */
const SLACK_MM = 0.01;

const areNear = (a: Bounds, b: Bounds): boolean =>
  a.min.every(
    (least, axis) => least < b.max[axis] + GAP_MM - SLACK_MM && b.min[axis] < a.max[axis] + GAP_MM - SLACK_MM,
  );
