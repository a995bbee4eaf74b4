import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSION } from "../../src/core/version.ts";
import { gooWriter } from "../../src/job/goo-writer.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(116, 116, [255, 0, 255, 255]), plainThumbnail(290, 290, [255, 255, 255, 128])];
const facts = someJob(layers, { thumbnails });
const goo = () => readGoo(archiveOf(gooWriter, facts, layers));

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
  assert.equal(header.printerName, "Elegoo Saturn 4 Ultra");
  assert.equal(header.layerCount, 3);
  assert.deepEqual(header.pixels, [120, 90]);
  assert.deepEqual(header.mirror, [1, 0]);
  assert.deepEqual(rounded(header.sizeMm), [218.88, 122.88, 220]);
  assert.deepEqual(rounded([header.thicknessMm, header.exposureS, header.bottomExposureS]), [0.05, 2.5, 30]);
  assert.deepEqual([header.bottomLayers, header.transitionLayers], [2, 6]);
  assert.deepEqual([header.delayMode, header.advanceMode, header.greyScale], [1, 1, 1]);
  assert.deepEqual(header.waits, { beforeLiftS: 0.25, afterLiftS: 0, afterRetractS: 0.5 });
  assert.deepEqual(header.bottomWaits, header.waits);
});

test("motions take as long as the job says", () => {
  const { header, layers: read } = goo();
  for (const { lift, retract } of [header, ...read]) {
    assert.equal((60 * lift.mm) / lift.mmPerMin, 3.5);
    assert.equal((60 * retract.mm) / retract.mmPerMin, 1.75);
    assert.equal(lift.mm, retract.mm);
  }
});

test("a motion that takes no time has a finite speed", () => {
  const still = someJob(layers, { thumbnails, exposure: { ...facts.exposure!, liftS: 0 } });
  assert.equal(readGoo(archiveOf(gooWriter, still, layers)).header.lift.mmPerMin, 1200);
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
  const { header } = readGoo(archiveOf(gooWriter, { ...facts, printSetting: "ü".repeat(20) }, layers));
  assert.equal(header.profile, "ü".repeat(15));
});
