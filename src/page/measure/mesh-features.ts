import { facetOf } from "../../geometry/halfedge.ts";
import { memoize } from "../../core/memoize.ts";
import { type Vec3, cross, dot, length, lerp, subtract, times, unitOrZero } from "../../geometry/vector.ts";
import { nearestOnSegment } from "../view/handles.ts";
import type { Pixel } from "../view/orbit.ts";
import type { PackedMesh } from "../view/packed-mesh.ts";
import type { Feature } from "./features.ts";
import { type Circle, fittedCircle } from "./fitted-circle.ts";
import { type FlatRegion, FlatRegions, SAME_PLANE_COS, SMOOTH_COS, cosBetween } from "./flat-regions.ts";
import {
  type MeshTopology,
  across,
  endOf,
  newTopology,
  pointAt,
  sidesAt,
  startOf,
  facetNormal,
} from "./mesh-topology.ts";
import type { Slices } from "./slices.ts";

/** Where the pointer is on a mesh. */
export interface Aim {
  readonly facet: number;
  readonly point: Vec3;
  /** Where a point of the mesh is in the picture, px from the pointer. */
  toPixel(point: Vec3): Pixel;
  /** Whether no section cuts this point off. */
  isKept(point: Vec3): boolean;
  /** Unit vector toward the viewer. */
  readonly toward: Vec3;
  /** How far from the pointer corners and edges may be. */
  readonly reachPx: number;
  /** Length of a unit of the mesh's coordinates in the scene, mm. */
  readonly mmPerUnit: number;
}

/** Tolerance of circles: a hundredth of a millimetre and a thousandth of the radius. */
const CIRCLE_MM = 0.01;
const CIRCLE_SHARE = 0.001;
/** At most so many facets around the pointer are searched: where there are more, they are smaller than a pixel. */
const MOST_FACETS = 2000;
/** What is behind facets at a smaller sine to the line of sight is out of sight. */
const EDGE_ON = 0.02;
/** At most so many edges around the pointer are examined. */
const MOST_EDGES = 16;
/** At most so many points of a rim are kept. */
const MOST_RIM_POINTS = 2000;

interface NearSide {
  readonly side: number;
  readonly px: number;
}

interface Ready {
  readonly topology: MeshTopology;
  readonly regions: FlatRegions;
}

/** The features of a mesh, found around the places that are asked for. */
export const featuresOf = memoize((mesh: PackedMesh) => new MeshFeatures(mesh));

export class MeshFeatures {
  readonly #building: Slices<MeshTopology>;
  #ready: Ready | undefined;

  constructor(mesh: PackedMesh) {
    this.#building = newTopology(mesh);
  }

  /** The nearest corner within reach, else the nearest circle or edge, else the face under the pointer, or the place on a curved surface. */
  *at(aim: Aim): Slices<Feature> {
    const { topology, regions } = this.#ready ?? (yield* this.#build());
    const sides = nearSides(topology, aim).slice(0, MOST_EDGES);
    for (const vertex of nearCorners(topology, sides, aim)) {
      for (const side of sidesAt(topology, vertex)) {
        const circle = yield* circleAt(topology, regions, side, aim);
        if (circle) return { kind: "circle", ...circle };
      }
      return { kind: "corner", point: pointAt(topology, vertex) };
    }
    for (const { side } of sides) {
      if (!(yield* isEdge(topology, regions, side))) continue;
      const circle = yield* circleAt(topology, regions, side, aim);
      if (circle) return { kind: "circle", ...circle };
      return yield* edgeAt(topology, regions, side);
    }
    const region = yield* regions.at(aim.facet);
    return region.isCurved ? { kind: "place", point: aim.point } : faceOf(topology, region);
  }

  /** Goes on where an earlier search stopped. */
  *#build(): Slices<Ready> {
    for (let step = this.#building.next(); ; step = this.#building.next()) {
      if (step.done) {
        this.#ready = { topology: step.value, regions: new FlatRegions(step.value) };
        return this.#ready;
      }
      yield;
    }
  }
}

/** Sides of visible facets around the pointer at which the surface bends, the nearest first. */
function nearSides(topology: MeshTopology, { facet, toPixel, isKept, toward, reachPx }: Aim): NearSide[] {
  const seen = new Set([facet]);
  const found: NearSide[] = [];
  for (const one of seen) {
    if (seen.size > MOST_FACETS) break;
    const normal = facetNormal(topology, one);
    for (let side = 3 * one; side < 3 * one + 3; side++) {
      const [a, b] = [pointAt(topology, startOf(topology, side)), pointAt(topology, endOf(topology, side))];
      const { px, share } = nearestOnSegment({ x: 0, y: 0 }, toPixel(a), toPixel(b));
      if (px > reachPx) continue;
      const other = across(topology, side);
      const next = other < 0 ? undefined : facetNormal(topology, facetOf(other));
      if ((!next || cosBetween(normal, next) < SAME_PLANE_COS) && isKept(lerp(a, b, share))) found.push({ side, px });
      if (next && dot(next, toward) > EDGE_ON * length(next)) seen.add(facetOf(other));
    }
  }
  return found.toSorted((a, b) => a.px - b.px);
}

