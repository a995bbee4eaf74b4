import type { BuildVolume, Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { segmentDistance } from "../../mesh/bvh/segment-distance.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { footprintOf, outsideMm } from "../../place/volume.ts";
import { type Ball, between } from "./ball.ts";

/** Where struts may be. */
export interface Space {
  /** Of the model as it stands. */
  readonly surface: Surface;
  readonly facets: FacetTree;
  /** Height at which pillars end. */
  readonly groundMm: number;
  readonly volume?: BuildVolume;
  /** Ends a search whose job was cancelled, by throwing. */
  readonly checkIn: () => void;
}

/** A cone is checked in pieces as wide as their wider end; that end is wider than the other by no more. */
export const WIDENING_MM = 0.05;

/** Whether the strut between two balls stays inside the volume and `gapMm` or more away from the model. */
export function strutFits(space: Space, from: Ball, to: Ball, gapMm: number): boolean {
  if (!ballFits(space, from) || !ballFits(space, to)) return false;
  const pieces = Math.max(1, Math.ceil(Math.abs(to.radiusMm - from.radiusMm) / WIDENING_MM));
  for (let piece = 0; piece < pieces; piece++) {
    const [start, end] = [piece / pieces, (piece + 1) / pieces];
    const wider = to.radiusMm > from.radiusMm ? end : start;
    const reach = from.radiusMm + wider * (to.radiusMm - from.radiusMm) + gapMm;
    if (!isClear(space, between(from.place, to.place, start), between(from.place, to.place, end), reach)) return false;
  }
  return true;
}

/** Whether the model keeps `reachMm` away from a segment. */
export const isClear = ({ facets }: Space, from: Vec3, to: Vec3, reachMm: number): boolean =>
  segmentDistance(facets, from, to, reachMm, reachMm) >= reachMm;

/** Whether a ball stays inside the volume. Between two balls that do, so does a strut: the volume is convex. */
export function ballFits({ volume }: Space, { place: [x, y, z], radiusMm }: Ball): boolean {
  if (!volume) return true;
  const [width, depth, height] = volume.dimensionsMm;
  const inner = {
    dimensionsMm: [width - 2 * radiusMm, depth - 2 * radiusMm, height] as const,
    filletRadiusMm: Math.max(0, volume.filletRadiusMm - radiusMm),
  };
  return (
    Math.min(inner.dimensionsMm[0], inner.dimensionsMm[1]) >= 0 &&
    z + radiusMm <= height &&
    outsideMm(footprintOf(inner), x, y) <= 0
  );
}
