import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { encodeRle7Layer } from "../../src/job/chitu/encode-rle7-layer.ts";
import { maskLayer } from "../../src/job/chitu/mask-layer.ts";
import { type JobExposure, stagedMotion } from "../../src/job/job-exposure.ts";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobMetadata, JobWriter } from "../../src/job/job.ts";
import { rgb15Runs } from "../../src/job/chitu/rgb15-runs.ts";
import { readCtb } from "../fixture/job/read-ctb.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring, someLayer } from "../fixture/job/some-layers.ts";
import { fc } from "../fixture/property.ts";
import { longTest } from "../fixture/long.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(400, 300, [255, 0, 0, 255]), plainThumbnail(200, 125, [255, 255, 255, 128])];

const ctbNotice = Buffer.from("notice ".repeat(46).slice(0, 320));

function ctb(
  format: JobFormat = "ctb-3",
  pictures: readonly GreyPicture[] = layers,
  changes: Partial<JobMetadata> = {},
) {
  const job = someJob(pictures, { thumbnails, ctbNotice });
  const printer = { ...job.printer, nameInJobs: "ELEGOO Saturn" };
  return readCtb(archiveOf(format, { ...job, printer, ...changes }, pictures));
}

const inLevels = ({ pixels, ...size }: GreyPicture): GreyPicture => ({
  ...size,
  pixels: pixels.map((value) => {
    const level = value === 1 ? 1 : value >> 1;
    return level === 0 ? 0 : 2 * level + 1;
  }),
});

const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

longTest("the reader reads a file of Chitubox 1.6.5.1", () => {
  const { header, layers: read, slicer } = readCtb(readFileSync(new URL("../fixture/job/stairs.ctb", import.meta.url)));
  assert.deepEqual([header.version, header.pixels, header.layerCount], [3, [1440, 2560], 400]);
  assert.equal(slicer.software, 0x01060501);
  for (const index of [0, 200]) {
    assert.equal(read[index].picture.pixels.filter((value) => value > 0).length, 224_720);
  }
});

test("decoded layers are the originals in 128 levels, with their heights, exposures and motions", () => {
  const { layers: read } = ctb();
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers.map(inLevels),
  );
  assert.deepEqual(rounded(read.map(({ zMm }) => zMm)), [0.05, 0.1, 0.15]);
  assert.deepEqual(
    read.map(({ exposureS }) => exposureS),
    [30, 29, 28],
  );
  for (const layer of read) {
    assert.ok("lift" in layer);
    assert.deepEqual([layer.lift, layer.retractMmPerMin, layer.light], [{ mm: 7, mmPerMin: 120 }, 240, 255]);
    assert.deepEqual(layer.waits, { beforeLiftS: 0.25, afterLiftS: 0, afterRetractS: 0.5 });
    assert.equal(layer.lightOffS, 6);
  }
});

test("the records describe the job, the machine and the process", () => {
  const { header, parameters, slicer, previews } = ctb();
  assert.deepEqual([header.version, header.pixels, header.projection], [3, [120, 90], 1]);
  assert.deepEqual(rounded([...header.sizeMm, header.heightMm, header.thicknessMm]), [218.88, 122.88, 220, 0.15, 0.05]);
  assert.deepEqual([header.exposureS, header.bottomExposureS, header.lightOffS], [2.5, 30, 6]);
  assert.deepEqual([header.bottomLayers, header.layerCount, header.printTimeS], [2, 3, Math.round(TOTALS.printTimeS)]);
  assert.deepEqual(header.lights, [255, 255]);
  assert.notEqual(header.key, 0);
  assert.deepEqual(parameters, {
    bottomLift: { mm: 7, mmPerMin: 120 },
    lift: { mm: 7, mmPerMin: 120 },
    retractMmPerMin: 240,
    volumeMl: TOTALS.materialMl,
    weightG: TOTALS.materialG,
    cost: 0,
    bottomLightOffS: 6,
    lightOffS: 6,
    bottomLayers: 2,
    mark: 0,
  });
  assert.deepEqual([slicer.machine, slicer.perLayer, slicer.transitionLayers], ["ELEGOO Saturn", 0, 6]);
  assert.equal(slicer.minutes, Math.floor(Date.parse("2026-11-21T01:19:55Z") / 60_000));
  assert.deepEqual(
    previews.map(({ width, height }) => [width, height]),
    [
      [400, 300],
      [200, 125],
    ],
  );
  assert.ok(previews[0].pixels.every((pixel) => pixel === 0xf800));
  assert.ok(previews[1].pixels.every((pixel) => pixel === ((16 << 11) | (16 << 6) | 16)));
});

test("a panel that shows no greys gets black and white", () => {
  for (const format of ["ctb-2-binary", "ctb-3-binary", "ctb-4-binary"] as const) {
    assert.deepEqual(
      ctb(format).layers.map(({ picture }) => picture),
      layers.map(({ pixels, ...size }) => ({ ...size, pixels: pixels.map((value) => (value < 127 ? 0 : 255)) })),
    );
  }
});

test("version 2 has no records before the data of layers, and no number of fading layers", () => {
  const { header, parameters, slicer, layers: read } = ctb("ctb-2");
  assert.deepEqual([header.version, parameters.mark, slicer.transitionLayers], [2, 0x1234, 0]);
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers.map(inLevels),
  );
  assert.ok(read.every(({ headBytes }) => headBytes === 0));
  assert.equal(read[1].address, read[0].address + read[0].length);
});

