import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { VERSION } from "../../src/core/version.ts";
import { newCrcChecksum, newXorChecksum } from "../../src/job/creality/body-checksum.ts";
import { encodeColumnLines } from "../../src/job/creality/column-lines.ts";
import { NO_STAGES, stagedMotion } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobMetadata, JobWriter } from "../../src/job/job.ts";
import { readCxdlp, readCxdlp4, withCxdlpSum } from "../fixture/job/read-cxdlp.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { CYCLE, TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));

function fileOf(format: JobFormat, changes: Partial<JobMetadata> = {}, pictures = layers): Uint8Array {
  const writer: JobWriter = JOB_WRITERS[format];
  const thumbnails = writer.thumbnails.map(({ width, height }) => plainThumbnail(width, height, [255, 0, 255, 255]));
  const job = someJob(pictures, { thumbnails });
  const printer = { ...job.printer, nameInJobs: "CL-89", ...changes.printer };
  return archiveOf(format, { ...job, ...changes, printer }, pictures);
}

const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

/** Area of the largest region in thousandths of a square millimetre, by flooding it; a grey pixel counts by its value. */
function largestOf({ width, height, pixels }: GreyPicture): number {
  const open = pixels.slice();
  let largest = 0;
  for (let start = 0; start < pixels.length; start++) {
    const stack = [start];
    let sum = 0;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (open[at] === 0) continue;
      sum += open[at];
      open[at] = 0;
      if (at % width > 0) stack.push(at - 1);
      if (at % width < width - 1) stack.push(at + 1);
      if (at >= width) stack.push(at - width);
      if (at < width * (height - 1)) stack.push(at + width);
    }
    largest = Math.max(largest, sum);
  }
  return Math.round((largest / 255) * 0.019 * 0.024 * 1000);
}

test("a column of a picture is a line of six bytes", () => {
  const picture = painted(1001, 210, (x, y) => (x === 1000 && y >= 100 && y <= 200 ? 255 : 0));
  assert.deepEqual(Buffer.from(encodeColumnLines(runsOf(picture))).toString("hex"), "03203203e8ff");
});

test("the checksum of a file is that of its parts, wherever its head ends", () => {
  const check = newCrcChecksum();
  check.add(Buffer.from("456789"));
  assert.equal(check.withHead(Buffer.from("123")), 0x2dfd2d88);
  const bytes = fc.uint8Array({ maxLength: 400 });
  const property = fc.property(bytes, bytes, fc.nat(400), (head, body, cut) => {
    for (const make of [newCrcChecksum, newXorChecksum]) {
      const [whole, parts] = [make(), make()];
      whole.add(Buffer.concat([head, body]));
      parts.add(body.subarray(0, cut));
      parts.add(body.subarray(cut));
      assert.equal(parts.withHead(head), whole.withHead(new Uint8Array()));
    }
  });
  fc.assert(property, { numRuns: slowRuns(100) });
});

test("any layer is decoded by a reader that shares no code with the encoder", () => {
  const property = fc.property(someLayer, (picture) => {
    assert.deepEqual(readCxdlp(fileOf("cxdlp-3", {}, [picture])).layers, [picture]);
  });
  fc.assert(property, { numRuns: slowRuns(8) });
});

for (const version of [2, 3] as const) {
  test(`version ${version} has the layers, the machine and the process, in whole numbers`, () => {
    const read = readCxdlp(fileOf(`cxdlp-${version}`));
    assert.deepEqual(read.layers, layers);
    assert.deepEqual([read.version, read.model], [version, "CL-89\0"]);
    assert.deepEqual(rounded(read.process.displayMm), rounded([120 * 0.019, 90 * 0.024]));
    const { displayMm: _, ...process } = read.process;
    assert.deepEqual(process, {
      thicknessMm: 0.05,
      exposureDs: 25,
      waitS: 1,
      bottomExposureS: 30,
      bottomLayers: 2,
      bottomLift: [7, 2],
      lift: [7, 2],
      retractMmPerS: 4,
      lights: [255, 255],
    });
    assert.deepEqual(read.areas, layers.map(largestOf));
    for (const preview of read.previews) assert.equal(preview.readUInt16BE(1000), 0xf81f);
    const software = {
      program: `Printwright ${VERSION}\0`,
      material: "Grey\nV5\0",
      switches: [0, 600, 300_000, 1, 0, 0, 1000],
      greys: [1, 1, 255, 0, 2],
    };
    assert.deepEqual(read.software, version === 3 ? software : undefined);
  });
}

