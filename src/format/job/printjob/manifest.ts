import { VERSION } from "../../../version.ts";
import { type JobFacts, type JobTotals, layerCount } from "../job-facts.ts";

export const MANIFEST_NAME = "manifest.json";
export const THUMBNAIL_NAME = "thumbnail.png";

export const layerEntryName = (index: number): string => `layers/${String(index).padStart(5, "0")}.png`;

/** `manifest.json`, as `FORMAT.md` describes it; with the exposure of each layer, where layers are exposed. */
export const toManifest = (facts: JobFacts, exposuresS: readonly number[], totals: JobTotals) => ({
  format: "printwright-printjob",
  version: 1,
  software: `Printwright ${VERSION}`,
  job_id: facts.id,
  job_name: facts.name,
  created: facts.created.toISOString(),
  scene_settings: {
    machine_type: facts.printer.machineType,
    material_code: facts.material.code,
    print_setting: facts.printSetting,
    layer_thickness_mm: facts.layerThicknessMm,
  },
  printer_type: facts.printer.label,
  build_volume_mm: axes(facts.printer.volumeMm),
  material: facts.material.label,
  raster: {
    pixels: axes(facts.printer.pixels),
    pixel_mm: axes(facts.printer.pixelMm),
    mirrored_x: facts.printer.mirrorX,
  },
  shrinkage_correction: axes(facts.shrinkageCorrection),
  models: facts.modelNames,
  thumbnail: facts.thumbnails.length > 0 ? THUMBNAIL_NAME : undefined,
  layers: Array.from({ length: layerCount(facts) }, (_, k) => ({
    file: layerEntryName(k),
    z_bottom_mm: facts.boundariesMm[k],
    z_top_mm: facts.boundariesMm[k + 1],
    exposure_s: facts.exposure && exposuresS[k],
  })),
  totals: {
    print_time_s: totals.printTimeS,
    material_ml: totals.materialMl,
    material_g: totals.materialG,
  },
});

const axes = ([x, y, z]: readonly number[]) => ({ x, y, z });
