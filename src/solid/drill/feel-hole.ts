import { centreOf, dot, sizeOf } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { singleStepMm } from "../../mesh/single-step.ts";
import type { Bore } from "./bore.ts";
import { cutsInto } from "./cuts-into.ts";
import { facetsAlong } from "./facets-along.ts";
import { type Frame, frameOf, toFrame } from "./frame.ts";
import type { Hole } from "./hole.ts";
import { nearestOn } from "./nearest-on.ts";
import { type Wall, wallAt } from "./wall.ts";

/** What a hole finds on a mesh. */
export interface Felt {
  /** Undefined where the hole does not meet the mesh. */
  readonly bore?: Bore;
  /** Whether there is a surface where the hole begins, even one that no material follows. */
  readonly isNear: boolean;
}

/** Holes are cut so far beyond the surfaces that they open, in diameters: facets between the lines that felt them. */
const MARGIN = 0.1;
/** The least of that, where the material behind is near. */
const LEAST_MARGIN = 0.01;

/**
 * Where a hole is cut into a mesh. The bore starts outside of the whole of the surface that it goes through, also where
 * that is curved or aslant.
 */
export function feelHole(mesh: Mesh, asked: Hole, watch: Watch): Felt {
  const hole = snapped(mesh, asked, watch.part(0, 0.3));
  if (!hole) return { isNear: false };
  const { depthMm, outsetMm } = hole;
  const frame = frameOf(hole);
  const diameterMm = Math.min(hole.diameterMm, widestOver(mesh, frame));
  const radiusMm = diameterMm / 2;
  const facets = facetsAlong(mesh, frame, radiusMm, watch.part(0.3, 0.6));
  const rounding = roundingOf(mesh, radiusMm);
  // What only touches the hole is not met.
  const felt = Math.max(0, radiusMm - rounding);
  // A position may miss the surface by as much.
  const reach = Math.max(outsetMm, radiusMm);
  const wall = wallAt(facets, felt, reach, rounding, watch.part(0.6, 1));
  const outset = Math.max(outsetMm, MARGIN * radiusMm);
  const [least, most] = extentAlong(mesh, frame);
  const bore = (surfaceMm: number, endMm: number): Bore => ({
    frame,
    radiusMm,
    fromMm: Math.max(Math.min(0, surfaceMm) - outset, least - diameterMm),
    toMm: Math.min(endMm, most + diameterMm),
  });
  if (depthMm === "AUTO") {
    return wall
      ? { bore: bore(wall.surfaceMm, endOf(wall, diameterMm)), isNear: true }
      : { isNear: cutsInto(facets, felt, -reach, reach) };
  }
  const fixed = bore(wall && wall.entryMm >= -reach ? wall.surfaceMm : 0, depthMm);
  const isNear =
    cutsInto(facets, felt, fixed.fromMm + rounding, fixed.toMm - rounding) ||
    (wall !== undefined && wall.entryMm < fixed.toMm - rounding);
  return isNear ? { bore: fixed, isNear } : { isNear };
}

/** A hole so wide takes all that is as deep as it; a cutter that is far wider would cost the boolean its precision. */
function widestOver({ box }: Mesh, frame: Frame): number {
  const ends = [box.min, box.max];
  const across = ends.flatMap(([x]) =>
    ends.flatMap(([, y]) =>
      ends.map(([, , z]) => {
        const [u, v] = toFrame(frame, [x, y, z]);
        return Math.sqrt(u * u + v * v);
      }),
    ),
  );
  return 4 * Math.max(...across);
}

function snapped(mesh: Mesh, hole: Hole, watch: Watch): Hole | undefined {
  if (hole.searchMm === undefined) return hole;
  const position = nearestOn(mesh, hole.position, hole.searchMm, watch);
  return position && { ...hole, position };
}

/** Behind the wall, and where it can be before what is behind. */
function endOf({ throughMm, oppositeMm }: Wall, diameterMm: number): number {
  const free = (oppositeMm - throughMm) / 2;
  return throughMm + Math.min(MARGIN * diameterMm, Math.max(LEAST_MARGIN * diameterMm, free));
}

/** Places nearer to each other are one: what rounding makes of coordinates, or what does not matter to the hole. */
const roundingOf = (mesh: Mesh, radiusMm: number): number => Math.max(1e-4 * radiusMm, 4 * singleStepMm(mesh.box));

/** Between which places along the axis the mesh's box lies. A cutter that is far longer would cost the boolean its precision. */
function extentAlong({ box }: Mesh, frame: Frame): [least: number, most: number] {
  const [, , middle] = toFrame(frame, centreOf(box));
  const half = dot(sizeOf(box), frame.s.map(Math.abs) as [number, number, number]) / 2;
  return [middle - half, middle + half];
}
