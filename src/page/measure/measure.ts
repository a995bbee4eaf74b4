import {
  type Vec3,
  add,
  cross,
  distance,
  dot,
  lerp,
  subtract,
  times,
  unit,
  unitOrZero,
} from "../../geometry/vector.ts";
import type { Feature } from "./features.ts";

/** What two features measure together. Coordinates are those of the features, mm in the scene. */
export interface Measure {
  /** The shortest line between them; undefined for edges and faces at an angle to a face. */
  readonly line: readonly [from: Vec3, to: Vec3] | undefined;
  /** Angle between two faces, inside the part or its notch; between two edges or an edge and a face, at most 90°. */
  readonly angleDeg: number | undefined;
}

type Edge = Extract<Feature, { kind: "edge" }>;
type Face = Extract<Feature, { kind: "face" }>;

/** Directions that differ by less are parallel: twice the tolerance of a plane. */
const PARALLEL_DEG = 0.12;
/** Edges whose ends are nearer, mm, meet in a corner. */
const SAME_CORNER_MM = 0.001;

/** Measures two features; a circle counts as its centre. */
export function measureBetween(a: Feature, b: Feature): Measure {
  if (a.kind === "face") return b.kind === "face" ? betweenFaces(a, b) : reversed(toFace(b, a));
  if (b.kind === "face") return toFace(a, b);
  if (a.kind === "edge") return b.kind === "edge" ? betweenEdges(a, b) : reversed(toEdge(placeOf(b), a));
  return b.kind === "edge" ? toEdge(placeOf(a), b) : { line: [placeOf(a), placeOf(b)], angleDeg: undefined };
}

const reversed = ({ line, angleDeg }: Measure): Measure => ({ line: line && [line[1], line[0]], angleDeg });

const placeOf = (feature: Exclude<Feature, Edge | Face>): Vec3 =>
  feature.kind === "circle" ? feature.centre : feature.point;

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const lengthOf = (v: Vec3): number => Math.sqrt(dot(v, v));

/** Angle between two directions, 0 to 180°. The arctangent stays exact near 0 and 180°. */
const angleBetween = (a: Vec3, b: Vec3): number => degrees(Math.atan2(lengthOf(cross(a, b)), dot(a, b)));

const onPlane = (point: Vec3, { centre, normal }: Face): Vec3 =>
  subtract(point, times(normal, dot(normal, subtract(point, centre))));

function toFace(feature: Exclude<Feature, Face>, face: Face): Measure {
  if (feature.kind !== "edge") {
    const place = placeOf(feature);
    return { line: [place, onPlane(place, face)], angleDeg: undefined };
  }
  const angleDeg = Math.abs(90 - angleBetween(subtract(feature.to, feature.from), face.normal));
  if (angleDeg > PARALLEL_DEG) return { line: undefined, angleDeg };
  const middle = lerp(feature.from, feature.to, 0.5);
  return { line: [middle, onPlane(middle, face)], angleDeg: 0 };
}

function betweenFaces(a: Face, b: Face): Measure {
  const angleDeg = 180 - angleBetween(a.normal, b.normal);
  if (Math.min(angleDeg, 180 - angleDeg) > PARALLEL_DEG) return { line: undefined, angleDeg };
  // The larger face has the more exact direction, and the line from the middle of the smaller one mostly ends in it.
  const line =
    a.area < b.area ? ([a.centre, onPlane(a.centre, b)] as const) : ([onPlane(b.centre, a), b.centre] as const);
  return { line, angleDeg: 0 };
}

function toEdge(point: Vec3, { from, to }: Edge): Measure {
  const along = subtract(to, from);
  const share = clamped(dot(subtract(point, from), along) / (dot(along, along) || 1));
  return { line: [point, lerp(from, to, share)], angleDeg: undefined };
}

const clamped = (share: number): number => Math.max(0, Math.min(1, share));

function betweenEdges(a: Edge, b: Edge): Measure {
  const corner = [a.from, a.to].find((end) => [b.from, b.to].some((other) => distance(end, other) < SAME_CORNER_MM));
  if (corner) {
    const away = ({ from, to }: Edge): Vec3 =>
      distance(from, corner) < SAME_CORNER_MM ? subtract(to, from) : subtract(from, to);
    return { line: undefined, angleDeg: angleBetween(away(a), away(b)) };
  }
  const angle = angleBetween(subtract(a.to, a.from), subtract(b.to, b.from));
  const angleDeg = Math.min(angle, 180 - angle);
  if (angleDeg <= PARALLEL_DEG) return { line: betweenParallels(a, b), angleDeg: 0 };
  return { line: betweenSegments(a, b), angleDeg };
}

/** The line between two parallel edges, in the middle of where they are beside each other. */
function betweenParallels(a: Edge, b: Edge): [Vec3, Vec3] {
  const direction = unit(subtract(a.to, a.from));
  const along = (point: Vec3): number => dot(direction, subtract(point, a.from));
  const [low, high] = [along(b.from), along(b.to)].toSorted((x, y) => x - y) as [number, number];
  const [from, to] = [Math.max(0, low), Math.min(along(a.to), high)];
  if (from > to) return betweenSegments(a, b);
  const start = add(a.from, times(direction, (from + to) / 2));
  const own = unitOrZero(subtract(b.to, b.from));
  return [start, add(b.from, times(own, dot(own, subtract(start, b.from))))];
}

/** The shortest line between two segments (Ericson 2005, section 5.1.9). */
function betweenSegments(a: Edge, b: Edge): [Vec3, Vec3] {
  const [u, v, w] = [subtract(a.to, a.from), subtract(b.to, b.from), subtract(a.from, b.from)];
  const [uu, vv, uv, uw, vw] = [dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)];
  const determinant = uu * vv - uv * uv;
  let s = determinant > 0 ? clamped((uv * vw - uw * vv) / determinant) : 0;
  const t = (uv * s + vw) / (vv || 1);
  if (t < 0) s = clamped(-uw / (uu || 1));
  if (t > 1) s = clamped((uv - uw) / (uu || 1));
  return [add(a.from, times(u, s)), add(b.from, times(v, clamped(t)))];
}
