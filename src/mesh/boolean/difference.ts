import type { Surface } from "../mesh.ts";
import { combinedSurface } from "./combined-surface.ts";

/**
 * What the first surface encloses and none of the tools does; without facets where nothing is left. Surfaces and errors
 * are as in {@link union}.
 */
export const difference = (surface: Surface, tools: readonly Surface[]): Promise<Surface> =>
  combinedSurface([surface, ...tools], ({ Manifold }, solids) => Manifold.difference(solids));
