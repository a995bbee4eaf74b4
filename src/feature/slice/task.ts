import { wholeArrays } from "../../core/typed-arrays.ts";
import { orientationScaleKey } from "../../geometry/pose.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { strutCount } from "../../mesh/strut-lattice.ts";
import type { StackRequest } from "../../slice/stack.ts";
import { distinctFacets } from "../facet-memory.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the first steps of a job end. */
const SHARES = { prepared: 0.05, faintBodies: 0.02 };

/** `drawLayer` processes a single layer. */
const LAYER_OF_STACK = 0.01;
/** `commonVolume` cuts facets with few columns: 40 spheres of 50,000 facets, which overlap, take 0.5 to 0.9 s. */
const FEW_COLUMNS = 0.2;

const BYTES_PER_FACET = 25;
/** Bytes of a facet in the index of the facets that layers cut. */
const BYTES_PER_INDEXED_FACET = 6;

/** Copies that differ only in x and y share the index of their facets by height. */
function indexedFacets(placed: readonly PlacedMesh[]): number {
  const heights = new Map(
    placed.map(({ mesh, pose }) => [`${orientationScaleKey(mesh.hash, pose)} ${pose.position[2]}`, mesh]),
  );
  return heights.values().reduce((sum, mesh) => sum + triangleCount(mesh), 0);
}

/** For layers by volume, facets are sorted by their bodies (`sorted-by-bodies.ts`); 39 were measured for 577,000 facets. */
const BYTES_PER_SORTED_FACET = 50;
/** Bytes of a strut or ball in the index of those that layers cut. */
const BYTES_PER_INDEXED_STRUT = 12;

const stackBytes = ({
  placed,
  lattices = [],
  byVolume = false,
}: Pick<StackRequest, "placed" | "lattices" | "byVolume">): number =>
  (BYTES_PER_FACET + (byVolume ? BYTES_PER_SORTED_FACET : 0)) * distinctFacets(placed) +
  BYTES_PER_INDEXED_FACET * indexedFacets(placed) +
  lattices.reduce(
    (sum, { lattice }) => sum + BYTES_PER_INDEXED_STRUT * (strutCount(lattice) + lattice.balls.length),
    0,
  );

export const leavesNoPixelTask = defineTask({
  name: "leavesNoPixel",
  load: async () => (await import("../../slice/leaves-no-pixel.ts")).leavesNoPixel,
  memory: stackBytes,
  progress: phaseOfItems(0, SHARES.faintBodies),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const prepareStackTask = defineTask({
  name: "prepareStack",
  load: async () => (await import("../../slice/stack.ts")).prepareStack,
  memory: stackBytes,
  progress: phase(0, SHARES.prepared),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** Its layers are moved: copies would remain on the thread as garbage, tens of megabytes in a job. */
export const rasteriseLayersTask = defineTask({
  name: "rasteriseLayers",
  load: async () => (await import("./rasterise-layers.ts")).rasteriseLayers,
  memory: "small",
  progress: phase(SHARES.prepared, 1),
  repeatable: true,
  transfer: ({ encoded }) => wholeArrays(encoded).map(({ buffer }) => buffer),
  expectedMs: bySize,
});

export const drawCoveragesTask = defineTask({
  name: "drawCoverages",
  load: async () => (await import("./draw-coverages.ts")).drawCoverages,
  memory: "small",
  progress: phase(SHARES.prepared, 1),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

/** Bytes of a run of a layer while its chunk is made against over-cure: up to 3 are drawn of it, in arrays that grow, and encoded. */
const BYTES_PER_CURED_RUN = 30;

/** What it reads is claimed by the request (`cured-layers.ts`). */
export const encodeCuredTask = defineTask({
  name: "encodeCured",
  load: async () => (await import("./encode-cured.ts")).encodeCured,
  memory: ({ layers, first, chunk }) =>
    layers
      .slice(chunk.from - first, chunk.end - first)
      .reduce((sum, { runs }) => sum + BYTES_PER_CURED_RUN * runs.values.length, 0),
  progress: phase(SHARES.prepared, 1),
  repeatable: true,
  transfer: (encoded) => wholeArrays(encoded).map(({ buffer }) => buffer),
  expectedMs: bySize,
});

export const drawLayerTask = defineTask({
  name: "drawLayer",
  load: async () => (await import("./rasterise-layers.ts")).drawLayer,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => LAYER_OF_STACK * bySize(bytes),
});

export const commonVolumeTask = defineTask({
  name: "commonVolume",
  load: async () => (await import("../../slice/common-volume.ts")).commonVolume,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: (bytes) => FEW_COLUMNS * bySize(bytes),
});
