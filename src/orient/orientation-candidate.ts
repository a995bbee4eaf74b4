import { BOUNDS_TOLERANCE_MM, type BuildVolume, nearestFit, volumeFootprint } from "../geometry/build-volume.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Mat3, type Vec3, cosSin, cross, unit } from "../geometry/vector.ts";
import { type Moments, tieBreakers } from "./moments.ts";

/** An orientation of a part, including its rotation about the vertical. */
export interface OrientationCandidate {
  readonly rotation: Mat3;
  /** Whether the part fits the build volume at some position. */
  readonly fits: boolean;
}

/** Values that differ by a smaller share count as equal, and the tie breakers decide. */
const EQUAL_SHARE = 1e-3;

/**
 * The orientation of a part with `up` pointing up, rotated about the vertical so that the bounding rectangle of its silhouette is
 * smallest, with the long side of the rectangle along that of the platform; among several such rotations, the one that the tie
 * breakers select. If the part does not fit the volume in this rotation but does in another one, the nearest one that fits.
 */
export function orientationCandidate(
  vertices: Float64Array,
  moments: Moments,
  up: Vec3,
  volume: BuildVolume,
): OrientationCandidate {
  const hull = projectHull(vertices, up);
  const right = bestDirection(hull, moments, volume);
  const fitting = fittingDirection(hull, right, volume);
  return { rotation: rotationWithRight(hull, fitting ?? right), fits: fitting !== undefined };
}

/** The length by which a part exceeds a volume, at least, with `up` pointing up, mm; at most 0 where its box fits. */
export function excessMm(points: Float64Array, up: Vec3, { dimensionsMm: [x, y, z] }: BuildVolume): number {
  const hull = projectHull(points, up);
  const across = enclosingRectangles(hull).map(({ widthMm, depthMm }) => Math.max(widthMm - x, depthMm - y));
  return Math.max(hull.heightMm - z, Math.min(...across));
}

function bestDirection(hull: ProjectedHull, moments: Moments, { dimensionsMm: [x, y] }: BuildVolume): RightDirection {
  const rectangles = enclosingRectangles(hull);
  const least = Math.min(...rectangles.map(({ widthMm, depthMm }) => widthMm * depthMm));
  const alongPlatform = ({ widthMm, depthMm }: EnclosingRectangle): boolean =>
    x >= y ? widthMm >= depthMm * (1 - EQUAL_SHARE) : depthMm >= widthMm * (1 - EQUAL_SHARE);
  const small = rectangles.filter(
    (rectangle) => rectangle.widthMm * rectangle.depthMm <= least * (1 + EQUAL_SHARE) && alongPlatform(rectangle),
  );
  const marked = small.map(({ right }) => ({ right, marks: tieBreakers(moments, rotationWithRight(hull, right)) }));
  return firstByTieBreakers(marked).right;
}

/** The item with the highest first mark; among equal ones, that with the highest second mark, and so on. */
export function firstByTieBreakers<T extends { readonly marks: readonly number[] }>(all: readonly T[]): T {
  return all[0].marks.reduce<readonly T[]>((left, _, mark) => {
    const highest = Math.max(...left.map(({ marks }) => marks[mark]));
    return left.filter(({ marks }) => marks[mark] >= highest - EQUAL_SHARE);
  }, all)[0];
}

/**
 * Number of rotations by whole degrees that are tried if no rotation along an edge of the hull fits: half a turn, as the volume is
 * symmetric.
 */
const DEGREES = 180;

function fittingDirection(
  hull: ProjectedHull,
  wanted: RightDirection,
  volume: BuildVolume,
): RightDirection | undefined {
  if (hull.heightMm > volume.dimensionsMm[2] + BOUNDS_TOLERANCE_MM) return undefined;
  const footprint = volumeFootprint(volume);
  const [x, y] = volume.dimensionsMm;
  const fits = (right: RightDirection): boolean => {
    const { widthMm, depthMm } = enclosingRectangle(hull, right);
    if (widthMm > x + BOUNDS_TOLERANCE_MM || depthMm > y + BOUNDS_TOLERANCE_MM) return false;
    return nearestFit(rotatedHull(hull, right), footprint, [0, 0]) !== undefined;
  };
  if (fits(wanted)) return wanted;
  return directionsByDegree(wanted).find(fits);
}

/**
 * Rotations by whole degrees, the nearest to the wanted one first. Sines are rounded: their last bits differ between
 * JavaScript engines.
 */
