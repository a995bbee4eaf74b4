import * as v from "valibot";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { requireLayerCount, requirePixels } from "../plausible-counts.ts";
import { JobArchive, isZip } from "../zipped/job-archive.ts";

/** This program's archives, see `FORMAT.md`. */
export const printjobReader: JobReader = {
  name: "Printwright print job",
  recognises: (head, extension) => isZip(head, extension, [".printjob"]),
  open: (source) => JobArchive.open(source, (archive) => readPrintjob(archive, source.size)),
};

const MANIFEST = "manifest.json";
const VERSION = 1;
const number = v.pipe(v.number(), v.finite());
const positive = v.pipe(number, v.gtValue(0));

const manifestSchema = v.object({
  format: v.literal("printwright-printjob"),
  version: v.literal(VERSION),
  software: v.string(),
  created: v.pipe(v.string(), v.isoTimestamp()),
  printer_type: v.string(),
  build_volume_mm: v.object({ x: positive, y: positive, z: positive }),
  material: v.string(),
  raster: v.object({
    pixels: v.object({ x: number, y: number }),
    pixel_mm: v.object({ x: positive, y: positive }),
    mirrored_x: v.boolean(),
  }),
  thumbnail: v.optional(v.string()),
  layers: v.array(
    v.object({ file: v.string(), z_bottom_mm: number, z_top_mm: number, exposure_s: v.optional(number) }),
  ),
  totals: v.object({ print_time_s: number, material_ml: number, material_g: number }),
});

/** A file in a zip archive has at least the bytes of its two headers. */
const ENTRY_BYTES = 76;

async function readPrintjob(archive: JobArchive, fileBytes: number): Promise<ReadJob> {
  const { refuse } = archive;
  const { raster, layers, totals, build_volume_mm: volume, ...manifest } = await archive.json(MANIFEST, manifestSchema);
  requireLayerCount(layers.length, ENTRY_BYTES, fileBytes, refuse);
  const sunk = layers.findIndex(({ z_bottom_mm, z_top_mm }) => !(z_top_mm > z_bottom_mm));
  if (sunk >= 0) throw refuse(`layer ${sunk + 1} in ${MANIFEST} has no thickness; slice the job again`);
  const pixels = requirePixels([raster.pixels.x, raster.pixels.y], refuse);
  const decode = archive.layerDecoder(pixels, "GREY");
  const { thumbnails, warnings } = await archive.pictures(manifest.thumbnail === undefined ? [] : [manifest.thumbnail]);
  return {
    version: String(manifest.version),
    program: manifest.software,
    printerName: manifest.printer_type,
    created: new Date(manifest.created),
    pixels,
    pixelMm: [raster.pixel_mm.x, raster.pixel_mm.y],
    volumeMm: [volume.x, volume.y, volume.z],
    mirrorX: raster.mirrored_x,
    material: manifest.material,
    boundariesMm: Float64Array.from([layers[0].z_bottom_mm, ...layers.map(({ z_top_mm }) => z_top_mm)]),
    exposuresS: Float64Array.from(layers, ({ exposure_s = 0 }) => exposure_s),
    states: [],
    totals: {
      printTimeS: totals.print_time_s,
      materialMl: totals.material_ml,
      materialG: totals.material_g,
    },
    thumbnails,
    warnings,
    layer: (index) => decode(layers[index].file),
    close: () => archive.close(),
  };
}
