import type { Surface } from "../mesh.ts";
import { combinedSurface } from "./combined-surface.ts";

/**
 * What both surfaces enclose; without facets where they do not meet. Surfaces and errors are as in {@link union}.
 */
export const intersection = (a: Surface, b: Surface): Promise<Surface> =>
  combinedSurface([a, b], ({ Manifold }, solids) => Manifold.intersection(solids));
