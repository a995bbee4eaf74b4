import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSION } from "../../src/core/version.ts";
import { gooWriter } from "../../src/job/goo/goo-writer.ts";
import type { JobMetadata } from "../../src/job/job.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { NO_STAGES } from "../../src/job/job-exposure.ts";
import { CYCLE, TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(116, 116, [255, 0, 255, 255]), plainThumbnail(290, 290, [255, 255, 255, 128])];
const facts = someJob(layers, { thumbnails });
const goo = (changes: Partial<JobMetadata> = {}) => readGoo(archiveOf("goo", { ...facts, ...changes }, layers));
/** The same job on a machine that tilts its vat. */
const tilting = () => {
  const tilt = { ...CYCLE, lift: NO_STAGES, retract: NO_STAGES };
  return goo({ exposure: { ...facts.exposure!, firstCycle: tilt, normalCycle: tilt } });
};

const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

test("decoded layers equal the originals, with their heights and exposures", () => {
  const { layers: read } = goo();
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers,
  );
  assert.deepEqual(rounded(read.map(({ zMm }) => zMm)), [0.05, 0.1, 0.15]);
  assert.deepEqual(
    read.map(({ exposureS }) => exposureS),
    [30, 29, 28],
  );
  assert.ok(read.every(({ light, pause }) => light === 255 && pause === 0));
});

test("the header describes the job, the screen and the process", () => {
  const { header } = goo();
  assert.deepEqual([header.software, header.softwareVersion], ["Printwright", VERSION]);
  assert.equal(header.fileTime, "2026-11-21 01:19:55");
  assert.deepEqual(
    [header.printerName, header.printerType, header.profile],
    ["ELEGOO Saturn 4 Ultra", "DLP", "DEFAULT"],
  );
  assert.deepEqual([header.antiAliasing, header.grey, header.blur, header.layerCount], [8, 0, 0, 3]);
  assert.deepEqual(header.pixels, [120, 90]);
  assert.deepEqual(header.mirror, [1, 0]);
  assert.deepEqual(rounded(header.sizeMm), [218.88, 122.88, 220]);
  assert.deepEqual(rounded([header.thicknessMm, header.exposureS, header.bottomExposureS]), [0.05, 2.5, 30]);
  assert.deepEqual([header.bottomLayers, header.transitionLayers], [2, 6]);
  assert.deepEqual([header.delayMode, header.offS, header.greyScale], [1, 0, 1]);
  assert.deepEqual([header.lights, header.price, header.priceUnit], [[255, 255], 0, ""]);
  assert.deepEqual(header.waits, { beforeLiftS: 0.25, afterLiftS: 0, afterRetractS: 0.5 });
  assert.deepEqual(header.bottomWaits, header.waits);
});

test("a platform is lifted 7 mm and returns, at the speeds of the job", () => {
  const { header, layers: read } = goo();
  const motions = { lift: { mm: 7, mmPerMin: 120 }, retract: { mm: 7, mmPerMin: 240 } };
  for (const { lift, retract } of [header, { lift: header.bottomLift, retract: header.bottomRetract }, ...read]) {
    assert.deepEqual({ lift, retract }, motions);
  }
});

// These are the values that UVtools 5.1.7 writes for these machines, and those in the print history of a Saturn 4 Ultra.
test("a tilting vat gets the smallest lift, and the print time stays the same", () => {
  const { header, layers: read } = tilting();
  const { lift, retract, bottomLift, bottomRetract } = header;
  const motions = [lift, retract, bottomLift, bottomRetract, ...read.flatMap((layer) => [layer.lift, layer.retract])];
  for (const motion of motions) {
    assert.deepEqual(rounded(Object.values(motion)), [0.05, 0.05]);
  }
  assert.equal(header.printTimeS, goo().header.printTimeS);
});

test("no motion has a second stage, and the head switches off the values of the layers", () => {
  for (const { header, layers: read } of [goo(), tilting()]) {
    const stages = [...header.secondStages, ...read.flatMap((layer) => [layer.secondLift, layer.secondRetract])];
    assert.ok(stages.every((stage) => stage.mm === 0 && stage.mmPerMin === 0));
    assert.equal(header.advanceMode, 0);
  }
});

test("layers have the waits of the head of the file", () => {
  const { header, layers: read } = goo();
  for (const { waits, offS, pauseZ } of read) assert.deepEqual([waits, offS, pauseZ], [header.waits, 0, 0]);
});

test("ADAPTIVE layers are refused before any layer is made, because the head cannot give their exposures", () => {
  const adaptive = { ...facts, layerThicknessMm: "ADAPTIVE" } as const;
  const refused = { code: "OPERATION_FAILED", message: /Saturn 4 Ultra .*ADAPTIVE.*thickness in millimetres/ };
  assert.throws(() => gooWriter.requireCarriable?.(adaptive), refused);
  gooWriter.requireCarriable?.(facts);
});

test("totals are filled in at the end, in a header of the same length", () => {
  const { header } = goo();
  assert.equal(header.printTimeS, Math.round(TOTALS.printTimeS));
  assert.deepEqual([header.volumeMm3, header.weightG], [TOTALS.materialMl * 1000, TOTALS.materialG]);
  const stream = gooWriter.stream(facts);
  const begun = [...stream.begin()].reduce((sum, { length }) => sum + length, 0);
  assert.equal(stream.end(TOTALS).head!.length, begun);
});

test("the layers begin at the same offset as in other programs' files", () => {
  assert.equal(goo().header.layersAt, 195_477);
});

test("previews are RGB565, on black where they are transparent", () => {
  const { smallPreview, bigPreview } = goo().header;
  assert.ok([...smallPreview.subarray(0, 400)].every((byte, i) => byte === [0xf8, 0x1f][i % 2]));
  // Half of 31, 63 and 31, rounded.
  assert.equal(bigPreview.readUInt16BE(1000), (16 << 11) | (32 << 5) | 16);
});

test("text that is too long is cut before the last byte, after a whole character", () => {
  const { header } = goo({ printSetting: "ü".repeat(20) });
  assert.equal(header.profile, "ü".repeat(15));
});
