import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { operationFailed } from "../../src/core/api-error.ts";
import { decodePlanes } from "../../src/job/chitu/decode-planes.ts";
import { encodePlanes } from "../../src/job/chitu/encode-planes.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { RunsBuilder } from "../../src/job/runs-builder.ts";
import { readCbddlp } from "../fixture/job/read-cbddlp.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(400, 300, [255, 0, 0, 255]), plainThumbnail(200, 125, [255, 255, 255, 255])];
const job = someJob(layers, { thumbnails });
const read = (format: "cbddlp" | "cbddlp-binary") => readCbddlp(archiveOf(format, job, layers));

const litFrom = ({ pixels }: GreyPicture, least: number): number[] =>
  [...pixels].map((value) => Number(value >= least));

test("greys are four planes with falling thresholds, the first of which is a print by itself", () => {
  const { header, layers: written } = read("cbddlp");
  assert.equal(header.planes, 4);
  for (const [k, planes] of written.entries()) {
    assert.deepEqual(
      planes.map(({ lit }) => lit),
      [193, 129, 65, 1].map((least) => litFrom(layers[k], least)),
    );
  }
});

test("a panel that shows no greys gets one plane, of the pixels that are covered by half", () => {
  const { header, layers: written } = read("cbddlp-binary");
  assert.equal(header.planes, 1);
  assert.deepEqual(
    written.map(([{ lit }]) => lit),
    layers.map((layer) => litFrom(layer, 128)),
  );
});

test("the records describe the job and the process; the planes of a layer have its height and exposure", () => {
  const { header, parameters, previews, layers: written } = read("cbddlp");
  assert.deepEqual([header.pixels, header.layerCount, header.projection, header.key], [[120, 90], 3, 1, 0]);
  assert.deepEqual([header.exposureS, header.bottomExposureS, header.bottomLayers], [2.5, 30, 2]);
  assert.deepEqual([header.printTimeS, header.lights], [Math.round(TOTALS.printTimeS), [255, 255]]);
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
  assert.ok(previews[0].pixels.every((pixel) => pixel === 0xf800));
  for (const [k, planes] of written.entries()) {
    for (const { zMm, exposureS, lightOffS, headBytes } of planes) {
      assert.deepEqual([zMm, exposureS, lightOffS, headBytes], [Math.fround(0.05 * (k + 1)), 30 - k, 6, 0]);
    }
  }
});

test("runs have the bytes of the example of the format", () => {
  const [bytes] = encodePlanes(runsOf(painted(305, 1, (x) => (x < 300 ? 0 : 255))), "BINARY");
  assert.equal(Buffer.from(bytes).toString("hex"), "7d7d3285");
});

/** The values of one row of pixels. */
function decoded(planes: readonly string[], width: number): number[] {
  const bytes = planes.map((plane) => Buffer.from(plane, "hex"));
  const { rowStarts, starts, ends, values } = decodePlanes(
    bytes,
    new RunsBuilder(width, 1, operationFailed),
    operationFailed,
  );
  const pixels = Array.from({ length: width }, () => 0);
  for (let run = 0; run < rowStarts[1]; run++) pixels.fill(values[run], starts[run], ends[run]);
  return pixels;
}

test("runs of 126 and 127 pixels and of none are read, and any number of planes", () => {
  const lit = (count: number): number[] => Array.from({ length: count }, () => 255);
  assert.deepEqual(decoded(["fe8001ff"], 254), [...lit(126), 0, ...lit(127)]);
  assert.deepEqual(decoded(["0380", "0281", "0182", "83"], 3), [63, 127, 191]);
  assert.deepEqual(decoded(["0281", "83"], 3), [127, 127, 255]);
});

test("planes of different sizes are refused", () => {
  assert.throws(() => decoded(["83", "82"], 3), { code: "OPERATION_FAILED", message: /planes .* differ in size/ });
});

/** A file of version 1: a header of 108 bytes and the layers, whose heights are those of their bottoms. */
function firstVersion(): Buffer {
  const runs = [Buffer.of(0x83, 0x05), Buffer.of(0x07), Buffer.of(0x88)];
  const file = Buffer.alloc(108 + 36 * 3);
  file.writeUInt32LE(0x12fd_0019, 0);
  file.writeUInt32LE(1, 4);
  [68, 121, 155].forEach((mm, i) => file.writeFloatLE(mm, 8 + 4 * i));
  [0.15, 0.05, 8, 60, 6.5].forEach((value, i) => file.writeFloatLE(value, 0x1c + 4 * i));
  [1, 4, 2, 0, 108, 3, 0, 77, 1].forEach((value, i) => file.writeUInt32LE(value, 0x30 + 4 * i));
  let at = file.length;
  for (const [k, { length }] of runs.entries()) {
    [0.05 * k, k === 0 ? 60 : 8, 6.5].forEach((value, i) => file.writeFloatLE(value, 108 + 36 * k + 4 * i));
    file.writeUInt32LE(at, 108 + 36 * k + 12);
    file.writeUInt32LE(length, 108 + 36 * k + 16);
    at += length;
  }
  return Buffer.concat([file, ...runs]);
}

test("version 1 is read: no motions, heights of bottoms, a picture that lacks its last pixel", async () => {
  const { layer, ...facts } = await openJob(fileAt("old.photon", firstVersion()));
  assert.deepEqual([facts.format, facts.version, facts.pixels], ["Chitubox CBDDLP", "1", [4, 2]]);
  assert.deepEqual(
    [...facts.boundariesMm].map((mm) => Math.round(1e4 * mm) / 1e4),
    [0, 0.05, 0.1, 0.15],
  );
  assert.deepEqual([...facts.exposuresS], [60, 8, 8]);
  assert.deepEqual([facts.states, facts.totals, facts.thumbnails], [["WAIT_SUM"], { printTimeS: 77 }, []]);
  assert.deepEqual([facts.exposure?.firstS, facts.exposure?.normalS, facts.exposure?.firstLayers], [60, 8, 1]);
  assert.deepEqual([facts.exposure?.normalCycle.waitAfterRetractS, facts.exposure?.normalCycle.light], [6.5, 255]);
  const rows = [];
  for (const index of [0, 1, 2]) {
    const { rowStarts, starts, ends, values } = await layer(index);
    rows.push([...rowStarts, ...starts.subarray(0, rowStarts[2]), ...ends.subarray(0, rowStarts[2]), values[0]]);
  }
  assert.deepEqual(
    rows.map((row) => row.slice(0, -1)),
    [
      [0, 1, 1, 0, 3],
      [0, 0, 0],
      [0, 1, 2, 0, 0, 4, 4],
    ],
  );
  facts.close();
});
