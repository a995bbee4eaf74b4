import { type PlacedBox, rotateVector, rotationMatrix, toModelSpace, transpose } from "../../geometry/pose.ts";
import { type Vec3, add, cosSin, cross, dot, times, unit } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { raycast } from "../../mesh/bvh/raycast.ts";
import { type Mesh, facetNormal } from "../../mesh/mesh.ts";

/** A straight way from a cup to the air around the part, in the scene, mm. */
export interface WayOut {
  /** Where it leaves the part. */
  readonly exit: Vec3;
  /** Facet of the exit. */
  readonly facet: number;
  /** Unit vector from the exit into the cup. */
  readonly inward: Vec3;
  /** From the exit to where it enters the first wall, at the cup. */
  readonly lengthMm: number;
  /** From the exit to the point of the end at which it starts. */
  readonly reachMm: number;
  /** Number of walls on the way; between them are other cavities. */
  readonly walls: number;
}

/** A part in the scene with the tree of its raw mesh. */
export interface VentedPart {
  readonly placed: PlacedBox & { readonly mesh: Mesh };
  readonly tree: Bvh;
}

export interface WayLimits {
  readonly diameterMm: number;
  readonly maxLengthMm: number;
  /** Width of the wall that is kept around the hole, mm; a diameter if absent. */
  readonly rimMm?: number;
  /** Points of the end from which all directions are tried, besides the outermost in each direction; {@link MORE_STARTS} if absent. */
  readonly moreStarts?: number;
}

/** The end of a cup at the platform, or of a pool at the film. */
export interface VentStart {
  /** Of the boundary of the layer of the points that is farther from the rest of the cup or pool. */
  readonly heightMm: number;
  readonly points: readonly Vec3[];
  /** Whether it is the upper end of a pool, from which ways lead upward instead of downward. */
  readonly isUpper?: boolean;
}

/** Directions around the vertical. */
const AZIMUTHS = 16;
/** Slopes from the horizontal, as z of directions whose horizontal part is 1: level, 30° and 60°. */
const SLOPES = [0, 0.577, 1.732];
/** Points of the end from which all directions are tried, besides the outermost in each direction. */
const MORE_STARTS = 12;
/** Distance in height of the axis of a level hole from the end, as a share of its radius: the hole is open from the first layer on. */
const AXIS_SHARE = 0.8;
/** Exits are at least this far above the platform, which closes holes that are nearer, mm. */
const MIN_CLEARANCE_MM = 0.5;

/** The ways out of the end of a cup or pool that keep a wall to the edges of the part, the shortest first. */
export function waysOut(end: VentStart, part: VentedPart, limits: WayLimits): { ways: WayOut[]; hasNarrow: boolean } {
  const found = straightWays(end, part, limits).filter((way) => isOpenAt(way, part));
  return { ways: found.filter((way) => keepsWall(way, part, limits)), hasNarrow: found.length > 0 };
}

/** The ways from the end of a cup or pool to the far side of a wall, the shortest first. Not all of them can be drilled: some end in air that is closed, or beside an edge. */
export const straightWays = (end: VentStart, part: VentedPart, limits: WayLimits): WayOut[] =>
  startsOf(end, limits)
    .flatMap(({ point, outward }) => wayAlong(point, outward, part, limits) ?? [])
    .toSorted((a, b) => a.lengthMm - b.lengthMm);

interface Start {
  readonly point: Vec3;
  readonly outward: Vec3;
}

/** Rays from the end: level and inclined ones from the outermost points of each direction and from points between, and vertical ones. */
function startsOf(
  { heightMm, points, isUpper = false }: VentStart,
  { diameterMm, moreStarts = MORE_STARTS }: WayLimits,
): Start[] {
  const up = isUpper ? 1 : -1;
  const step = Math.ceil(points.length / moreStarts);
  const spread = points.filter((_, i) => i % step === Math.floor(step / 2));
  const directions = Array.from({ length: AZIMUTHS }, (_, i) => cosSin((2 * Math.PI * i) / AZIMUTHS));
  const starts = directions.flatMap(([cos, sin]): Start[] => {
    const along = ([x, y]: Vec3): number => x * cos + y * sin;
    const outermost = points.reduce((a, b) => (along(b) > along(a) ? b : a));
    return [outermost, ...spread].flatMap((point) =>
      SLOPES.map((slope) => ({
        point: slope === 0 ? raised(point, heightMm - (up * AXIS_SHARE * diameterMm) / 2) : point,
        outward: unit([cos, sin, up * slope]),
      })),
    );
  });
  return [...starts, ...spread.map((point): Start => ({ point, outward: [0, 0, up] }))];
}

