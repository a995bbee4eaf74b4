import assert from "node:assert/strict";
import { test } from "node:test";
import { encodePw0Layer } from "../../src/job/anycubic/encode-pw0-layer.ts";
import { encodePwsLayer } from "../../src/job/anycubic/encode-pws-layer.ts";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobMetadata, JobWriter } from "../../src/job/job.ts";
import { readAnycubic } from "../fixture/job/read-anycubic.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { fc } from "../fixture/property.ts";

const VERSIONS = [1, 516, 517, 518] as const;
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));

function anycubic(format: JobFormat, pictures: readonly GreyPicture[] = layers, changes: Partial<JobMetadata> = {}) {
  const writer: JobWriter = JOB_WRITERS[format];
  const thumbnails = writer.thumbnails.map(({ width, height }) => plainThumbnail(width, height, [255, 0, 0, 255]));
  const job = someJob(pictures, { thumbnails });
  const printer = { ...job.printer, nameInJobs: "Photon Mono X" };
  return readAnycubic(archiveOf(format, { ...job, printer, ...changes }, pictures));
}

const levelsOf = ({ pixels, ...size }: GreyPicture, levelOf: (value: number) => number): GreyPicture => ({
  ...size,
  pixels: pixels.map(levelOf),
});

const nearest = (value: number): number => 17 * Math.round(value / 17);
const rounded = (values: readonly number[]): number[] => values.map((value) => Math.round(value * 1e4) / 1e4);

for (const version of VERSIONS) {
  test(`version ${version}: decoded layers are the originals in 16 levels, with their exposures and thicknesses`, () => {
    const { layers: read } = anycubic(`anycubic-${version}`);
    assert.deepEqual(
      read.map(({ picture }) => picture),
      layers.map((layer) => levelsOf(layer, nearest)),
    );
    assert.deepEqual(
      read.map(({ exposureS }) => exposureS),
      [30, 29, 28],
    );
    assert.deepEqual(rounded(read.map(({ thicknessMm }) => thicknessMm)), [0.05, 0.05, 0.05]);
    assert.deepEqual(
      read.map(({ litPixels }) => litPixels),
      layers.map(({ pixels }) => pixels.filter((value) => value > 0).length),
    );
  });

  test(`version ${version}: the tables describe the job, the machine and the process`, () => {
    const { header, addresses, tables, machine, ...file } = anycubic(`anycubic-${version}`);
    assert.deepEqual([file.version, tables], [version, { 1: 4, 516: 8, 517: 9, 518: 11 }[version]]);
    assert.equal(addresses.header, { 1: 48, 516: 52, 517: 56, 518: 64 }[version]);
    assert.deepEqual([header.columns, header.rows, header.antiAliasing], [120, 90, 16]);
    assert.deepEqual(rounded([header.pixelUm, header.thicknessMm]), [24, 0.05]);
    assert.deepEqual([header.exposureS, header.bottomExposureS, header.waitS], [2.5, 30, 0.5]);
    assert.deepEqual([header.bottomLayers, header.transitionLayers, header.transitionType], [2, 6, 0]);
    assert.deepEqual(rounded([header.liftMm, header.liftMmPerS, header.retractMmPerS]), rounded([7, 2, 4]));
    assert.deepEqual([header.perLayer, header.advanced, header.intelligent], [0, 0, 0]);
    assert.equal(header.printTimeS, Math.round(TOTALS.printTimeS));
    assert.deepEqual(rounded([header.volumeMl, header.weightG]), rounded([TOTALS.materialMl, TOTALS.materialG]));
    assert.deepEqual([file.preview.width, file.preview.height], [224, 168]);
    assert.deepEqual([...file.preview.pixels.subarray(0, 2)], [0x00, 0xf8]);
    if (version === 1) return;
    assert.deepEqual([machine?.name, machine?.imageFormat], ["Photon Mono X", "pw0Img"]);
    assert.deepEqual([machine?.maxVersion, machine?.property], [version, { 516: 1, 517: 7, 518: 15 }[version]]);
    assert.deepEqual(rounded(machine?.sizeMm ?? []), [218.88, 122.88, 220]);
    const stages = [
      { heightMm: 7, upMmPerS: header.liftMmPerS, downMmPerS: header.retractMmPerS },
      { heightMm: 0, upMmPerS: header.liftMmPerS, downMmPerS: header.retractMmPerS },
    ];
    assert.deepEqual(file.motions, { bottom: stages, normal: stages });
    assert.deepEqual(file.colours, [15, 31, 47, 63, 79, 95, 111, 127, 143, 159, 175, 191, 207, 223, 239, 255]);
  });
}

