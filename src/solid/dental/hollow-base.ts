import type { Watch } from "../../core/watch.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { intersection } from "../../mesh/boolean/intersection.ts";
import { clipped } from "../../mesh/boolean/region/clipped.ts";
import { grown } from "../../mesh/boolean/region/grown.ts";
import { loft } from "../../mesh/boolean/region/loft.ts";
import type { Region } from "../../mesh/boolean/region/region.ts";
import { united } from "../../mesh/boolean/region/united.ts";
import { union } from "../../mesh/boolean/union.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { boxOf } from "../../mesh/measure.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { archwayBody } from "./archway.ts";
import type { Based } from "./base.ts";
import type { DrainShape } from "./drain-holes.ts";
import type { Frame } from "./frame.ts";
import { PASSAGE_MM } from "./passages.ts";
import { type Plan, planOf } from "./plan.ts";
import { regionUnder } from "./roof/region-under.ts";
import type { Roof } from "./roof/roof.ts";
import { roofOver } from "./roof/roof-over.ts";
import { roomBelow } from "./roof/room-below.ts";

export interface HollowShape {
  readonly shellMm: number;
  /** Thickness of the walls of a honeycomb within; absent: none. */
  readonly wallMm?: number;
  readonly drains: DrainShape;
}

export interface HollowBase {
  /** In raw coordinates; absent where nothing can be hollow. */
  readonly surface?: Surface;
  /** What a client should know, as said of the model. */
  readonly warnings: readonly string[];
}

/** No thinner a shell is made: its two sides would touch. */
const THINNEST_SHELL_MM = 0.1;
/** Lower room is left solid: no passage fits in it. */
const LOWEST_MM = PASSAGE_MM;
/** Tools reach so far below the bottom: nothing of them lies in its plane. */
const BELOW_MM = 1;

/**
 * A solid on its base, hollowed from the bottom up. `solid` is the raw mesh of `base`. Throws OPERATION_FAILED where the
 * solid is not closed.
 */
export async function hollowBase(
  solid: Mesh,
  base: Based,
  frame: Frame,
  { wallMm, drains, ...shape }: HollowShape,
  watch: Watch,
): Promise<HollowBase> {
  const { bottomMm } = base;
  const shellMm = Math.max(THINNEST_SHELL_MM, shape.shellMm);
  const sections = await Promise.all(base.outlines.map(united));
  const bottom = sections.at(-1)!;
  const inner = await grown(await commonOf(sections), -shellMm);
  if (inner.length === 0) return STAYS_SOLID;
  const topMm = boxOf(base.vertices).max[2];
  const outside = { vertices: base.vertices, triangles: base.triangles.subarray(0, 3 * base.bottomFrom) };
  const tree = facetTree(outside, watch.part(0, 0.1));
  const roof = await roofOver({ region: inner, bottomMm, topMm, tree, shellMm }, watch.part(0.1, 0.6));
  const region = await regionUnder(roof, inner, bottomMm + LOWEST_MM);
  const plan = await planOf({ bottom, roof, bottomMm, shellMm }, region, wallMm, drains, watch.part(0.6, 0.7));
  if (plan.cells.length === 0) return STAYS_SOLID;
  const tools = [
    await roomOf(plan, roof, bottomMm, topMm, watch.part(0.7, 0.85)),
    ...plan.holes.map((hole) => archwayBody(hole, bottomMm, BELOW_MM)),
  ].map(({ vertices, triangles }) => ({ vertices: frame.toRaw(vertices), triangles }));
  watch.report(0.85);
  return { surface: await difference(solid, tools), warnings: plan.warnings };
}

/** What lies in all regions. */
async function commonOf([first, ...others]: readonly Region[]): Promise<Region> {
  let common = first;
  for (const region of others) common = await clipped(common, region);
  return common;
}

const STAYS_SOLID: HollowBase = {
  warnings: ["is nowhere thick enough to be hollow and stays solid: ask for a thinner shell or a longer extrusion"],
};

/** All that is hollow but for the holes through the side. */
async function roomOf(
  { cells, passages }: Plan,
  roof: Roof,
  bottomMm: number,
  topMm: number,
  watch: Watch,
): Promise<Surface> {
  const region = cells.flat();
  const columns = await loft([bottomMm - BELOW_MM, topMm + BELOW_MM].map((zMm) => ({ zMm, region })));
  const openings = passages.map((passage) => archwayBody(passage, bottomMm, BELOW_MM / 2));
  const whole = await union([columns, ...openings], watch);
  return intersection(whole, roomBelow(roof, bottomMm - 2 * BELOW_MM));
}
