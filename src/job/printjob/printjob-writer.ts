import { VERSION } from "../../core/version.ts";
import { type PackedContent, ZipWriter } from "../../codec/zip-writer.ts";
import { type JobMetadata, type JobStream, type JobTotals, type JobWriter, jobLayerCount } from "../job.ts";

/** Writes `.printjob` archives, see `FORMAT.md`. */
export const printjobWriter: JobWriter<PackedContent> = {
  greyLevels: 256,
  thumbnails: [{ width: 800, height: 480 }],
  stream: printjobStream,
};

function printjobStream(job: JobMetadata): JobStream<PackedContent> {
  const zip = new ZipWriter();
  const exposuresS: number[] = [];
  return {
    *begin() {
      for (const { png } of job.thumbnails) yield* zip.add({ name: THUMBNAIL_NAME, pieces: png });
    },
    layer(index, layer, exposureS) {
      exposuresS[index] = exposureS;
      return zip.addPacked(layerEntryName(index), layer);
    },
    end: (totals) => ({
      chunks: (function* () {
        const manifest = new TextEncoder().encode(JSON.stringify(toManifest(job, exposuresS, totals)));
        yield* zip.add({ name: MANIFEST_NAME, pieces: [manifest], compress: true });
        yield* zip.end();
      })(),
    }),
  };
}

const MANIFEST_NAME = "manifest.json";
const THUMBNAIL_NAME = "thumbnail.png";

const layerEntryName = (index: number): string => `layers/${String(index).padStart(5, "0")}.png`;

/** The content of `manifest.json`, see `FORMAT.md`. `exposuresS` has an entry for each layer. */
const toManifest = (job: JobMetadata, exposuresS: readonly number[], totals: JobTotals) => ({
  format: "printwright-printjob",
  version: 1,
  software: `Printwright ${VERSION}`,
  job_id: job.id,
  job_name: job.name,
  created: job.created.toISOString(),
  scene_settings: {
    machine_type: job.printer.machineType,
    material_code: job.material.code,
    print_setting: job.printSetting,
    layer_thickness_mm: job.layerThicknessMm,
  },
  printer_type: job.printer.label,
  build_volume_mm: axes(job.printer.volumeMm),
  material: job.material.label,
  raster: {
    pixels: axes(job.printer.pixels),
    pixel_mm: axes(job.printer.pixelMm),
    mirrored_x: job.printer.mirrorX,
  },
  shrinkage_correction: axes(job.shrinkageCorrection),
  greys: job.greys,
  compensation: job.compensation,
  models: job.modelNames,
  thumbnail: job.thumbnails.length > 0 ? THUMBNAIL_NAME : undefined,
  layers: Array.from({ length: jobLayerCount(job) }, (_, k) => ({
    file: layerEntryName(k),
    z_bottom_mm: job.boundariesMm[k],
    z_top_mm: job.boundariesMm[k + 1],
    exposure_s: job.exposure && exposuresS[k],
  })),
  totals: {
    print_time_s: totals.printTimeS,
    material_ml: totals.materialMl,
    material_g: totals.materialG,
  },
});

const axes = ([x, y, z]: readonly number[]) => ({ x, y, z });
