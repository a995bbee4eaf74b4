import { type Mesh, triangleCount } from "../mesh/mesh.ts";

// The memory needs of tasks are measured peaks of single tasks on spheres of 200,000 and 1,000,000 facets, and on pictures of 4096
// pixels (`bun run bench memory-needs`).

/** The need of a task that takes this many bytes per facet of its input. */
export const perFacet =
  (bytes: number) =>
  (mesh: Mesh): number =>
    bytes * triangleCount(mesh);

/** The need of a task that takes this many bytes per facet of the mesh in its input. */
export const perFacetOfMesh =
  (bytes: number) =>
  ({ mesh }: { readonly mesh: Mesh }): number =>
    bytes * triangleCount(mesh);

/**
 * Bytes per facet of a search for self-intersections that threads share: clusters, their boxes and the corners of the facets, while they are
 * made and moved to shared memory, which then holds 72 bytes.
 */
export const SEARCH_BYTES_PER_FACET = 170;

/** Facets of the distinct meshes in a list. */
export const distinctFacets = (bodies: readonly { readonly mesh: Mesh }[]): number =>
  new Map(bodies.map(({ mesh }) => [mesh.hash, mesh])).values().reduce((sum, mesh) => sum + triangleCount(mesh), 0);

/**
 * Bytes of the rasters of a model during support generation or a check of its hold: nine bytes per pixel, at most the pixels that
 * `overhangPixelMm` allows.
 */
export const SUPPORT_RASTER_BYTES = 140 * 2 ** 20;
