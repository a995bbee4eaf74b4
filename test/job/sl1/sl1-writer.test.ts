import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { readSl1 } from "../../fixture/job/read-sl1.ts";
import { archiveOf, plainThumbnail, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(400, 400, [9, 9, 9, 255]), plainThumbnail(800, 480, [9, 9, 9, 255])];
const { printer } = someJob(layers);
const facts = { thumbnails, printer: { ...printer, nameInJobs: "SL1S" } };
const sl1 = (changes = {}) => readSl1(archiveOf("sl1s", someJob(layers, { ...facts, ...changes }), layers));

/** The keys of `config.ini` in an archive that PrusaSlicer 2.5.0 wrote. */
const PEER_CONFIG_KEYS = `
  action expTime expTimeFirst expUserProfile fileCreationTimestamp hollow jobDir layerHeight
  materialName numFade numFast numSlow printProfile printTime printerModel printerProfile
  printerVariant prusaSlicerVersion usedMaterial
`
  .trim()
  .split(/\s+/);

/** The keys of `prusaslicer.ini` that readers of these archives use. */
const NEEDED_SETTINGS = `
  display_width display_height display_pixels_x display_pixels_y display_orientation display_mirror_x
  display_mirror_y bed_shape max_print_height layer_height initial_layer_height exposure_time
  initial_exposure_time faded_layers printer_model printer_technology
`
  .trim()
  .split(/\s+/);

test("decoded layers equal the originals, in order, with the job's name", () => {
  const { layers: read, layerNames, config } = sl1();
  assert.deepEqual(read, layers);
  assert.deepEqual(layerNames, ["R_der_3_400000.png", "R_der_3_400001.png", "R_der_3_400002.png"]);
  assert.equal(config.jobDir, "R_der_3_4");
});

test("config.ini has the keys that PrusaSlicer writes, in its units", () => {
  const { config, settings } = sl1();
  assert.deepEqual(Object.keys(config), PEER_CONFIG_KEYS);
  assert.equal(config.action, "print");
  assert.equal(config.fileCreationTimestamp, "2026-11-21 at 01:19:55 UTC");
  assert.deepEqual([config.expTime, config.expTimeFirst, config.numFade], ["2.5", "30", "7"]);
  assert.deepEqual([config.layerHeight, config.numFast, config.numSlow], ["0.05", "3", "0"]);
  assert.deepEqual([config.printTime, config.usedMaterial], ["5789.4", "12.75"]);
  assert.deepEqual([config.printerModel, settings.printer_model], ["SL1S", "SL1S"]);
});

test("prusaslicer.ini describes the display", () => {
  const { settings } = sl1();
  assert.deepEqual(
    NEEDED_SETTINGS.filter((key) => !(key in settings)),
    [],
  );
  assert.deepEqual([settings.display_pixels_x, settings.display_pixels_y], ["120", "90"]);
  assert.deepEqual([settings.display_width, settings.display_height], ["2.28", "2.16"]);
  assert.equal(settings.bed_shape, "0x0,2.28x0,2.28x2.16,0x2.16");
  assert.deepEqual([settings.display_mirror_x, settings.display_mirror_y], ["1", "0"]);
  assert.equal(settings.printer_technology, "SLA");
});

test("both thumbnails have the names that the firmware expects", () => {
  const { names, entries } = sl1();
  const found = names.filter((name) => name.startsWith("thumbnail/"));
  assert.deepEqual(found, ["thumbnail/thumbnail400x400.png", "thumbnail/thumbnail800x480.png"]);
  assert.deepEqual(Buffer.from(entries[found[0]]), Buffer.concat(thumbnails[0].png));
});

test("control characters in a text do not break its line", () => {
  assert.equal(sl1().config.materialName, "Grey V5");
});

test("a name without valid characters becomes job; a long one is cut", () => {
  assert.equal(sl1({ name: "../../" }).config.jobDir, "job");
  assert.equal(sl1({ name: "x".repeat(400) }).config.jobDir, "x".repeat(60));
});

test("with adaptive layers the files have the mean thickness and the thickness of the first layer", () => {
  const { config, settings } = sl1({ layerThicknessMm: "ADAPTIVE", boundariesMm: Float64Array.of(0, 0.1, 0.2, 0.225) });
  assert.equal(config.layerHeight, "0.075");
  assert.deepEqual([settings.layer_height, settings.initial_layer_height], ["0.075", "0.1"]);
});
