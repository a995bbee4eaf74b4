import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { PrinterType } from "../../src/catalog/setting.ts";
import { noProgress } from "../../src/core/progress.ts";
import { convertJob } from "../../src/feature/job-files/convert-job.ts";
import { greyChange } from "../../src/feature/job-files/grey-change.ts";
import { readJobHead } from "../../src/feature/job-files/read-job.ts";
import { jobGreys } from "../../src/feature/print/job-greys.ts";
import { HERE, ORIGIN, panelSetting, writeSceneJob } from "../fixture/print-quality/panel-job.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { sceneModel, someScene } from "../fixture/some-scene.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Greys of job files that are converted for a machine whose light is known.

const CUBIC = { response: { value: 3, ...ORIGIN }, blur_mm: { value: 0.025, ...ORIGIN } };
const SQUARE = { response: { value: 2, ...ORIGIN } };

const settingOf = (optics: object | undefined, sidePixels = 64) =>
  panelSetting({ format: "goo", extension: ".goo", optics, sidePixels, pixelMm: 0.05, layerMm: 0.1 });

/** Printers of the catalog have different labels. */
const printerOf = (label: string, optics: object | undefined, sidePixels?: number): PrinterType => ({
  ...settingOf(optics, sidePixels).printerType,
  label,
});

const fileAt = temporaryFiles();
const picturesIn = (path: string) => readGoo(readFileSync(path)).layers.map(({ picture }) => picture);

async function sliced(optics: object | undefined): Promise<string> {
  const path = fileAt(`${optics ? "optics" : "plain"}.goo`, "");
  const ball = placed(meshOf(uvSphere(0.9)), { position: [0.21, -0.13, 0.9] });
  await writeSceneJob(someScene([sceneModel(ball)], settingOf(optics)), path);
  return path;
}

async function converted(file: string, type: PrinterType) {
  const head = await readJobHead({ file }, noProgress);
  const outputFile = fileAt("converted.goo", "");
  const { label, nameInJobs, machineType, volume, raster } = type;
  const printer = { label, nameInJobs, machineType, volumeMm: volume.dimensionsMm, ...raster };
  const target = { printer, format: "goo", type } as const;
  const created = new Date();
  const job = await convertJob(
    { file, head, outputFile, target, changes: {}, created, ctbNotice: undefined },
    HERE,
    () => {},
  );
  return { ...job, pictures: picturesIn(outputFile) };
}

test("a job of coverages gets the greys that slicing for the other machine gives", async () => {
  const { pictures, isExact, warnings } = await converted(await sliced(undefined), printerOf("other", CUBIC));
  assert.deepEqual(pictures, picturesIn(await sliced(CUBIC)));
  assert.equal(isExact, false);
  assert.match(warnings[0] ?? "", /^The values of the job are taken as coverages of pixels/);
});

test("without optics of the machines, each pixel stays as it is", async () => {
  const plain = await sliced(undefined);
  const { pictures, isExact, warnings } = await converted(plain, printerOf("other", undefined));
  assert.deepEqual(pictures, picturesIn(plain));
  assert.deepEqual([isExact, warnings], [true, []]);
});

test("greys of one panel become those of another by the coverages between them", () => {
  const [one, other] = [printerOf("one", CUBIC), printerOf("other", SQUARE)];
  const { coverages, greys } = greyChange(one, other)!;
  const own = jobGreys(one)!.table;
  assert.deepEqual(greys, jobGreys(other));
  // A grey is that of several coverages where the cubic response is flat.
  for (let cover = 0; cover < 256; cover++) {
    const back = coverages![own[cover]!]!;
    assert.equal(own[back], own[cover], `coverage ${cover}`);
  }
  assert.ok(coverages!.every((cover, grey) => grey === 0 || cover >= coverages![grey - 1]!));
  assert.equal(greyChange(one, one), undefined);
  assert.equal(greyChange(one, undefined)!.greys, undefined);
});