test("the sizes of the tables of version 516 are those of known files", () => {
  const { addresses } = anycubic("anycubic-516", layers.slice(0, 2));
  const preview = 28 + 2 * 224 * 168;
  assert.deepEqual(addresses, {
    header: 52,
    software: 0,
    preview: 152,
    colours: 152 + preview,
    layers: 180 + preview,
    motions: 264 + preview,
    machine: 336 + preview,
    images: 492 + preview,
  });
});

test("version 517 has the box of the parts, mirrored as the pictures are", () => {
  const spot = painted(100, 50, (x, y) => Number(x >= 60 && x < 80 && y >= 5 && y < 15) * 255);
  const { model } = anycubic("anycubic-517", [spot]);
  assert.deepEqual(rounded(model?.min ?? []), rounded([-30 * 0.019, 10 * 0.024, 0]));
  assert.deepEqual(rounded(model?.max ?? []), rounded([-10 * 0.019, 20 * 0.024, 0.05]));
  const { model: none } = anycubic("anycubic-517", [painted(100, 50, () => 0)]);
  assert.deepEqual(
    [none?.min, none?.max],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
});

test("version 518 has the addresses of the pictures twice, the pixels of the panel and a large preview", () => {
  const { layers: read, subImages, machine, largePreview } = anycubic("anycubic-518");
  assert.deepEqual(
    subImages?.map(({ address, litPixels }) => [address, litPixels]),
    read.map(({ address, litPixels }) => [address, litPixels]),
  );
  assert.ok(machine && "pixels" in machine);
  assert.deepEqual(
    [machine.pixels, rounded(machine.pixelUm)],
    [
      [120, 90],
      [19, 24],
    ],
  );
  assert.deepEqual([largePreview?.width, largePreview?.height], [330, 190]);
});

test("a machine that takes later versions than the file is named with its own", () => {
  const printer = { ...someJob(layers).printer, nameInJobs: "Photon Mono X 6K", maxVersion: 517 };
  assert.equal(anycubic("anycubic-516-binary", layers, { printer }).machine?.maxVersion, 517);
});

test("a panel that shows no greys gets black and white", () => {
  const { layers: read, colours, header } = anycubic("anycubic-516-binary");
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers.map((layer) => levelsOf(layer, (value) => (nearest(value) < 136 ? 0 : 255))),
  );
  assert.equal(header.antiAliasing, 1);
  assert.deepEqual(
    colours,
    Array.from({ length: 16 }, () => 255),
  );
});

test("a panel with time slices lights a pixel in more of them the lighter it is", () => {
  const { layers: read, header } = anycubic("anycubic-1-slices");
  assert.equal(header.antiAliasing, 4);
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers.map((layer) => levelsOf(layer, (value) => [52, 103, 154, 205].filter((least) => value >= least).length)),
  );
});

test("any picture is read back in 16 levels and in time slices", () => {
  fc.assert(
    fc.property(someLayer, (picture) => {
      assert.deepEqual(anycubic("anycubic-1", [picture]).layers[0].picture, levelsOf(picture, nearest));
      anycubic("anycubic-1-slices", [picture]);
    }),
    { numRuns: 15 },
  );
});

/** One row of runs. */
const row = (...runs: readonly (readonly [value: number, length: number])[]) => {
  const pixels = Uint8Array.from(runs.flatMap(([value, length]) => Array.from({ length }, () => value)));
  return runsOf({ width: pixels.length, height: 1, pixels });
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("runs have the bytes of the examples of the format", () => {
  assert.equal(hex(encodePw0Layer(row([0, 5000], [255, 3], [136, 20]), false)), "0fff0389f0038f85");
  const slices = hex(encodePwsLayer(row([0, 300], [255, 5])));
  assert.equal(slices, "7d7d3285".repeat(4));
});

test("a run longer than a byte or twelve bits can say is split", () => {
  assert.equal(hex(encodePw0Layer(row([255, 4096]), false)), "fffff001");
  assert.equal(hex(encodePw0Layer(row([136, 16]), false)), "8f81");
  assert.equal(hex(encodePwsLayer(row([255, 126]))), "fd81".repeat(4));
});

test("adaptive layers are refused, with the way out", () => {
  const writer: JobWriter = JOB_WRITERS["anycubic-517"];
  assert.throws(() => writer.requireCarriable?.(someJob(layers, { layerThicknessMm: "ADAPTIVE" })), {
    code: "OPERATION_FAILED",
    message: /cannot print ADAPTIVE layers: choose a layer thickness/,
  });
});
