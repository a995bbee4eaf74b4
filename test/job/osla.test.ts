import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSION } from "../../src/core/version.ts";
import { stagedMotion } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import type { JobMetadata } from "../../src/job/job.ts";
import { readOsla } from "../fixture/job/read-osla.ts";
import { CYCLE, TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [
  ring(120, 90, 40, 20),
  painted(120, 90, (x, y) => (x === 7 && y > 80 ? 9 : 0)),
  painted(120, 90, () => 0),
];
const thumbnails = JOB_WRITERS.osla.thumbnails.map(({ width, height }) =>
  plainThumbnail(width, height, [255, 0, 255, 255]),
);
const facts = someJob(layers, { thumbnails });
const fileOf = (changes: Partial<JobMetadata> = {}) => archiveOf("osla", { ...facts, ...changes }, layers);
const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

test("the records describe the program, the machine and the job", () => {
  const { origin, header, previews } = readOsla(fileOf());
  const [time, program] = ["2026-11-21 01:19:55Z", `Printwright ${VERSION}`];
  assert.deepEqual(origin, { created: time, by: program, modified: time, modifiedBy: program });
  assert.deepEqual(header.pixels, [120, 90]);
  assert.deepEqual(rounded(header.sizeMm), rounded([220, 120 * 0.019, 90 * 0.024]));
  assert.deepEqual([header.mirror, ...header.types], [1, "RGB565", "PNG"]);
  assert.deepEqual(rounded([header.thicknessMm]), [0.05]);
  assert.deepEqual([header.bottomLayers, header.layerCount, header.cost], [2, 3, 0]);
  assert.deepEqual([header.printTimeS, header.volumeMl], [Math.round(TOTALS.printTimeS), TOTALS.materialMl]);
  assert.deepEqual([header.material, header.machine], ["Grey\nV5", "ELEGOO Saturn 4 Ultra"]);
  for (const { pixels } of previews) assert.equal(pixels.readUInt16LE(100), 0xf81f);
  const printer = { ...facts.printer, mirrorX: true, mirrorY: true };
  assert.equal(readOsla(fileOf({ printer })).header.mirror, 3);
});

test("each layer has its picture, its box, and the values of its cycle", () => {
  const normalCycle = {
    waitBeforeLiftS: 1,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 }),
    waitAfterLiftS: 2,
    retract: stagedMotion({ mm: 5, mmPerMin: 240 }, { mm: 3, mmPerMin: 48 }),
    waitAfterRetractS: 3,
    light: 250,
  };
  const boundariesMm = Float64Array.of(0, 0.05, 0.15, 0.4);
  const exposure = { ...facts.exposure!, normalCycle };
  const read = readOsla(fileOf({ exposure, boundariesMm, layerThicknessMm: "ADAPTIVE" })).layers;
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers,
  );
  assert.deepEqual(rounded(read.map(({ zMm }) => zMm)), [0.05, 0.15, 0.4]);
  const { address: _, picture: __, zMm: ___, ...last } = read[2];
  assert.deepEqual(last, {
    lift: [2, 60, 6, 180],
    waitAfterLiftS: 2,
    retract: [240, 3, 48],
    waitBeforeCureS: 3,
    exposureS: 28,
    waitAfterCureS: 1,
    light: 250,
    litPixels: 0,
    box: [0, 0, 0, 0],
  });
  assert.deepEqual([read[1].litPixels, read[1].box], [9, [7, 81, 1, 9]]);
  assert.deepEqual([read[0].lift, read[0].light], [[7, 120, 0, 0], CYCLE.light]);
});

test("the G-code shows each picture by its number between two moves, and exposes it", () => {
  const { gcode } = readOsla(fileOf());
  const commands = gcode.split("\n").map((line) => line.replace(/\s*;.*/, ""));
  const shown = commands.flatMap((line, i) => (line.startsWith("M6054") ? [i] : []));
  assert.deepEqual(
    shown.map((i) => commands[i]),
    ["M6054 0", "M6054 1", "M6054 2"],
  );
  assert.deepEqual(commands.slice(shown[2], shown[2] + 7), [
    "M6054 2",
    "G0 Z7.15 F120",
    "G0 Z0.15 F240",
    "G4 P500",
    "M106 S255",
    "G4 P28000",
    "M106 S0",
  ]);
});

test("files of other versions and with other pictures are refused in words", async () => {
  const refused = async (at: number, byte: number, message: RegExp): Promise<void> => {
    const file = fileOf();
    file[at] = byte;
    await assert.rejects(openJob(fileAt("job.osla", file)), { code: "OPERATION_FAILED", message });
  };
  await refused(8, 1, /\.osla file of version 1; version 0 is read/);
  await refused(150 + 25 + 16, "J".charCodeAt(0), /layers are "JNG", of which PNG is read/);
  await refused(150 + 25, "X".charCodeAt(0), /previews are "XGB565"/);
});