/** Both motions in two stages, and waits, of the first layers and of the others. */
const STAGED: JobExposure = {
  ...someJob(layers).exposure!,
  firstCycle: {
    waitBeforeLiftS: 1,
    lift: stagedMotion({ mm: 4, mmPerMin: 30 }, { mm: 5, mmPerMin: 150 }),
    waitAfterLiftS: 2,
    retract: stagedMotion({ mm: 6, mmPerMin: 120 }, { mm: 3, mmPerMin: 36 }),
    waitAfterRetractS: 3,
    light: 200,
  },
  normalCycle: {
    waitBeforeLiftS: 4,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 }),
    waitAfterLiftS: 5,
    retract: stagedMotion({ mm: 6, mmPerMin: 240 }, { mm: 2, mmPerMin: 48 }),
    waitAfterRetractS: 6,
    light: 240,
  },
};

test("version 4 states the whole lift, the second stages and the waits instead of a time without light", () => {
  const { header, parameters, slicer, extension, layers: read } = ctb("ctb-4", layers, { exposure: STAGED });
  assert.deepEqual([header.magic, header.version, header.lightOffS], [0x12fd0106, 4, 0]);
  const { bottomLift, lift, retractMmPerMin, bottomLightOffS, lightOffS } = parameters;
  assert.deepEqual(
    [bottomLift, lift],
    [
      { mm: 9, mmPerMin: 30 },
      { mm: 8, mmPerMin: 60 },
    ],
  );
  assert.deepEqual([retractMmPerMin, bottomLightOffS, lightOffS], [240, 0, 0]);
  assert.deepEqual(slicer.stages, {
    bottomLift2: { mm: 5, mmPerMin: 150 },
    lift2: { mm: 6, mmPerMin: 180 },
    retract2: { mm: 2, mmPerMin: 48 },
  });
  assert.deepEqual(slicer.waits, { waitAfterLiftS: 5, waitAfterRetractS: 6, waitAfterLiftAgainS: 5 });
  assert.deepEqual([slicer.software, slicer.perLayer, slicer.transitionLayers], [0x01090000, 0, 6]);
  assert.deepEqual(extension, {
    bottomRetractMmPerMin: 120,
    bottomRetract2MmPerMin: 36,
    fixed: [0, 4, 0, 4],
    waitAfterRetractS: 6,
    waitAfterLiftS: 5,
    waitBeforeLiftS: 4,
    bottomRetract2Mm: 3,
    zeros: [0, 0],
    five: 5,
    lastLayer: 2,
    notice: ctbNotice,
  });
  const [first, , third] = read;
  assert.ok("lift" in first && "lift" in third);
  // All layers have the waits that the head of the file states.
  const waits = { beforeLiftS: 4, afterLiftS: 5, afterRetractS: 6 };
  assert.deepEqual(
    [first.lift, first.lift2, first.retractMmPerMin, first.retract2, first.waits, first.light],
    [{ mm: 9, mmPerMin: 30 }, { mm: 5, mmPerMin: 150 }, 120, { mm: 3, mmPerMin: 36 }, waits, 200],
  );
  assert.deepEqual(
    [third.lift, third.lift2, third.retractMmPerMin, third.retract2, third.waits, third.light],
    [{ mm: 8, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 }, 240, { mm: 2, mmPerMin: 48 }, waits, 240],
  );
});

test("without the notice of its maker, version 4 is refused before any layer is made, with the ways out", () => {
  const facts = someJob(layers);
  assert.throws(() => (JOB_WRITERS["ctb-4"] as JobWriter).requireCarriable?.(facts), {
    code: "OPERATION_FAILED",
    message: /notice.*--ctb-notice-from FILE.*version 3/,
  });
  (JOB_WRITERS["ctb-4"] as JobWriter).requireCarriable?.({ ...facts, ctbNotice });
  (JOB_WRITERS["ctb-3"] as JobWriter).requireCarriable?.(facts);
});

test("any picture is read back in 128 levels", () => {
  fc.assert(
    fc.property(someLayer, (picture) => assert.deepEqual(ctb("ctb-3", [picture]).layers[0].picture, inLevels(picture))),
    { numRuns: 15 },
  );
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("runs and masks have the bytes of the examples of the format", () => {
  const pixels = new Uint8Array(20_306);
  pixels.fill(255, 300, 305);
  pixels[305] = 128;
  assert.equal(
    hex(encodeRle7Layer(runsOf({ width: pixels.length, height: 1, pixels }), false)),
    "80812cff054080c04e20",
  );
  const data = new Uint8Array(8);
  maskLayer(data, 0x12345678, 3);
  assert.equal(hex(data), "9c85b6ce5fea2e23");
  const row = [...Array.from({ length: 43 }, () => [255, 255, 255, 255]), [255, 0, 0, 255]];
  assert.equal(hex(rgb15Runs({ width: 44, height: 1, rgba: Uint8Array.from(row.flat()), png: [] })), "ffff2a3000f8");
});

test("the lengths of runs take one to four bytes", () => {
  for (const [width, height, bytes] of [
    [1, 1, "7f"],
    [2, 1, "ff02"],
    [127, 1, "ff7f"],
    [128, 1, "ff8080"],
    [16_383, 1, "ffbfff"],
    [16_384, 1, "ffc04000"],
    [16_513, 127, "ffdfffff"],
    [16_384, 128, "ffe0200000"],
  ] as const) {
    const pixels = new Uint8Array(width * height).fill(255);
    assert.equal(hex(encodeRle7Layer(runsOf({ width, height, pixels }), false)), bytes);
  }
});
