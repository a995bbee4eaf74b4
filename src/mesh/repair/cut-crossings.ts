import type { Watch } from "../../core/watch.ts";
import { type Surface, vertexCount } from "../mesh.ts";
import { arrange } from "./arrange/arrange.ts";
import { dropSpecks } from "./arrange/drop-specks.ts";
import { outerPieces } from "./arrange/outer-pieces.ts";
import { tidy } from "./arrange/tidy.ts";
import type { SolidAngles } from "./solid-angles.ts";

/**
 * Cuts a surface along the given pairs of crossing facets and takes off what lies inside by the solid angles. What is cut
 * finer than `finestMm` is left out, and bodies that come of it thinner than `coarsestMm` are. Undefined where too much
 * overlaps.
 */
export function cutCrossings(
  surface: Surface,
  pairs: Uint32Array,
  solidAngles: SolidAngles,
  finestMm: number,
  coarsestMm: number,
  watch: Watch,
): Surface | undefined {
  const arrangement = arrange(surface, pairs, watch.part(0, 0.7));
  if (!arrangement) return undefined;
  const outer = outerPieces(surface, arrangement, solidAngles, watch.part(0.7, 0.9));
  const firstNew = vertexCount(surface);
  return dropSpecks(tidy(outer, firstNew, finestMm, watch.part(0.9, 1)), firstNew, coarsestMm);
}
