import { offsetPolygons } from "../../geometry/polygon-operations.ts";
import { type Point2, type Polygon, type Polygons, containsPoint, signedArea } from "../../geometry/polygon.ts";
import type { Key } from "./key.ts";

/** Largest size of an automatic key, mm; smaller on small faces, by the share of the radius of the largest circle inside (design of the page, section 11). */
const MAX_SIZE_MM = 8;
const SIZE_SHARE = 0.35;
/** Smaller pegs break, and smaller holes close in the resin; the least size of keys of a request. */
const MIN_SIZE_MM = 1;
/** Keys are this many sizes from the rim of the face. */
const RIM_SIZES = 2;
/** Centres of two keys on a face are this many sizes apart: material of half a size stays between them. */
const APART_SIZES = 1.5;

/** The part of the depth of a key in which its hole stays inside the solid, mm. A peg needs room in the upper part only. */
export type RoomFor = (key: Pick<Key, "u" | "v" | "sizeMm" | "depthMm" | "kind">) => number;

/**
 * Pegs for a cut face: on each connected region the two places that are farthest apart, or one where only one fits, none on a small region. A
 * single peg is square, so that the parts cannot turn. Pegs are as long as wide, or shorter where the solid is thin.
 */
export async function automaticKeys(face: Polygons, roomFor: RoomFor): Promise<Key[]> {
  const keys: Key[] = [];
  for (const region of regionsOf(face)) {
    const radiusMm = await inscribedRadius(region);
    const sizeMm = Math.max(MIN_SIZE_MM, Math.min(MAX_SIZE_MM, SIZE_SHARE * radiusMm));
    const places = await placesOn(region, sizeMm);
    const pegs = places.map(([u, v]) => ({ u, v, sizeMm, depthMm: sizeMm, kind: "PEG" as const }));
    const shortened = pegs.map((peg) => ({ ...peg, depthMm: roomFor(peg) }));
    const usable = shortened.filter(({ depthMm }) => depthMm >= sizeMm / 2);
    const shape = usable.length === 1 ? "SQUARE" : "ROUND";
    keys.push(...usable.map((peg) => ({ ...peg, shape, turnDeg: 0 }) as const));
  }
  return keys;
}

/** The connected regions of a face, each an outline and its holes. */
function regionsOf(face: Polygons): Polygons[] {
  const holes = face.filter((polygon) => signedArea(polygon) < 0);
  return face
    .filter((polygon) => signedArea(polygon) > 0)
    .map((outline) => [outline, ...holes.filter(([x, y]) => containsPoint([outline], x, y))]);
}

/** Halvings of the search: to a hundredth of the largest radius that counts. */
const HALVINGS = 7;

/** Radius of the largest circle in a region, mm: at most the one from which keys have their largest size. */
async function inscribedRadius(region: Polygons): Promise<number> {
  let [least, most] = [0, MAX_SIZE_MM / SIZE_SHARE];
  if ((await offsetPolygons(region, -most)).length > 0) return most;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (least + most) / 2;
    if ((await offsetPolygons(region, -middle)).length > 0) least = middle;
    else most = middle;
  }
  return least;
}

/** The centres of keys of a size on a region. */
async function placesOn(region: Polygons, sizeMm: number): Promise<Point2[]> {
  const allowed = await offsetPolygons(region, -RIM_SIZES * sizeMm);
  const corners = allowed.flatMap(cornersOf);
  const pair = farthestPair(corners);
  if (pair.length === 0 || distance(pair[0], pair[1]) >= APART_SIZES * sizeMm) return [...pair];
  return [middleOf(corners)];
}

const cornersOf = (polygon: Polygon): Point2[] =>
  Array.from({ length: polygon.length / 2 }, (_, i): Point2 => [polygon[2 * i], polygon[2 * i + 1]]);

const distance = ([ax, ay]: Point2, [bx, by]: Point2): number => Math.sqrt((ax - bx) ** 2 + (ay - by) ** 2);

/** Directions in which the farthest pair is searched: the distance is at most 0.04 % less than the greatest. */
const DIRECTIONS = 64;

/** Two points at about the greatest distance; none if there are no points. */
function farthestPair(points: readonly Point2[]): readonly Point2[] {
  let best: readonly Point2[] = [];
  for (let i = 0; i < DIRECTIONS && points.length > 0; i++) {
    const angle = (Math.PI * i) / DIRECTIONS;
    const [cos, sin] = [Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle))];
    const along = ([x, y]: Point2): number => x * cos + y * sin;
    const least = points.reduce((a, b) => (along(b) < along(a) ? b : a));
    const most = points.reduce((a, b) => (along(b) > along(a) ? b : a));
    if (best.length === 0 || distance(least, most) > distance(best[0], best[1])) best = [least, most];
  }
  return best;
}

/** The point that is nearest to the mean of all: the mean itself may be outside of a concave region. */
function middleOf(points: readonly Point2[]): Point2 {
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const centre: Point2 = [mean(0), mean(1)];
  return points.reduce((a, b) => (distance(b, centre) < distance(a, centre) ? b : a));
}