test("version 4 has the layers with their motions, and the process in stages", () => {
  const normalCycle = {
    ...CYCLE,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 }),
    retract: stagedMotion({ mm: 5, mmPerMin: 240 }, { mm: 3, mmPerMin: 48 }),
    waitAfterLiftS: 0.125,
    light: 250,
  };
  const firstCycle = { ...CYCLE, lift: stagedMotion({ mm: 2, mmPerMin: 30 }), light: 240 };
  const exposure = { ...someJob(layers).exposure!, firstCycle, normalCycle };
  const read = readCxdlp4(fileOf("cxdlp-4", { exposure }));
  assert.equal(read.model, "CL-89\0");
  assert.deepEqual([read.header.layerCount, read.header.bottomLayers, read.header.projection], [3, 2, 1]);
  assert.deepEqual([...read.header.pixels, ...read.header.lights], [120, 90, 250, 240]);
  assert.deepEqual(rounded(read.header.sizeMm), [218.88, 122.88, 220]);
  assert.deepEqual(rounded([read.header.heightMm, read.header.thicknessMm]), [0.15, 0.05]);
  assert.equal(read.header.printTimeS, Math.round(TOTALS.printTimeS));
  const totals = [TOTALS.materialMl, TOTALS.materialG];
  assert.deepEqual(rounded(read.parameters), [2, 30, 8, 60, 240, ...totals, 0, 0, 0]);
  assert.deepEqual(read.parameterEnd, [2, 2.5, 30, 0, 0, 0, 0]);
  assert.deepEqual(read.slicer, {
    stages: [0, 0, 6, 180, 3, 48],
    waitAfterLiftS: 0.125,
    perLayer: 0,
    minutes: Math.floor(Date.parse("2026-11-21T01:19:55.123Z") / 60_000),
    others: [8, 0],
    waitAfterRetractS: 0.5,
    waitBeforeLiftS: 0.25,
    exposures: [2.5, 30],
    waitAfterLiftAgainS: 0.125,
    transitionLayers: 6,
    end: [0, 0],
  });
  assert.deepEqual(
    read.layers.map(({ motions }) => motions),
    // The first layers, lifted by 2 mm, return in the second stage alone.
    [0, 1]
      .map(() => [2, 30, 0, 0, 240, 2, 48, 0.25, 0.125, 0.5, 240])
      .concat([[8, 60, 6, 180, 240, 3, 48, 0.25, 0.125, 0.5, 250]]),
  );
  assert.deepEqual(rounded(read.layers.map(({ zMm }) => zMm)), [0.05, 0.1, 0.15]);
  for (const [k, { picture, area, exposureS, lightOffS }] of read.layers.entries()) {
    assert.deepEqual([exposureS, lightOffS], [30 - k, 0]);
    assert.equal(area, largestOf(layers[k]));
    assert.ok(picture.pixels.every((value, i) => Math.abs(value - layers[k].pixels[i]) <= 2));
  }
});

test("values that become whole numbers and missing transitions are told", () => {
  const { exposure } = someJob(layers);
  const lift = stagedMotion({ mm: 5.5, mmPerMin: 80 });
  const told = JOB_WRITERS["cxdlp-3"].otherLosses!({ ...exposure!, normalCycle: { ...CYCLE, lift } });
  assert.deepEqual(told, [
    "Files of type .cxdlp state the wait before the exposure rounded: 0.5 s become 1 s.",
    "Files of type .cxdlp state the lift rounded: 5.5 mm become 6 mm.",
    "Files of type .cxdlp state the speed of the lift rounded: 1.333 mm/s become 1 mm/s.",
    "Files of type .cxdlp of this version cannot state exposures between those of the first layers and of the others: the 6 layers with such an exposure get that of the others.",
  ]);
});

test("jobs without lifts, with too many pixels or with ADAPTIVE layers are refused before any layer is made", () => {
  const job = someJob(layers);
  const refused = (format: JobFormat, changes: Partial<JobMetadata>, message: RegExp) => {
    const writer: JobWriter = JOB_WRITERS[format];
    writer.requireCarriable?.(job);
    assert.throws(() => writer.requireCarriable?.({ ...job, ...changes }), { code: "OPERATION_FAILED", message });
  };
  const tilt = { ...job.exposure!, normalCycle: { ...CYCLE, lift: NO_STAGES, retract: NO_STAGES } };
  for (const format of ["cxdlp-2", "cxdlp-3", "cxdlp-4"] as const) {
    refused(format, { exposure: tilt }, /without lifts.*set lifts/);
    refused(format, { layerThicknessMm: "ADAPTIVE" }, /ADAPTIVE/);
  }
  refused("cxdlp-3", { printer: { ...job.printer, pixels: [16_385, 90] } }, /16384 × 8192 pixels.*16385 × 90/);
  refused("cxdlp-3", { boundariesMm: new Float64Array(65_537) }, /65535 layers/);
});

test("a file in which one bit is wrong is refused by its checksum", async () => {
  for (const format of ["cxdlp-2", "cxdlp-3", "cxdlp-4"] as const) {
    const file = Buffer.from(fileOf(format));
    assert.deepEqual(withCxdlpSum(file), file);
    file[file.length >> 1] ^= 16;
    const refused = { code: "OPERATION_FAILED", message: /its checksum is wrong.*another copy/ };
    await assert.rejects(openJob(fileAt("job.cxdlp", file)), refused);
  }
});
