import { type Part, turnedPart } from "./part.ts";
import { doubleArea, rectangleOf, type Region } from "./region.ts";
import { turnedShape } from "./shape.ts";

export const AS_IT_IS: readonly number[] = [0];
const HALF_TURNS: readonly number[] = [0, 180];
export const QUARTER_TURNS: readonly number[] = [0, 90, 180, 270];
/** Every 15°, the quarters first. */
export const FINE_TURNS: readonly number[] = Array.from({ length: 6 }, (_, i) =>
  QUARTER_TURNS.map((turn) => turn + 15 * i),
).flat();

/** Angles are rounded to this, below what engines differ by in arcs. */
const STEPS_PER_DEGREE = 2 ** 20;

/** The turn about z that lays the least rectangle around a part along the axes, its long side along x. */
export function alignedTurn(part: Part): number {
  const { hull } = turnedPart(part, 0);
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const along = (Math.atan2(hull[j + 1] - hull[i + 1], hull[j] - hull[i]) * 180) / Math.PI;
    const turn = -Math.round(along * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
    const [width, depth] = sidesOf(hull, turn);
    // Equal rectangles: rounding must not choose.
    if (width * depth >= least * (1 - 1e-9)) continue;
    least = width * depth;
    best = width >= depth ? turn : turn + 90;
  }
  return best;
}

function sidesOf(hull: Float64Array, turn: number): [width: number, depth: number] {
  const { box } = turnedShape({ rings: [hull] }, turn);
  return [box.maxX - box.minX, box.maxY - box.minY];
}

export const alignedQuarters = (part: Part): number[] => {
  const aligned = alignedTurn(part);
  return QUARTER_TURNS.map((turn) => aligned + turn);
};

/**
 * Turns that lay an arch across the platform, its ends to the front, and the other way round: the area of an arch lies on the
 * side that its ends turn away from.
 */
export function archTurns(part: Part): number[] {
  const aligned = alignedTurn(part);
  const { box } = turnedPart(part, aligned);
  const heavy = centroidY(part.body, aligned) >= (box.minY + box.maxY) / 2;
  return HALF_TURNS.map((turn) => aligned + turn + (heavy ? 0 : 180));
}

function centroidY(region: Region, turn: number): number {
  let [area, moment] = [0, 0];
  const { edges } = turnedShape(region, turn);
  for (let i = 0; i < edges.length; i += 4) {
    const [ax, ay, bx, by] = edges.subarray(i, i + 4);
    const cross = ax * by - bx * ay;
    area += cross;
    moment += (cross * (ay + by)) / 3;
  }
  return moment / area;
}

/** Area of the rectangle around a part: the largest are the hardest to place. */
export function sizeOf({ body, supports }: Part): number {
  const { minX, minY, maxX, maxY } = rectangleOf([...body.rings, ...(supports?.rings ?? [])]);
  return (maxX - minX) * (maxY - minY);
}

/** What a part covers, in mm². */
export const bodyArea = ({ body }: Part): number => body.rings.reduce((sum, ring) => sum + doubleArea(ring) / 2, 0);
