import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrintjob } from "../../fixture/job/read-printjob.ts";
import { archiveOf, plainThumbnail, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const adaptive = { layerThicknessMm: "ADAPTIVE", boundariesMm: Float64Array.of(0, 0.1, 0.15, 0.3) } as const;
const read = (changes = {}) => readPrintjob(archiveOf("form", someJob(layers, changes), layers));

test("decoded layers equal the originals, and the manifest has their entries and heights", () => {
  const { layers: pictures, manifest } = read(adaptive);
  assert.deepEqual(pictures, layers);
  assert.deepEqual(manifest.layers, [
    { file: "layers/00000.png", z_bottom_mm: 0, z_top_mm: 0.1, exposure_s: 30 },
    { file: "layers/00001.png", z_bottom_mm: 0.1, z_top_mm: 0.15, exposure_s: 29 },
    { file: "layers/00002.png", z_bottom_mm: 0.15, z_top_mm: 0.3, exposure_s: 28 },
  ]);
});

test("the manifest has all metadata of the job", () => {
  const { layers: _, software, ...manifest } = read(adaptive).manifest;
  assert.match(software as string, /^Printwright \d/);
  assert.deepEqual(manifest, {
    format: "printwright-printjob",
    version: 1,
    job_id: "6f1c0c5e-2f6b-4a53-9c2a-6a1d9c6f0a11",
    job_name: "Räder 3/4",
    created: "2026-11-21T01:19:55.123Z",
    scene_settings: {
      machine_type: "ELEGOO-S4U-12K",
      material_code: "FLGPGR05",
      print_setting: "DEFAULT",
      layer_thickness_mm: "ADAPTIVE",
    },
    printer_type: "Elegoo Saturn 4 Ultra",
    build_volume_mm: { x: 218.88, y: 122.88, z: 220 },
    material: "Grey\nV5",
    raster: { pixels: { x: 120, y: 90 }, pixel_mm: { x: 0.019, y: 0.024 }, mirrored_x: true },
    shrinkage_correction: { x: 1.03, y: 1.03, z: 1.02 },
    models: ["wheel", "wheel (2)"],
    totals: { print_time_s: 5789.4, material_ml: 12.75, material_g: 14.25 },
  });
});

test("a thumbnail comes first and the manifest names it", () => {
  const thumbnail = plainThumbnail(800, 480, [9, 9, 9, 255]);
  const { names, manifest } = read({ thumbnails: [thumbnail] });
  assert.deepEqual([names[0], names.at(-1)], ["thumbnail.png", "manifest.json"]);
  assert.equal(manifest.thumbnail, "thumbnail.png");
});

test("powder layers have no exposure", () => {
  const { manifest } = read({ exposure: undefined });
  assert.deepEqual(Object.keys(manifest.layers[0]), ["file", "z_bottom_mm", "z_top_mm"]);
});
