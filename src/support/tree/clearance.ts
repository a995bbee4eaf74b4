import { type BuildVolume, distanceOutside, volumeFootprint } from "../../geometry/build-volume.ts";
import { type Ball, type Vec3, lerp } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { segmentDistance } from "../../mesh/bvh/segment-distance.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { SurfacePoint } from "../points/underside.ts";
import { type SupportTree, ballOf } from "./support-tree.ts";

/** The space that struts are routed in, and its obstacles. */
export interface RoutingSpace {
  /** The model in scene coordinates. */
  readonly surface: Surface;
  readonly bvh: Bvh;
  /** Height at which pillars end. */
  readonly groundMm: number;
  /** If given, struts stay inside. */
  readonly volume: BuildVolume | undefined;
  /** Where no foot may stand on the model; absent: nowhere. */
  readonly isBarred?: ((point: SurfacePoint) => boolean) | undefined;
  /** Throws if the job was cancelled. */
  readonly checkCancelled: () => void;
}

/** Struts are checked in pieces that widen by no more than this, each as a cylinder of its larger radius. */
export const MAX_WIDENING_MM = 0.05;

/** Whether the strut between two balls is inside the volume and at least `clearanceMm` away from the model. */
export function strutFits(space: RoutingSpace, from: Ball, to: Ball, clearanceMm: number): boolean {
  if (!isBallInVolume(space, from) || !isBallInVolume(space, to)) return false;
  const pieces = Math.max(1, Math.ceil(Math.abs(to.radiusMm - from.radiusMm) / MAX_WIDENING_MM));
  for (let piece = 0; piece < pieces; piece++) {
    const [start, end] = [piece / pieces, (piece + 1) / pieces];
    const wider = to.radiusMm > from.radiusMm ? end : start;
    const reachMm = from.radiusMm + wider * (to.radiusMm - from.radiusMm) + clearanceMm;
    if (!isPathClear(space, lerp(from.centre, to.centre, start), lerp(from.centre, to.centre, end), reachMm))
      return false;
  }
  return true;
}

/** Whether the model is at least `reachMm` away from a segment. */
export const isPathClear = ({ bvh }: RoutingSpace, from: Vec3, to: Vec3, reachMm: number): boolean =>
  segmentDistance(bvh, from, to, reachMm, reachMm) >= reachMm;

/** Whether a ball is inside the volume. A strut between two such balls is inside too: the volume is convex. */
export function isBallInVolume(
  { volume }: Pick<RoutingSpace, "volume">,
  { centre: [x, y, z], radiusMm }: Ball,
): boolean {
  if (!volume) return true;
  const [width, depth, height] = volume.dimensionsMm;
  const inner = {
    dimensionsMm: [width - 2 * radiusMm, depth - 2 * radiusMm, height] as const,
    filletRadiusMm: Math.max(0, volume.filletRadiusMm - radiusMm),
  };
  return (
    Math.min(inner.dimensionsMm[0], inner.dimensionsMm[1]) >= 0 &&
    z + radiusMm <= height &&
    distanceOutside(volumeFootprint(inner), x, y) <= 0
  );
}

/** Whether all struts of a tree are inside a volume. */
export function isTreeInVolume(tree: SupportTree, volume: BuildVolume): boolean {
  for (let node = 0; 4 * node < tree.nodes.length; node++)
    if (!isBallInVolume({ volume }, ballOf(tree, node))) return false;
  return true;
}
