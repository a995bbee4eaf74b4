import type { Watch } from "../core/watch.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { mend } from "../mesh/repair/mend.ts";
import { cleanMesh } from "./clean-mesh.ts";

/** The mesh of what a boolean has cut. Walls that overlapping bodies have in common lie on each other, which is mended. */
export const cutMesh = (surface: Surface, watch: Watch): Mesh =>
  mend(cleanMesh(surface, watch.part(0, 0.7)), watch.part(0.7, 1));