const directionsByDegree = ([c, s]: RightDirection): RightDirection[] =>
  Array.from({ length: DEGREES }, (_, i): RightDirection => {
    const angle = ((i % 2 === 0 ? 1 : -1) * Math.ceil((i + 1) / 2) * Math.PI) / DEGREES;
    const [cos, sin] = cosSin(angle);
    return [c * cos - s * sin, s * cos + c * sin];
  });

/** The convex hull of a part projected along `up`, and its height. */
interface ProjectedHull {
  /** Rows: the directions of the part that point to the right, to the back and up. */
  readonly frame: Mat3;
  /** x, y of the corners of the hull in that frame, counter-clockwise, mm. */
  readonly hullXy: Float64Array;
  readonly heightMm: number;
}

/** Projects points (x, y, z of each) along `up`. The rotation of the frame about `up` is arbitrary. */
export function projectHull(points: Float64Array, up: Vec3): ProjectedHull {
  const [ax, ay, az] = up.map(Math.abs);
  const right = unit(cross(up, ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1]));
  const back = cross(up, right);
  const xs = new Float64Array(points.length / 3);
  const ys = new Float64Array(points.length / 3);
  let [bottom, top] = [Infinity, -Infinity];
  for (let i = 0; i < xs.length; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    xs[i] = right[0] * x + right[1] * y + right[2] * z;
    ys[i] = back[0] * x + back[1] * y + back[2] * z;
    const height = up[0] * x + up[1] * y + up[2] * z;
    if (height < bottom) bottom = height;
    if (height > top) top = height;
  }
  return { frame: [...right, ...back, ...up], hullXy: convexHull(xs, ys), heightMm: top - bottom };
}

/** A rotation about the vertical, as the direction of the projection that points right after it. */
export type RightDirection = readonly [x: number, y: number];

/** The corners of the hull after the rotation. */
function rotatedHull({ hullXy }: ProjectedHull, [c, s]: RightDirection): Float64Array {
  const rotated = new Float64Array(hullXy.length);
  for (let at = 0; at < rotated.length; at += 2) {
    rotated[at] = c * hullXy[at] + s * hullXy[at + 1];
    rotated[at + 1] = c * hullXy[at + 1] - s * hullXy[at];
  }
  return rotated;
}

/** The rotation of the part that makes `up` point up and `right` point right. */
export function rotationWithRight({ frame }: ProjectedHull, [c, s]: RightDirection): Mat3 {
  const [a, b, d, e, f, g, ...up] = frame;
  return [c * a + s * e, c * b + s * f, c * d + s * g, c * e - s * a, c * f - s * b, c * g - s * d, ...up];
}

/** The bounding rectangle of a hull after a rotation about the vertical. */
interface EnclosingRectangle {
  readonly right: RightDirection;
  readonly widthMm: number;
  readonly depthMm: number;
}

/**
 * The bounding rectangles with a side along each edge of the hull, in four rotations each; one is the minimum-area rectangle (Freeman
 * and Shapira, 1975). Not shared with `minimumRectangleTurn` of layout, which works in rounded degrees.
 */
function enclosingRectangles(hull: ProjectedHull): EnclosingRectangle[] {
  const { hullXy } = hull;
  const rectangles: EnclosingRectangle[] = [];
  for (let at = 0; at < hullXy.length; at += 2) {
    const to = (at + 2) % hullXy.length;
    const [x, y] = [hullXy[to] - hullXy[at], hullXy[to + 1] - hullXy[at + 1]];
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) continue;
    const [c, s] = [x / length, y / length];
    const { widthMm, depthMm } = enclosingRectangle(hull, [c, s]);
    rectangles.push(
      { right: [c, s], widthMm, depthMm },
      { right: [-c, -s], widthMm, depthMm },
      { right: [-s, c], widthMm: depthMm, depthMm: widthMm },
      { right: [s, -c], widthMm: depthMm, depthMm: widthMm },
    );
  }
  return rectangles.length > 0 ? rectangles : [{ right: [1, 0], widthMm: 0, depthMm: 0 }];
}

/** Inlined rather than `boundingRectangle(rotatedHull(…))`: it runs for each edge of the hull of each direction. */
function enclosingRectangle({ hullXy }: ProjectedHull, right: RightDirection): EnclosingRectangle {
  const [c, s] = right;
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let at = 0; at < hullXy.length; at += 2) {
    const x = c * hullXy[at] + s * hullXy[at + 1];
    const y = c * hullXy[at + 1] - s * hullXy[at];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { right, widthMm: maxX - minX, depthMm: maxY - minY };
}
