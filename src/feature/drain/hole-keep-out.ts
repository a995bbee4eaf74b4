import type { BodyGroup } from "../../check/body-group.ts";
import { noProgress } from "../../core/progress.ts";
import { toModelSpace } from "../../geometry/pose.ts";
import { add, times } from "../../geometry/vector.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../mesh/bvh/closest-point.ts";
import type { KeepOutTest } from "../../solid/drain/candidate-holes.ts";
import type { VentedPart } from "../../solid/vent/ways-out.ts";
import { type KeepOut, newKeepOut } from "../vent/keep-out.ts";

/** Path before a hole that no support may narrow, mm, and the steps in which it is examined. */
const FREE_PATH_MM = [0.5, 1.25, 2];

/** Why a hole may not leave the part at a place: protected areas, touchpoints, and struts or a raft before it. */
export function newHoleKeepOut(keepOut: KeepOut, part: VentedPart, { bodies }: BodyGroup): KeepOutTest {
  const supports = bodies
    .filter(({ isSupport }) => isSupport)
    .map(({ placed }) => ({ placed, tree: buildBvh(placed.mesh, noProgress) }));
  return (way, diameterMm) => {
    const met = newKeepOut(keepOut, part, diameterMm)(way);
    if (met === "NEVER") return "each way out meets a protected area, or one that supports must never touch";
    const isNarrowed = supports.some(({ placed, tree }) =>
      FREE_PATH_MM.some((pathMm) => {
        const place = toModelSpace(placed, add(way.exit, times(way.inward, -pathMm)));
        const reach = diameterMm / 2 / placed.pose.scale;
        return distanceToSurface(tree, place, reach) < reach;
      }),
    );
    if (met === "TOUCHED" || isNarrowed)
      return "each way out meets its supports: drain the model before it gets supports, or move these";
    return undefined;
  };
}
