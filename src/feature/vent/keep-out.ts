import { facetOf, nextHalfedge } from "../../geometry/halfedge.ts";
import { toModelSpace } from "../../geometry/pose.ts";
import { paired } from "../../core/paired.ts";
import { type Vec3, add, distance, dot, lerp, times, unitOrZero } from "../../geometry/vector.ts";
import { type Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import { NO_HALFEDGE, oppositeHalfedges } from "../../mesh/edges.ts";
import { type Mesh, facetNormal, vertexCount } from "../../mesh/mesh.ts";
import type { WayOut, VentedPart } from "../../solid/vent/ways-out.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";

/** Places of the surface, in the coordinates of the raw mesh, that holes avoid. */
export interface KeepOut {
  /** No hole leaves the part there. */
  readonly never: readonly AreaShape[];
  /** Touchpoints of supports: a hole takes away what a tip there holds, so other places come first. */
  readonly touched: readonly Vec3[];
}

/** Tips of supports are at most this far from the rim of a hole, mm. */
const TIP_MM = 1;

/** Decides what the exit of a hole meets. */
export function newKeepOut(
  { never, touched }: KeepOut,
  { placed, tree }: VentedPart,
  diameterMm: number,
): (way: WayOut) => "NEVER" | "TOUCHED" | undefined {
  const { mesh, pose } = placed;
  const radius = diameterMm / 2 / pose.scale;
  const faces = never.flatMap((shape) => (shape.kind === "FACE" ? [facetsOfFace(shape, mesh, tree)] : []));
  return ({ exit, facet }) => {
    const place = toModelSpace(placed, exit);
    const isOn = (shape: AreaShape): boolean =>
      shape.kind !== "FACE" && distanceTo(shape, place) < shape.radius + radius;
    if (never.some(isOn) || faces.some((facets) => facets.has(facet))) return "NEVER";
    const reach = radius + TIP_MM / pose.scale;
    return touched.some((point) => distance(point, place) < reach) ? "TOUCHED" : undefined;
  };
}

/** Distance from the middle of a ball, or from the line of a stroke. */
function distanceTo(shape: Exclude<AreaShape, { kind: "FACE" }>, place: Vec3): number {
  if (shape.kind === "BALL") return distance(shape.centre, place);
  const { points } = shape;
  const segments = paired(points.slice(0, -1), points.slice(1));
  const distances = segments.map(([from, to]) => distanceToSegment(place, from, to));
  return Math.min(...points.map((point) => distance(point, place)), ...distances);
}

function distanceToSegment(place: Vec3, from: Vec3, to: Vec3): number {
  const along = add(to, times(from, -1));
  const squared = dot(along, along);
  const share = squared === 0 ? 0 : dot(add(place, times(from, -1)), along) / squared;
  return distance(place, lerp(from, to, Math.min(1, Math.max(0, share))));
}

/** The facets of a face: those reached from its point over edges at which the normals differ by less than its angle. */
function facetsOfFace(
  { point, angleDeg }: Extract<AreaShape, { kind: "FACE" }>,
  mesh: Mesh,
  tree: Bvh,
): ReadonlySet<number> {
  const seed = closestPoint(tree, point, Infinity);
  if (!seed) return new Set();
  const opposite = oppositeHalfedges(mesh.triangles, vertexCount(mesh));
  const leastCos = Math.cos((angleDeg * Math.PI) / 180);
  const normalOf = (facet: number): Vec3 => unitOrZero(facetNormal(mesh, facet));
  const found = new Set([seed.facet]);
  for (const facet of found) {
    for (let halfedge = 3 * facet, i = 0; i < 3; i++, halfedge = nextHalfedge(halfedge)) {
      const across = opposite[halfedge] ?? NO_HALFEDGE;
      if (across === NO_HALFEDGE) continue;
      const other = facetOf(across);
      if (dot(normalOf(facet), normalOf(other)) > leastCos) found.add(other);
    }
  }
  return found;
}
