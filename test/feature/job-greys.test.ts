import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { newTaskState, noProgress } from "../../src/core/progress.ts";
import { type JobGreys, jobGreys } from "../../src/feature/print/job-greys.ts";
import { rasteriseLayers } from "../../src/feature/slice/rasterise-layers.ts";
import { sliceLayers } from "../../src/feature/slice/slice-layers.ts";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import type { JobWriter } from "../../src/job/job.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { prepareStack } from "../../src/slice/stack.ts";
import type { Compute } from "../../src/worker/compute.ts";
import { newPool } from "../../src/worker/pool.ts";
import { denseLayer } from "../fixture/dense-layer.ts";
import { JOB_ROWS, type JobRow } from "../fixture/job/job-rows.ts";
import { pictureOf } from "../fixture/job/picture-of.ts";
import { sampledTests } from "../fixture/long.ts";
import { ORIGIN, type PanelFacts, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { box } from "../fixture/shapes.ts";
import { drawStack, evenly, gridOf, meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene, withSupports } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const PIXEL_MM = 0.05;
const LAYER_MM = 0.05;
const LAYERS = 5;
const SIDE_PIXELS = 96;

/** A leaning plate with slanting sides. Only sums and products of numbers: all engines make the same of them. */
function plate() {
  const shape = box([2.513, 1.817, LAYERS * LAYER_MM]);
  const vertices = Float32Array.from(shape.vertices);
  for (let at = 0; at < vertices.length; at += 3) {
    vertices[at] = vertices[at]! + 0.25 * vertices[at + 1]! + 0.4 * vertices[at + 2]!;
    vertices[at + 1] = vertices[at + 1]! - 0.15 * vertices[at]! + 0.3 * vertices[at + 2]!;
  }
  return placed(meshOf({ ...shape, vertices }), { position: [0.013, 0.007, (LAYERS * LAYER_MM) / 2] });
}

const PLATE = plate();

const panelOf = ({ format, extension, nameInJobs }: JobRow, optics?: object): PanelFacts => ({
  format,
  extension,
  machineName: nameInJobs,
  optics,
  sidePixels: SIDE_PIXELS,
  pixelMm: PIXEL_MM,
  layerMm: LAYER_MM,
});

const GRID = gridOf(SIDE_PIXELS, SIDE_PIXELS, PIXEL_MM);
const STACK = prepareStack({ placed: [PLATE], boundariesMm: evenly(LAYERS, LAYER_MM), grid: GRID }, noProgress);
const COVERAGES = drawStack(STACK, ({ runs }) => denseLayer(runs));

/** SHA-256 of the coverages of the plate, from the commit before jobs had other greys. */
const COVERAGES_BEFORE = "af7bbec3ad3d73df88c34a4b97a8d64f08e948df091ae38545fbe7bc1afa9529";

/** A response and levels with which the grey of each coverage is the coverage. */
const LINEAR = { response: { value: 1, ...ORIGIN } };
const CUBIC = { response: { value: 3, ...ORIGIN }, blur_mm: { value: 0.025, ...ORIGIN } };

const MIXED = { ...CUBIC, grey_levels: { value: 16, ...ORIGIN }, diffusion: true };

/** This program's own machines are in no file of machines. */
const OPEN_ROWS = JOB_ROWS.filter(({ format }) => format !== "form");
const fileAt = temporaryFiles();

test("the plate has the coverages that it had before jobs had other greys", () => {
  const hash = createHash("sha256");
  for (const layer of COVERAGES) hash.update(layer);
  assert.equal(hash.digest("hex"), COVERAGES_BEFORE);
});

for (const [row, sampledTest] of sampledTests(OPEN_ROWS, 16)) {
  sampledTest(`${row.format}: without optics of the printer, a job has the coverages as greys`, async () => {
    const path = fileAt(`job${row.extension}`, "");
    const scene = someScene([sceneModel(PLATE)], panelSetting(panelOf(row)));
    await writeSceneJob(scene, path, row.changes);
    const job = await openJob(path);
    try {
      for (const [k, coverages] of COVERAGES.entries()) {
        assert.deepEqual(pictureOf(await job.layer(k)).pixels, coverages.map(row.readBack));
      }
    } finally {
      job.close();
    }
  });
}

for (const row of OPEN_ROWS) {
  const { greyLevels }: JobWriter = JOB_WRITERS[row.format];
  const greys = jobGreys(panelSetting(panelOf(row, CUBIC)).printerType);

  test(`${row.format}: ${greyLevels === 2 ? "no other greys" : "each grey of a job is a level of the file"}`, () => {
    assert.equal(greys === undefined, greyLevels === 2);
    for (const grey of greys?.table ?? []) assert.ok(Math.abs(row.readBack(grey) - grey) <= 1, `${grey}`);
  });

  // In other formats, levels that are as near to a coverage as another one may be chosen.
  if (greyLevels !== 256) continue;
  test(`${row.format}: greys that are the coverages leave each byte of the layers as it is`, () => {
    const linear = jobGreys(panelSetting(panelOf(row, LINEAR)).printerType);
    assert.deepEqual(
      [...(linear?.table ?? [])],
      Array.from({ length: 256 }, (_, value) => value),
    );
    assert.deepEqual(encodedLayers(row, linear), encodedLayers(row, undefined));
    assert.notDeepEqual(encodedLayers(row, greys), encodedLayers(row, undefined));
  });
}

const encodedLayers = ({ format }: JobRow, greys: JobGreys | undefined): unknown =>
  structuredClone(rasteriseLayers({ stack: STACK, chunk: 0, format, greys }, noProgress).encoded);

/** The layers of a job that threads make of several chunks. */
async function layersOnThreads(size: number): Promise<unknown> {
  const pool = newPool(new URL("../../src/worker.ts", import.meta.url), { size });
  try {
    const context: Compute = {
      compute: (task, input) => pool.compute(task, input, newTaskState()),
      tasksAtOnce: () => size,
    };
    const setting = panelSetting(panelOf(GOO, MIXED));
    const scene = someScene([withSupports(sceneModel(PLATE)), sceneModel({ ...PLATE, pose: TALL })], setting);
    const encoded: unknown[] = [];
    const greys = jobGreys(setting.printerType);
    assert.ok(greys?.mix);
    assert.match(greys.name, /^exponent 3; 16 levels; blur 0\.025 mm; diffusion; table [0-9a-f]{8}$/);
    for await (const layers of sliceLayers(scene, context, {
      format: "goo",
      greys,
      supportsWithoutGrey: true,
      byVolume: true,
    }))
      encoded.push(...layers.encoded);
    return encoded;
  } finally {
    await pool.close();
  }
}

const GOO = JOB_ROWS.find(({ format }) => format === "goo")!;
/** Enlarged to several chunks of layers. */
const TALL = { ...PLATE.pose, scale: 1.4, position: [0.2, 0.3, 2] } as const;

test("one thread and two make the same layers", async () => {
  const [one, two] = [await layersOnThreads(1), await layersOnThreads(2)];
  assert.ok(Array.isArray(one) && one.length > 30);
  assert.deepEqual(one, two);
});
