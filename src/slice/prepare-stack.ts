import type { Watch } from "../core/watch.ts";
import { indexFacets } from "./facet-index.ts";
import { rasterTransform, TRANSFORM_LENGTH } from "./raster-map.ts";
import { type Solid, solidOf } from "./solid.ts";
import type { Part, Stack, StackRequest } from "./stack.ts";

/** Enough that starting a chunk costs little beside drawing it, few enough that threads end together. */
const CHUNK_LAYERS = 24;

/** Share of the progress of one mesh at which its solid is known. */
const KNOWN = 0.6;

/** Works out, once, what every chunk of layers needs: sound solids, their places, and which facets each chunk cuts. */
export function prepareStack({ placed, boundariesMm, grid, clipTo }: StackRequest, watch: Watch): Stack {
  const planesMm = middlesOf(boundariesMm);
  const solids = new Map<string, Solid>();
  const parts: Part[] = [];
  const partNumbers = new Map<string, number>();
  const transforms = new Float64Array(new SharedArrayBuffer(8 * TRANSFORM_LENGTH * placed.length));
  const partOf = new Uint32Array(new SharedArrayBuffer(4 * placed.length));
  placed.forEach((one, i) => {
    const part = watch.part(i / placed.length, (i + 1) / placed.length);
    part.report(0);
    const solid = remembered(solids, one.mesh.hash, () => solidOf(one.mesh, part.part(0, KNOWN)));
    const transform = rasterTransform(one, grid);
    transforms.set(transform, TRANSFORM_LENGTH * i);
    // Copies that differ in x and y alone are cut in the same facets.
    const key = [one.mesh.hash, ...transform.subarray(8)].join(" ");
    partOf[i] = remembered(partNumbers, key, () => {
      const index = indexFacets(solid, transform, planesMm, CHUNK_LAYERS, part.part(KNOWN, 1));
      return parts.push({ solid, index }) - 1;
    });
  });
  const chunkCount = Math.ceil(planesMm.length / CHUNK_LAYERS);
  return { parts, partOf, transforms, grid, clipTo, boundariesMm, chunkSize: CHUNK_LAYERS, chunkCount };
}

/** Layers are sampled at their middle. */
export const middlesOf = (boundariesMm: Float64Array): Float64Array =>
  Float64Array.from(
    { length: Math.max(0, boundariesMm.length - 1) },
    (_, k) => (boundariesMm[k] + boundariesMm[k + 1]) / 2,
  );

function remembered<T>(known: Map<string, T>, key: string, work: () => T): T {
  const old = known.get(key);
  if (old !== undefined) return old;
  const value = work();
  known.set(key, value);
  return value;
}
