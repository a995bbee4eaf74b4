import { Buffer } from "node:buffer";
import { VERSION } from "../../core/version.ts";
import { type JobMetadata, meanThicknessMm } from "../job.ts";
import { LITTLE_ENDIAN, text, zeros } from "../record.ts";
import type { LayerShape } from "./layer-shape.ts";
import { EMPTY_BOX, boxMm, unionOfBoxes } from "./lit-pixels.ts";

// The binary summaries of the layers in Anycubic's zip archives, after descriptions of files of the maker's slicer. Lengths are in mm.

const { u32, f32 } = LITTLE_ENDIAN;

/** The kind of all known files: for the logic of the panel, in release. */
const BINARY_TYPE = 3;
const VERSION_OF_SCENE = 1;
const IN_MM = 0;

export const SCENE_MAGIC = "ANYCUBIC-PWSZ";

const areaMm2 = (pixels: number, { printer: { pixelMm } }: JobMetadata): number => pixels * pixelMm[0] * pixelMm[1];

/** Content of `scene.slice`: the box of the scene; and the middle height, the area, the box and the outlines of each layer. */
export function sceneSlice(job: JobMetadata, layers: readonly LayerShape[]): Uint8Array {
  const { printer, boundariesMm } = job;
  const scene = boxMm(
    layers.reduce((union, { box }) => unionOfBoxes(union, box), EMPTY_BOX),
    printer,
  );
  return Buffer.concat([
    text(SCENE_MAGIC, 16),
    text(`Printwright ${VERSION}`, 64),
    u32(BINARY_TYPE),
    u32(VERSION_OF_SCENE),
    u32(0), // slice type
    u32(IN_MM),
    f32(1), // ratio of points
    u32(layers.length),
    ...[...scene.min, boundariesMm[0], ...scene.max, boundariesMm.at(-1) ?? 0].map(f32),
    zeros(4 + 4 * 64),
    Buffer.from("<---"),
    u32(layers.length),
    ...layers.flatMap((layer, k) => {
      const { min, max } = boxMm(layer.box, printer);
      return [
        f32((boundariesMm[k] + boundariesMm[k + 1]) / 2),
        f32(areaMm2(layer.areaPixels, job)),
        ...[...min, ...max].map(f32),
        u32(layer.contours),
        f32(areaMm2(layer.largestPixels, job)),
        zeros(32),
      ];
    }),
    Buffer.from("--->"),
  ]);
}

const VOLUMES_MAGIC = 0x2025_1024;
const SLAB_MM = 0.2;

/** Content of `calc_layer_volumes.data`: the volume, in mm³, of slabs of about 0.2 mm, which are whole layers. */
export function layerVolumes(job: JobMetadata, layers: readonly LayerShape[]): Uint8Array {
  const { boundariesMm } = job;
  const layersPerSlab = Math.max(1, Math.round(SLAB_MM / meanThicknessMm(job)));
  const slabs: Uint8Array[] = [];
  for (let first = 0; first < layers.length; first += layersPerSlab) {
    const end = Math.min(layers.length, first + layersPerSlab);
    let volumeMm3 = 0;
    for (let k = first; k < end; k++) {
      volumeMm3 += areaMm2(layers[k].areaPixels, job) * (boundariesMm[k + 1] - boundariesMm[k]);
    }
    slabs.push(
      Buffer.concat([
        // The layer before, as in the maker's files.
        u32(Math.max(0, first - 1)),
        f32(boundariesMm[first]),
        f32(boundariesMm[end] - boundariesMm[first]),
        zeros(32),
        f32(volumeMm3),
      ]),
    );
  }
  return Buffer.concat([u32(VOLUMES_MAGIC), f32(SLAB_MM), u32(1), u32(slabs.length), ...slabs]);
}
