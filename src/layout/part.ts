import { type Rectangle, boundingRectangle } from "../geometry/box.ts";
import { type Polygons, polygonsArea } from "../geometry/polygon.ts";
import type { Vec3 } from "../geometry/vector.ts";
import { type IndexedPolygon, commonHull, indexPolygon, rotatePolygons } from "./indexed-polygon.ts";

/**
 * What is laid out: the area that a body covers and, where they may overlap the supports of other parts (but no body),
 * the area of its supports. Coordinates are relative to the position of the part, mm. Polygons may overlap: their area
 * is their union.
 */
export interface LayoutPart {
  readonly body: Polygons;
  readonly supports?: Polygons;
}

/** A part rotated about z by `turnDeg`, counter-clockwise. */
export interface RotatedPart {
  readonly turnDeg: number;
  readonly body: IndexedPolygon;
  readonly supports: IndexedPolygon | undefined;
  /** x, y of the corners of the convex hull of body and supports. */
  readonly hull: Float64Array;
  readonly box: Rectangle;
}

/** A rotated part at a position on the platform, mm. */
export interface PlacedPart {
  readonly part: RotatedPart;
  readonly x: number;
  readonly y: number;
}

export function rotatePart({ body, supports }: LayoutPart, turnDeg: number): RotatedPart {
  const shape = indexPolygon(body, turnDeg);
  const rotatedSupports = supports && indexPolygon(supports, turnDeg);
  const hull = commonHull(rotatedSupports ? [shape, rotatedSupports] : [shape]);
  return { turnDeg, body: shape, supports: rotatedSupports, hull, box: boundingRectangle([hull]) };
}

/** The pairs of areas of two parts that must not overlap: all but supports with supports. */
export function* collisionPairs(a: RotatedPart, b: RotatedPart): Generator<readonly [IndexedPolygon, IndexedPolygon]> {
  yield [a.body, b.body];
  if (b.supports) yield [a.body, b.supports];
  if (a.supports) yield [a.supports, b.body];
}

/** The silhouette of a body seen from above, relative to the position of the body. */
export interface PlacedSilhouette {
  readonly position: Vec3;
  readonly region: Polygons;
}

/** The silhouettes of a model and its supports. */
export interface ModelSilhouette extends PlacedSilhouette {
  readonly supports?: PlacedSilhouette | undefined;
}

/** The areas that a model and its supports cover. If supports may not overlap other supports, they count as part of the body. */
export function footprint({ position, region, supports }: ModelSilhouette, overlappingSupports: boolean): LayoutPart {
  if (!supports) return { body: region };
  const offset = [supports.position[0] - position[0], supports.position[1] - position[1]];
  const moved = supports.region.map((ring) => ring.map((value, i) => value + offset[i % 2]));
  return overlappingSupports ? { body: region, supports: moved } : { body: [...region, ...moved] };
}

/** The place of a model in a layout: its new x and y in mm, and the rotation about z to add to its orientation. */
export interface PlatformPlace {
  readonly turnDeg: number;
  readonly x: number;
  readonly y: number;
}

/** Positions are multiples of 1 / this value; layouts add this step to the spacing. */
const STEPS_PER_MM = 1e6;

export const platformPlace = ({ part: { turnDeg }, x, y }: PlacedPart): PlatformPlace => ({
  turnDeg,
  x: Math.round(x * STEPS_PER_MM) / STEPS_PER_MM,
  y: Math.round(y * STEPS_PER_MM) / STEPS_PER_MM,
});

/** A part at the present position of its model. */
export function placedPart(part: LayoutPart, { position }: PlacedSilhouette): PlacedPart {
  const [x, y] = position;
  return { part: rotatePart(part, 0), x, y };
}

export const UNROTATED: readonly number[] = [0];
const HALF_TURNS: readonly number[] = [0, 180];
export const QUARTER_TURNS: readonly number[] = [0, 90, 180, 270];
/** Every 15°, quarter turns first. */
export const FINE_TURNS: readonly number[] = Array.from({ length: 6 }, (_, i) =>
  QUARTER_TURNS.map((turn) => turn + 15 * i),
).flat();

/** Angles are first rounded to 1 / this: the last bits of `atan2` differ between JavaScript engines. */
const STEPS_PER_DEGREE = 2 ** 20;
/** Then to the first of these steps, as fractions of a degree, for which the rectangle grows by no more than the given fraction. */
const ROUND_STEPS = [
  { stepsPerDegree: 1 / 90, growth: 5e-4 },
  ...[1, 10, 100, 1000].map((stepsPerDegree) => ({ stepsPerDegree, growth: 1e-6 })),
];