const raised = ([x, y]: Vec3, z: number): Vec3 => [x, y, z];

/** A section of a line inside the solid: distances along it, mm, and the facet at its end. */
interface SolidSpan {
  readonly from: number;
  readonly to: number;
  readonly facet: number;
}

/** Longer than any part, mm. */
const FAR_MM = 2000;
/** Hits nearer to the last one are the same edge, hit twice. */
const SAME_HIT_MM = 1e-4;
const MOST_HITS = 64;

/** The sections of a ray inside the solid, in order. A ray that begins in the solid has a section from 0. */
function solidSpans({ placed, tree }: VentedPart, point: Vec3, direction: Vec3): SolidSpan[] {
  const { mesh, pose } = placed;
  const toRaw = transpose(rotationMatrix(pose.orientation));
  const along = rotateVector(toRaw, direction);
  const perMm = 1 / pose.scale;
  const origin = toModelSpace(placed, point);
  const spans: SolidSpan[] = [];
  let [at, entered] = [0, 0];
  let isInside: boolean | undefined;
  for (let hits = 0; hits < MOST_HITS; hits++) {
    const hit = raycast(tree, add(origin, times(along, at * perMm)), along, FAR_MM * perMm);
    if (!hit) break;
    const s = at + hit.along * pose.scale;
    const leaves = dot(facetNormal(mesh, hit.facet), along) > 0;
    if (leaves && isInside !== false) spans.push({ from: entered, to: s, facet: hit.facet });
    if (!leaves && isInside !== true) entered = s;
    isInside = !leaves;
    at = s + SAME_HIT_MM;
  }
  return spans;
}

/** The way along a ray to where it has left the last wall that is within the limit. */
function wayAlong(point: Vec3, outward: Vec3, part: VentedPart, { maxLengthMm }: WayLimits): WayOut | undefined {
  const spans = solidSpans(part, point, outward);
  const [first] = spans;
  const end = spans.findLastIndex(({ to }) => first && to - first.from <= maxLengthMm);
  const last = spans[end];
  if (!first || !last) return undefined;
  const exit = add(point, times(outward, last.to));
  const inward = times(outward, -1);
  return { exit, facet: last.facet, inward, lengthMm: last.to - first.from, reachMm: last.to, walls: end + 1 };
}

/** Directions in which the air around an exit must be open: level and upwards; below, the platform closes it. */
const OPEN_DIRECTIONS: readonly Vec3[] = [0, 0.5].flatMap((z) =>
  Array.from({ length: 12 }, (_, i): Vec3 => {
    const [cos, sin] = cosSin((Math.PI * i) / 6);
    return unit([cos, sin, z]);
  }),
);

/** Whether the air around the exit of a way is open. */
export function isOpenAt({ exit, inward }: WayOut, { placed, tree }: VentedPart): boolean {
  const outside = add(exit, times(inward, -MIN_CLEARANCE_MM));
  if (outside[2] < 0 || (inward[2] > 0 && outside[2] < MIN_CLEARANCE_MM)) return false;
  const toRaw = transpose(rotationMatrix(placed.pose.orientation));
  const origin = toModelSpace(placed, outside);
  const farRaw = FAR_MM / placed.pose.scale;
  return OPEN_DIRECTIONS.some((direction) => !raycast(tree, origin, rotateVector(toRaw, direction), farRaw));
}

/** Lines around a hole on which the part must have a wall. */
const RING_LINES = 12;
/** A wall next to the hole may be thinner than at its axis, where the surface is curved or inclined. */
const WALL_SHARE = 0.4;

/** Whether the part has material all around the hole, up to the width of the wall from its rim. Below the platform there is none to keep. */
export function keepsWall(
  { exit, inward, lengthMm }: WayOut,
  part: VentedPart,
  { diameterMm, rimMm = diameterMm }: WayLimits,
): boolean {
  const u = unit(cross(Math.abs(inward[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], inward));
  const v = cross(inward, u);
  const reachMm = diameterMm / 2 + rimMm;
  return Array.from({ length: RING_LINES }, (_, i) => cosSin((2 * Math.PI * i) / RING_LINES)).every(([cos, sin]) => {
    const beside = add(exit, add(times(u, reachMm * cos), times(v, reachMm * sin)));
    if (beside[2] < 0) return true;
    const lineMm = lengthMm + 2 * reachMm;
    const spans = solidSpans(part, add(beside, times(inward, -reachMm)), inward);
    const solidMm = spans.reduce((sum, { from, to }) => sum + Math.min(to, lineMm) - Math.min(from, lineMm), 0);
    return solidMm >= WALL_SHARE * Math.min(lengthMm, rimMm);
  });
}
