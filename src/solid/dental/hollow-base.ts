import type { Progress } from "../../core/progress.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { intersectPolygons, offsetPolygons, unionPolygons } from "../../geometry/polygon-operations.ts";
import { type Polygons } from "../../geometry/polygon.ts";
import { difference, intersection, union } from "../../mesh/boolean.ts";
import { buildBvh } from "../../mesh/bvh/bvh.ts";
import { loft } from "../../mesh/loft.ts";
import { boundingRectangle, boxOf } from "../../geometry/box.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import type { BaseSurface } from "./base.ts";
import { archwaySolid, regionBelowRoof, solidBelowRoof } from "./cavity-solids.ts";
import { type DrainHole, type DrainOptions, type DrainSite, placeDrainHoles } from "./drain-holes.ts";
import { PASSAGE_RADIUS_MM, type Passage, findPassages, hollowCells, honeycombOver } from "./honeycomb.ts";
import { type Roof, buildRoof } from "./roof.ts";
import type { SceneTransform } from "./scene-transform.ts";

export interface HollowBaseOptions {
  readonly shellMm: number;
  /** Thickness of the walls of a honeycomb inside; none if absent. */
  readonly wallMm?: number | undefined;
  readonly drains: DrainOptions;
}

interface HollowedBase {
  /** In raw coordinates; absent if nothing can become hollow. */
  readonly surface?: Surface;
  /** Sentences without their subject, the model. */
  readonly warnings: readonly string[];
}

/** The two sides of a thinner shell would touch. */
const MIN_SHELL_MM = 0.1;
/** Lower cavities stay solid: no passage fits. */
const MIN_CAVITY_HEIGHT_MM = PASSAGE_RADIUS_MM;
/** Cutters reach this far below the bottom, so that none of their facets is in its plane. */
const BELOW_MM = 1;

const STAYS_SOLID: HollowedBase = {
  warnings: ["is nowhere thick enough to be hollow and stays solid: ask for a thinner shell or a longer extrusion"],
};

/**
 * Hollows a solid on its base from the bottom up. `solid` is the raw mesh of `base`. Throws OPERATION_FAILED if the
 * solid is not closed.
 */
export async function hollowBase(
  solid: Mesh,
  base: BaseSurface,
  transform: SceneTransform,
  { wallMm, drains, ...options }: HollowBaseOptions,
  progress: Progress,
): Promise<HollowedBase> {
  const { bottomMm } = base;
  const shellMm = Math.max(MIN_SHELL_MM, options.shellMm);
  const sections = await Promise.all(base.outlines.map(unionPolygons));
  const bottom = sections.at(-1)!;
  const inner = await offsetPolygons(await intersectAll(sections), -shellMm);
  if (inner.length === 0) return STAYS_SOLID;
  const topMm = boxOf(base.vertices).max[2];
  const outside = { vertices: base.vertices, triangles: base.triangles.subarray(0, 3 * base.bottomFrom) };
  const bvh = buildBvh(outside, progress.part(0, 0.1));
  const roof = await buildRoof({ region: inner, bottomMm, topMm, bvh, shellMm }, progress.part(0.1, 0.6));
  const region = await regionBelowRoof(roof, inner, bottomMm + MIN_CAVITY_HEIGHT_MM);
  const plan = await planCavity({ bottom, roof, bottomMm, shellMm }, region, wallMm, drains, progress.part(0.6, 0.7));
  if (plan.cells.length === 0) return STAYS_SOLID;
  const cutters = [
    await cavitySolid(plan, roof, bottomMm, topMm, progress.part(0.7, 0.85)),
    ...plan.holes.map((hole) => archwaySolid(hole, bottomMm, BELOW_MM)),
  ].map(({ vertices, triangles }) => ({ vertices: transform.toRaw(vertices), triangles }));
  progress.report(0.85);
  return { surface: await difference(solid, cutters, progress.part(0.85, 1)), warnings: plan.warnings };
}

