import { type Vec3, distance, dot, lerp, subtract } from "./vector.ts";

/** The places of a surface within a distance of a segment: a piece of a stroke. */
export interface SurfaceCapsule {
  readonly from: CapsuleEnd;
  readonly to: CapsuleEnd;
  readonly radiusMm: number;
}

export interface CapsuleEnd {
  readonly point: Vec3;
  /** Outward unit normal of the surface where the person put the end. */
  readonly normal: Vec3;
}

/** Normals at a right angle do not count, whatever rounding makes of them: the walls beside a face that was painted to its edge. */
export const LEAST_COSINE = 1e-6;

/** Whether a place of a surface, with its unit normal, is within the radius, and its normal within 90° of the one of the nearest place of the segment. */
export function coversPlace(capsule: SurfaceCapsule, position: Vec3, normal: Vec3): boolean {
  const { from, to, radiusMm } = capsule;
  const share = nearestShare(capsule, position);
  const aside = subtract(position, lerp(from.point, to.point, share));
  return dot(aside, aside) <= radiusMm * radiusMm && dot(lerp(from.normal, to.normal, share), normal) > LEAST_COSINE;
}

/** The distance of a point from the segment, mm. */
export const distanceToSegment = (capsule: SurfaceCapsule, point: Vec3): number =>
  distance(point, lerp(capsule.from.point, capsule.to.point, nearestShare(capsule, point)));

/** Where on the segment its nearest place to a point is, 0 to 1. */
function nearestShare({ from, to }: SurfaceCapsule, point: Vec3): number {
  const along = subtract(to.point, from.point);
  const square = dot(along, along);
  return square > 0 ? Math.min(1, Math.max(0, dot(subtract(point, from.point), along) / square)) : 0;
}

/** The pieces between consecutive ends of a stroke; a single end is a ball. */
export function capsulesBetween(ends: readonly CapsuleEnd[], radiusMm: number): SurfaceCapsule[] {
  const [first] = ends;
  if (!first) return [];
  if (ends.length === 1) return [{ from: first, to: first, radiusMm }];
  return ends.slice(1).map((to, i) => ({ from: ends[i] ?? first, to, radiusMm }));
}
