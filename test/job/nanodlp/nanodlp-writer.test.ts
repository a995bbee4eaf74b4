import assert from "node:assert/strict";
import { test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { stagedMotion } from "../../../src/job/job-exposure.ts";
import { openJob } from "../../../src/job/job-readers.ts";
import { JOB_WRITERS } from "../../../src/job/job-writers.ts";
import { pictureOf } from "../../fixture/job/picture-of.ts";
import { readNanodlp } from "../../fixture/job/read-nanodlp.ts";
import { readPngSamples } from "../../fixture/job/read-png-layer.ts";
import { CYCLE, archiveOf, plainThumbnail, someJob } from "../../fixture/job/some-job.ts";
import { painted, ring } from "../../fixture/job/some-layers.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(607, 487, [9, 9, 9, 255])];
const file = (changes = {}, pictures = layers) =>
  archiveOf("nanodlp", someJob(pictures, { thumbnails, ...changes }), pictures);

test("a pixel of the picture holds three columns, red the leftmost", () => {
  const row = [10, 20, 30, 40, 50, 60];
  const png = unzipSync(file({}, [painted(6, 1, (x) => row[x])]))["1.png"];
  const { width, height, samples } = readPngSamples(png, 2);
  assert.deepEqual([width, height, [...samples]], [2, 1, row]);
});

test("columns are added on the right up to a multiple of three", () => {
  const picture = painted(7, 2, (x, y) => 100 + 10 * y + x);
  const [layer] = readNanodlp(file({}, [picture]), true).layers;
  assert.deepEqual(
    [...layer.pixels],
    [100, 101, 102, 103, 104, 105, 106, 0, 0, 110, 111, 112, 113, 114, 115, 116, 0, 0],
  );
});

test("an independent reader finds the layers, and the names that NanoDLP expects", () => {
  const read = readNanodlp(file(), true);
  assert.deepEqual(read.layers, layers);
  assert.deepEqual(read.names, [
    "meta.json",
    "profile.json",
    "3d.png",
    "1.png",
    "2.png",
    "3.png",
    "options.json",
    "slicer.json",
    "info.json",
    "plate.json",
  ]);
  assert.deepEqual(readNanodlp(archiveOf("nanodlp-grey", someJob(layers), layers), false).layers, layers);
});

test("the profile has exposures in seconds, thicknesses in micrometres and waits by their moments", () => {
  const cycle = { ...CYCLE, waitBeforeLiftS: 1, waitAfterLiftS: 2, waitAfterRetractS: 3, light: 51 };
  const first = { ...cycle, waitBeforeLiftS: 4, waitAfterLiftS: 5, waitAfterRetractS: 6 };
  const lift = stagedMotion({ mm: 4, mmPerMin: 60 }, { mm: 5, mmPerMin: 120 });
  const exposure = { firstS: 30, normalS: 2.5, firstLayers: 2, fadingLayers: 6 };
  const { profile } = readNanodlp(
    file({ exposure: { ...exposure, firstCycle: { ...first, lift }, normalCycle: cycle } }),
    true,
  );
  assert.deepEqual(profile, {
    Title: "Grey\nV5",
    Desc: "",
    Depth: 50,
    SupportDepth: 50,
    CureTime: 2.5,
    SupportCureTime: 30,
    SupportLayerNumber: 2,
    TransitionalLayer: 6,
    WaitHeight: 7,
    SupportWaitHeight: 9,
    WaitBeforePrint: 3,
    SupportWaitBeforePrint: 6,
    WaitAfterPrint: 1,
    SupportWaitAfterPrint: 4,
    TopWait: 2,
    SupportTopWait: 5,
    Type: 0,
    CustomValues: { UvPwmValue: "0.2" },
  });
  assert.deepEqual(readNanodlp(file(), true).profile.CustomValues, { UvPwmValue: "1.0" });
});

test("info and plate have areas in mm² and the box of the parts", () => {
  // Two bars of 30 and 10 pixels, of which half are grey, and an empty layer.
  const bars = painted(40, 20, (x, y) => (y === 4 && x >= 2 && x < 32 ? 255 : y === 9 && x >= 5 && x < 15 ? 102 : 0));
  const { info, plate, options, slicer } = readNanodlp(file({}, [bars, painted(40, 20, () => 0)]), true);
  const pixelMm2 = 0.019 * 0.024;
  const near = (value: unknown, expected: number): void =>
    assert.ok(Math.abs(Number(value) - expected) < 1e-12, `${String(value)}`);
  near(info[0].TotalSolidArea, 34 * pixelMm2);
  near(info[0].LargestArea, 30 * pixelMm2);
  near(info[0].SmallestArea, 4 * pixelMm2);
  assert.deepEqual([info[0].MinX, info[0].MinY, info[0].MaxX, info[0].MaxY, info[0].AreaCount], [2, 4, 31, 9, 2]);
  assert.deepEqual(Object.values(info[1]), [0, 0, 0, 0, 0, 0, 0, 0]);
  near(plate.TotalSolidArea, 17 * pixelMm2);
  // Columns 2 to 32 of 40 from the right, because the pictures are mirrored, and rows 4 to 10 of 20 from the top.
  const box = { XMin: -12 * 0.019, XMax: 18 * 0.019, YMin: 0, YMax: 6 * 0.024, ZMin: 0, ZMax: 0.1 };
  for (const [key, value] of Object.entries(box)) near(plate[key], value);
  assert.deepEqual(
    [plate.Path, plate.LayersCount, plate.PrintTime, plate.CreatedDate],
    ["Räder 3/4", 2, 5789.4, 1795223995],
  );
  assert.deepEqual(options, slicer);
  assert.deepEqual([options.PWidth, options.PHeight, options.Thickness, options.ImageMirror], [40, 20, 50, 1]);
  assert.deepEqual([options.XOffset, options.YOffset, options.XPixelSize, options.XRes], [20, 10, 0.019, 19]);
});

test("adaptive layers are refused before a layer is made", () => {
  const job = someJob(layers, { layerThicknessMm: "ADAPTIVE" });
  assert.throws(() => JOB_WRITERS.nanodlp.requireCarriable?.(job), { code: "OPERATION_FAILED" });
});

test("archives of other programs are read: layers from 0, no options, thicker first layers", async () => {
  const entries = unzipSync(archiveOf("nanodlp", someJob(layers), layers));
  const profile = JSON.parse(strFromU8(entries["profile.json"])) as object;
  const other = zipSync({
    "0.png": entries["1.png"],
    "1.png": entries["2.png"],
    "2.png": entries["3.png"],
    "plate.json": strToU8("{}"),
    "profile.json": strToU8(JSON.stringify({ ...profile, SupportDepth: 80, CustomValues: null })),
  });
  const job = await openJob(fileAt("other.nanodlp", other));
  assert.deepEqual([...job.pixels], [120, 90]);
  assert.deepEqual([...job.boundariesMm], [0, 0.08, 0.16, 0.21]);
  assert.deepEqual(pictureOf(await job.layer(2)), layers[2]);
  job.close();
});

test("pictures that do not fit the options are refused, and a wrong number of layers is a warning", async () => {
  const entries = unzipSync(archiveOf("nanodlp", someJob(layers), layers));
  const edited = (name: string, from: string, to: string): string => {
    const text = strFromU8(entries[name]);
    assert.ok(text.includes(from));
    return fileAt("edited.nanodlp", zipSync({ ...entries, [name]: strToU8(text.replace(from, to)) }));
  };
  await assert.rejects(
    openJob(edited("options.json", '"PWidth":120', '"PWidth":117')),
    /120 × 90 pixels and its options 117 × 90/,
  );
  await assert.rejects(openJob(edited("profile.json", '"Depth":50', '"Depth":0')), /Depth in profile\.json/);
  const job = await openJob(edited("plate.json", '"LayersCount":3', '"LayersCount":4'));
  assert.deepEqual(job.warnings, ["The file states 4 layers and has pictures of 3."]);
  job.close();
});