async function intersectAll([first, ...others]: readonly Polygons[]): Promise<Polygons> {
  let common = first;
  for (const region of others) common = await intersectPolygons(common, region);
  return common;
}

/** The cavity without the drain holes. */
async function cavitySolid(
  { cells, passages }: CavityPlan,
  roof: Roof,
  bottomMm: number,
  topMm: number,
  progress: Progress,
): Promise<Surface> {
  const region = cells.flat();
  const columns = await loft([bottomMm - BELOW_MM, topMm + BELOW_MM].map((zMm) => ({ zMm, region })));
  const openings = passages.map((passage) => archwaySolid(passage, bottomMm, BELOW_MM / 2));
  const whole = await union([columns, ...openings], progress.part(0, 0.7));
  return intersection(whole, solidBelowRoof(roof, bottomMm - 2 * BELOW_MM), progress.part(0.7, 1));
}

/** The cavity of a base, seen from above. */
interface CavityPlan {
  readonly cells: readonly Polygons[];
  /** Openings between cells. */
  readonly passages: readonly Passage[];
  /** Openings through the side. */
  readonly holes: readonly DrainHole[];
  /** Sentences without their subject, the model. */
  readonly warnings: readonly string[];
}

const NO_DRAIN_HOLE =
  "has no place for a drain hole, and will hold resin where it stands on the platform: ask for smaller holes";

const NO_DRAIN_HOLE_ASKED =
  "has no drain holes: where it stands on the platform its hollow is sealed and will hold resin. Ask for " +
  "drain_hole_radius_mm and drain_hole_max_count above 0";

/**
 * Divides the region that may become hollow into the cells of a honeycomb, if there is one, and places passages and
 * drain holes. If there are drain holes, cells that drain through none stay solid.
 */
async function planCavity(
  site: Omit<DrainSite, "cells">,
  region: Polygons,
  wallMm: number | undefined,
  drains: DrainOptions,
  progress: Progress,
): Promise<CavityPlan> {
  const honeycomb = wallMm === undefined ? undefined : honeycombOver(boundingRectangle(region), wallMm);
  const cells = await hollowCells(region, honeycomb, progress.part(0, 0.4));
  const hasDrains = drains.radiusMm > 0 && drains.mostPerContour > 0;
  if (cells.length === 0) return { cells, passages: [], holes: [], warnings: [] };
  if (!hasDrains) return { cells, passages: [], holes: [], warnings: [NO_DRAIN_HOLE_ASKED] };
  const passages = honeycomb ? findPassages(cells, region, honeycomb, progress.part(0.4, 0.7)) : [];
  const holes = placeDrainHoles({ ...site, cells }, drains, progress.part(0.7, 1));
  if (holes.length === 0) return { cells, passages, holes, warnings: [NO_DRAIN_HOLE] };
  const isDrained = drainedCells(cells.length, passages, holes);
  const drained = cells.filter((_, cell) => isDrained(cell));
  return {
    cells: drained,
    passages: passages.filter(({ cells: [cell] }) => isDrained(cell)),
    holes,
    warnings: solidPartsWarning(cells.length - drained.length),
  };
}

/** Returns whether resin leaves a cell, through its own hole or through passages that lead to one. */
function drainedCells(
  count: number,
  passages: readonly Passage[],
  holes: readonly DrainHole[],
): (cell: number) => boolean {
  const sets = newDisjointSets(count);
  for (const { cells } of passages) sets.join(...cells);
  const drained = new Set(holes.map(({ cell }) => sets.find(cell)));
  return (cell) => drained.has(sets.find(cell));
}

function solidPartsWarning(count: number): string[] {
  if (count === 0) return [];
  const parts =
    count === 1 ? "1 part that no drain hole reaches stays" : `${count} parts that no drain hole reaches stay`;
  return [`is not hollow throughout: ${parts} solid`];
}
