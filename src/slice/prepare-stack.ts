import type { Watch } from "../core/watch.ts";
import { remembered } from "../core/remembered.ts";
import { shared } from "../core/shared.ts";
import { type FacetIndex, indexFacets, joinIndices } from "./facet-index.ts";
import { type RasterTransform, rasterTransform } from "./raster-map.ts";
import { type Solid, solidOf } from "./solid.ts";
import { middlesOf, type Stack, type StackRequest } from "./stack.ts";

/** Enough that starting a chunk costs little beside drawing it, few enough that threads end together. */
const CHUNK_LAYERS = 24;

/** Share of the progress of one mesh at which its solid is known. */
const KNOWN = 0.6;

/** Works out, once, what every chunk of layers needs: sound solids, their places, and which facets each chunk cuts. */
export function prepareStack({ placed, boundariesMm, grid, clipTo }: StackRequest, watch: Watch): Stack {
  const planesMm = middlesOf(boundariesMm);
  const numbers = new Map<string, number>();
  const solids: Solid[] = [];
  const indices: FacetIndex[] = [];
  const models = new Map<string, { solid: number; entry: number; transform: RasterTransform }>();
  placed.forEach((one, i) => {
    const part = watch.part(i / placed.length, (i + 1) / placed.length);
    part.report(0);
    const { mesh } = one;
    const transform = rasterTransform(one, grid);
    const place = [mesh.hash, ...transform].join(" ");
    if (models.has(place)) return;
    const solid = remembered(numbers, mesh.hash, () => solids.push(solidOf(mesh, part.part(0, KNOWN))) - 1);
    // Models that differ in x and y alone are cut in the same facets.
    const height = [mesh.hash, ...transform.subarray(8)].join(" ");
    const entry = remembered(numbers, height, () => {
      const indexing = part.part(KNOWN, 1);
      return indices.push(indexFacets(solids[solid], transform, planesMm, CHUNK_LAYERS, indexing)) - 1;
    });
    models.set(place, { solid, entry, transform });
  });
  const all = [...models.values()];
  return {
    solids,
    solidOf: shared(Uint32Array.from(all, ({ solid }) => solid)),
    index: joinIndices(indices),
    entryOf: shared(Uint32Array.from(all, ({ entry }) => entry)),
    transforms: shared(Float64Array.from(all.flatMap(({ transform }) => [...transform]))),
    grid,
    clipTo,
    boundariesMm: shared(boundariesMm),
    chunkSize: CHUNK_LAYERS,
    chunkCount: Math.ceil(planesMm.length / CHUNK_LAYERS),
  };
}