/**
 * The rotation about z, in degrees, that aligns the minimum-area bounding rectangle of a part with the axes, its long side along x,
 * rounded to a value that a person would write. One of its sides is parallel to an edge of the convex hull (Freeman and Shapira,
 * 1975).
 */
export function minimumRectangleTurn(part: LayoutPart): number {
  const { hull } = rotatePart(part, 0);
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < hull.length; i += 2) {
    const j = (i + 2) % hull.length;
    const along = (Math.atan2(hull[j + 1] - hull[i + 1], hull[j] - hull[i]) * 180) / Math.PI;
    const turn = -Math.round(along * STEPS_PER_DEGREE) / STEPS_PER_DEGREE;
    const [width, depth] = rotatedSides(hull, turn);
    // The first of equal rectangles: rounding must not decide.
    if (width * depth >= least * (1 - 1e-9)) continue;
    least = width * depth;
    best = width >= depth ? turn : turn + 90;
  }
  return roundTurn(hull, best);
}

/** The turn in the coarsest of {@link ROUND_STEPS} that the part's rectangle permits. */
function roundTurn(hull: Float64Array, turn: number): number {
  const least = rectangleArea(rotatedSides(hull, turn));
  for (const { stepsPerDegree, growth } of ROUND_STEPS) {
    const rounded = Math.round(turn * stepsPerDegree) / stepsPerDegree + 0;
    if (rectangleArea(rotatedSides(hull, rounded)) <= (1 + growth) * least) return rounded;
  }
  return turn;
}

const rectangleArea = ([width, depth]: readonly [number, number]): number => width * depth;

/** Straightening must reduce the bounding rectangle of a part by more than this share. */
const MIN_STRAIGHTENING = 0.02;

/** The smallest rotation that aligns the sides of a part with the axes; 0 if that saves too little area ({@link MIN_STRAIGHTENING}). */
export function straightTurn(part: LayoutPart): number {
  const { hull } = rotatePart(part, 0);
  const aligned = minimumRectangleTurn(part);
  const saved = rectangleArea(rotatedSides(hull, 0)) - rectangleArea(rotatedSides(hull, aligned));
  if (saved <= MIN_STRAIGHTENING * rectangleArea(rotatedSides(hull, 0))) return 0;
  return roundTurn(hull, aligned - 90 * Math.round(aligned / 90));
}

function rotatedSides(hull: Float64Array, turn: number): [width: number, depth: number] {
  const { minX, minY, maxX, maxY } = boundingRectangle(rotatePolygons([hull], turn));
  return [maxX - minX, maxY - minY];
}

export const alignedQuarterTurns = (part: LayoutPart): number[] => {
  const aligned = minimumRectangleTurn(part);
  return QUARTER_TURNS.map((turn) => aligned + turn);
};

/**
 * The rotations that put a dental arch across the platform: with its ends to the front, and the opposite one. If the ends are in
 * front, the centroid of the arch is behind the middle of its bounding box.
 */
export function dentalArchTurns(part: LayoutPart): number[] {
  const aligned = minimumRectangleTurn(part);
  const { box } = rotatePart(part, aligned);
  const isCentroidBehindMiddle = centroidY(part.body, aligned) >= (box.minY + box.maxY) / 2;
  return HALF_TURNS.map((turn) => aligned + turn + (isCentroidBehindMiddle ? 0 : 180));
}

function centroidY(region: Polygons, turn: number): number {
  let [area, moment] = [0, 0];
  const { edges } = indexPolygon(region, turn);
  for (let i = 0; i < edges.length; i += 4) {
    const [ax, ay, bx, by] = edges.subarray(i, i + 4);
    const cross = ax * by - bx * ay;
    area += cross;
    moment += (cross * (ay + by)) / 3;
  }
  return moment / area;
}

/** Area of the bounding rectangle of a part, mm²: parts with a larger one are harder to place. */
export function boundingRectangleArea({ body, supports }: LayoutPart): number {
  const { minX, minY, maxX, maxY } = boundingRectangle([...body, ...(supports ?? [])]);
  return (maxX - minX) * (maxY - minY);
}

/** The area that the body of a part covers, mm². */
export const footprintArea = ({ body }: LayoutPart): number => polygonsArea(body);
