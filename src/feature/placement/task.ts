import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { distinctFacets, perFacet } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

const OUTLINE_BYTES_PER_FACET = 40;
const SCALING_BYTES_PER_FACET = 40;

const mostFacets = (bodies: readonly { readonly mesh: Mesh }[]): number =>
  bodies.reduce((most, { mesh }) => Math.max(most, triangleCount(mesh)), 0);

export const computeOutlinesTask = defineTask({
  name: "computeOutlines",
  load: async () => (await import("./mesh-lists.ts")).outlinesOf,
  memory: (inputs) => OUTLINE_BYTES_PER_FACET * mostFacets(inputs),
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const rescaleMeshesTask = defineTask({
  name: "rescaleMeshes",
  load: async () => (await import("./mesh-lists.ts")).rescaledMeshes,
  memory: (inputs) => SCALING_BYTES_PER_FACET * distinctFacets(inputs),
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** The flat faces on which a part can be laid. */
export const hullFacesTask = defineTask({
  name: "hullFaces",
  load: async () => (await import("../../mesh/hull-faces.ts")).hullFaces,
  // Points of a batch as arrays, and a hull that has all vertices as corners.
  memory: perFacet(200),
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