/** Ends of these sides within reach where three edges meet, or two with a bend, the nearest first. */
function nearCorners(
  topology: MeshTopology,
  sides: readonly NearSide[],
  { toPixel, isKept, toward, reachPx }: Aim,
): number[] {
  const ends = new Set(sides.flatMap(({ side }) => [startOf(topology, side), endOf(topology, side)]));
  const near = [...ends].flatMap((vertex) => {
    const point = pointAt(topology, vertex);
    const { x, y } = toPixel(point);
    const px = Math.round(Math.hypot(x, y));
    const isNear = px <= reachPx && isKept(point) && isCorner(topology, vertex);
    return isNear ? { vertex, px, height: dot(point, toward) } : [];
  });
  // Of corners behind each other the front one counts.
  return near.toSorted((a, b) => a.px - b.px || b.height - a.height).map(({ vertex }) => vertex);
}

function isCorner(topology: MeshTopology, vertex: number): boolean {
  const directions = [...sidesAt(topology, vertex)].flatMap((side) =>
    isSharp(topology, side)
      ? [subtract(pointAt(topology, endOf(topology, side)), pointAt(topology, startOf(topology, side)))]
      : [],
  );
  const [a, b] = directions;
  return directions.length > 2 || (a !== undefined && b !== undefined && cosBetween(a, times(b, -1)) < SMOOTH_COS);
}

function isSharp(topology: MeshTopology, side: number): boolean {
  const other = across(topology, side);
  if (other < 0) return true;
  return cosBetween(facetNormal(topology, facetOf(side)), facetNormal(topology, facetOf(other))) < SMOOTH_COS;
}

/** Sides at which the surface bends sharply, or where two flat faces meet, are edges. */
function* isEdge(topology: MeshTopology, regions: FlatRegions, side: number): Slices<boolean> {
  if (isSharp(topology, side)) return true;
  for (const one of [side, across(topology, side)]) {
    const { isCurved } = yield* regions.at(facetOf(one));
    if (isCurved) return false;
  }
  return true;
}

/** A place in the rim of a flat region. */
interface RimSide {
  readonly region: FlatRegion;
  readonly rim: readonly number[];
  readonly at: number;
}

/** The flat regions on both sides of an edge, each with its rim there. */
function* rimsAt(topology: MeshTopology, regions: FlatRegions, side: number): Slices<RimSide[]> {
  const found: RimSide[] = [];
  for (const one of [side, across(topology, side)]) {
    if (one < 0) continue;
    const region = yield* regions.at(facetOf(one));
    for (const rim of region.rims) {
      const at = rim.indexOf(one);
      if (at >= 0) found.push({ region, rim, at });
    }
  }
  return found;
}

function* circleAt(
  topology: MeshTopology,
  regions: FlatRegions,
  side: number,
  { mmPerUnit }: Aim,
): Slices<Circle | undefined> {
  const tolerance = { absolute: CIRCLE_MM / mmPerUnit, relative: CIRCLE_SHARE };
  for (const { region, rim } of yield* rimsAt(topology, regions, side)) {
    const circle = fittedCircle(pointsOf(topology, rim), region.normal, tolerance, topology.rounding);
    if (circle) return circle;
  }
  return undefined;
}

const pointsOf = (topology: MeshTopology, rim: readonly number[]): Vec3[] =>
  rim.map((side) => pointAt(topology, startOf(topology, side)));

/** The straight piece of a rim in which a side lies, along one face on each side of it. */
function* edgeAt(topology: MeshTopology, regions: FlatRegions, side: number): Slices<Feature> {
  const found = yield* rimsAt(topology, regions, side);
  const { rim, at } = found.find(({ region }) => !region.isCurved) ?? found[0] ?? { rim: [side], at: 0 };
  const there = (offset: number): number => rim[(at + offset + rim.length) % rim.length]!;
  let [first, last] = [0, 0];
  while (last - first + 1 < rim.length && isInLine(topology, side, there(last + 1))) last++;
  while (last - first + 1 < rim.length && isInLine(topology, side, there(first - 1))) first--;
  return {
    kind: "edge",
    from: pointAt(topology, startOf(topology, there(first))),
    to: pointAt(topology, endOf(topology, there(last))),
  };
}

/** Bend along which an edge still counts as straight, as a tangent: that of {@link SAME_PLANE_COS}. */
const STRAIGHT_TAN = Math.sqrt(1 - SAME_PLANE_COS ** 2) / SAME_PLANE_COS;

/** Whether a side lies on the line of another one, with the same direction of the surface beyond. */
function isInLine(topology: MeshTopology, side: number, other: number): boolean {
  const start = pointAt(topology, startOf(topology, side));
  const direction = unitOrZero(subtract(pointAt(topology, endOf(topology, side)), start));
  const isOnLine = [startOf(topology, other), endOf(topology, other)].every((vertex) => {
    const arm = subtract(pointAt(topology, vertex), start);
    return length(cross(direction, arm)) <= topology.rounding + STRAIGHT_TAN * Math.abs(dot(direction, arm));
  });
  const [beyond, next] = [across(topology, side), across(topology, other)];
  if (!isOnLine || beyond < 0 || next < 0) return isOnLine && beyond < 0 && next < 0;
  return cosBetween(facetNormal(topology, facetOf(beyond)), facetNormal(topology, facetOf(next))) >= SAME_PLANE_COS;
}

function faceOf(topology: MeshTopology, { centre, normal, area, rims }: FlatRegion): Feature {
  const step = Math.ceil(rims.reduce((sum, rim) => sum + rim.length, 0) / MOST_RIM_POINTS);
  const points = rims.map((rim) =>
    pointsOf(
      topology,
      rim.filter((_, i) => i % step === 0),
    ),
  );
  return { kind: "face", centre, normal, area, rims: points };
}
