import { isFlat } from "../degenerate.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { dropCaps } from "./drop-caps.ts";
import { dropCollapsed } from "./drop-collapsed.ts";
import { singleStepMm } from "../single-step.ts";

/** Drops facets without area that have a corner on the opposite edge, whose other facets are cut there. */
export const dropFlat = (surface: Surface): Surface =>
  dropCollapsed(dropCaps(surface, singleStepMm(boxOf(surface.vertices)), (facet) => isFlat(surface, facet)));
