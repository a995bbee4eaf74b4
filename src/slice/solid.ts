import { shared } from "../core/shared.ts";
import type { Watch } from "../core/watch.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { mend } from "../mesh/repair/mend.ts";
import { orientBodies } from "../mesh/repair/orient-bodies.ts";
import { soundnessOf } from "../mesh/soundness.ts";

/** The facets that the slicer cuts for a mesh. */
export interface Solid {
  readonly vertices: Surface["vertices"];
  readonly triangles: Uint32Array;
  /** Whether it has gaps, so that its outlines may end anywhere. */
  readonly isOpen: boolean;
}

/** Shares of the progress at which a mesh is looked over, and one with gaps repaired. */
const LOOKED = 0.2;
const REPAIRED = 0.9;

/**
 * The solid that a mesh stands for. A sound mesh is taken as it is; one with gaps or facets turned over, as `IGNORE` lets
 * them in, is repaired for the purpose, and inside-out bodies are turned outward.
 */
export function solidOf(mesh: Mesh, watch: Watch): Solid {
  const { isOpen, hasInward } = soundnessOf(mesh, watch.part(0, LOOKED));
  if (!isOpen) return toSolid(hasInward ? orientBodies(mesh, watch.part(LOOKED, 1)) : mesh, false);
  const repaired = mend(mesh, watch.part(LOOKED, REPAIRED));
  return toSolid(repaired, soundnessOf(repaired, watch.part(REPAIRED, 1)).isOpen);
}

const toSolid = ({ vertices, triangles }: Surface, isOpen: boolean): Solid => ({
  vertices: shared(vertices),
  triangles: shared(triangles),
  isOpen,
});
