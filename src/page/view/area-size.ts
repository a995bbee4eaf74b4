import { type SurfaceCapsule, coversPlace, distanceToSegment } from "../../geometry/surface-capsule.ts";
import {
  type Vec3,
  distance,
  exactLength,
  lerp,
  triangleCentroid,
  triangleNormal,
  unitOrZero,
} from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import { brushedFacets, capsulesOf, packedCorners } from "./brushed-facets.ts";
import { faceOf } from "./mesh-faces.ts";
import type { PackedMesh } from "./packed-mesh.ts";

/** Facets are divided at the rims of capsules until their edges are this share of the radius. */
const FINEST_SHARE = 0.08;

type Corners = readonly [a: Vec3, b: Vec3, c: Vec3];

/** The surface that shapes cover together, in the square of the lengths of the mesh; within about 1 % of brushed ones. */
export function coveredArea(mesh: PackedMesh, shapes: readonly AreaShape[]): number {
  const whole = new Set<number>();
  const capsulesAt = new Map<number, SurfaceCapsule[]>();
  for (const shape of shapes) {
    if (shape.kind === "FACE") for (const facet of faceOf(mesh, shape)?.facets ?? []) whole.add(facet);
    for (const capsule of capsulesOf(shape)) {
      const { whole: covered, rim } = brushedFacets(mesh, capsule);
      for (const facet of covered) whole.add(facet);
      for (const facet of rim) {
        const near = capsulesAt.get(facet);
        if (near) near.push(capsule);
        else capsulesAt.set(facet, [capsule]);
      }
    }
  }
  let area = 0;
  for (const facet of whole) area += areaOf(packedCorners(mesh, facet));
  for (const [facet, capsules] of capsulesAt) {
    if (whole.has(facet)) continue;
    const corners = packedCorners(mesh, facet);
    area += coveredPart(corners, unitOrZero(triangleNormal(...corners)), capsules);
  }
  return area;
}

const areaOf = ([a, b, c]: Corners): number => exactLength(triangleNormal(a, b, c)) / 2;

/** The area of the part of a triangle that capsules cover. */
function coveredPart(corners: Corners, normal: Vec3, capsules: readonly SurfaceCapsule[]): number {
  const [a, b, c] = corners;
  const centre = triangleCentroid(a, b, c);
  const reach = Math.max(distance(centre, a), distance(centre, b), distance(centre, c));
  const near = capsules.filter((capsule) => distanceToSegment(capsule, centre) < capsule.radiusMm + reach);
  if (near.length === 0) return 0;
  if (near.some((capsule) => corners.every((corner) => coversPlace(capsule, corner, normal)))) return areaOf(corners);
  const finest = FINEST_SHARE * Math.min(...near.map(({ radiusMm }) => radiusMm));
  if (reach < finest) return near.some((capsule) => coversPlace(capsule, centre, normal)) ? areaOf(corners) : 0;
  const [ab, bc, ca] = [lerp(a, b, 0.5), lerp(b, c, 0.5), lerp(c, a, 0.5)];
  const quarters: readonly Corners[] = [
    [a, ab, ca],
    [ab, b, bc],
    [ca, bc, c],
    [ab, bc, ca],
  ];
  return quarters.reduce((sum, quarter) => sum + coveredPart(quarter, normal, near), 0);
}
