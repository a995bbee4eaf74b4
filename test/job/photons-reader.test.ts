import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { decodePhotonsLayer } from "../../src/job/anycubic/photons-reader.ts";
import { type OpenJob, openJob } from "../../src/job/job-readers.ts";
import { RunsBuilder } from "../../src/job/runs-builder.ts";
import { photonsFile } from "../fixture/job/photons-file.ts";
import { pictureOf } from "../fixture/job/picture-of.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const inBlackAndWhite = (value: number): number => (value > 0 ? 255 : 0);
const layers = [40, 30, 20]
  .map((radius) => ring(120, 90, radius, 10))
  .map(({ pixels, ...size }) => ({ ...size, pixels: pixels.map(inBlackAndWhite) }));

async function withJob(file: Uint8Array, use: (job: OpenJob) => void | Promise<void>): Promise<void> {
  const job = await openJob(fileAt("job.photons", file));
  try {
    await use(job);
  } finally {
    job.close();
  }
}

async function readAll(job: OpenJob): Promise<void> {
  for (let k = 0; k < job.exposuresS.length; k++) await job.layer(k);
}

test("a .photons file is read, with its pictures and what it states", async () => {
  await withJob(photonsFile(layers), async (job) => {
    for (const [k, layer] of layers.entries()) assert.deepEqual(pictureOf(await job.layer(k)), layer);
    assert.deepEqual([job.pixels, job.pixelMm, job.totals], [[120, 90], [0.04725, 0.04725], { materialMl: 12.5 }]);
    assert.deepEqual(
      [...job.boundariesMm].map((mm) => Math.round(mm * 1e6) / 1e6),
      [0, 0.05, 0.1, 0.15],
    );
    assert.deepEqual([...job.exposuresS], [60, 60, 8]);
    const { lift, retract, waitAfterRetractS } = job.exposure?.normalCycle ?? assert.fail("no exposure");
    assert.deepEqual([lift.seconds, retract.seconds, waitAfterRetractS], [3, 2, 5]);
    assert.deepEqual([...job.thumbnails[0].rgba.subarray(0, 4)], [255, 0, 0, 255]);
  });
});

test("runs have the lengths of the examples of the format", () => {
  const refuse = (why: string): ApiError => new ApiError("OPERATION_FAILED", why);
  const endOf = (digits: string, width: number): number[] => {
    const { ends, rowStarts } = decodePhotonsLayer(
      Buffer.from(digits, "hex"),
      width,
      new RunsBuilder(width, 1, refuse),
    );
    return [...ends.subarray(0, rowStarts[1])];
  };
  assert.deepEqual(endOf("21", 5), [5]);
  assert.deepEqual(endOf("ff", 128), [128]);
  assert.deepEqual(endOf("21", 4), [4]);
  assert.throws(() => endOf("21", 3), /more pixels/);
  assert.throws(() => endOf("21", 300), /ends too early/);
});

test("any picture in black and white is read back", async () => {
  const property = fc.asyncProperty(someLayer, async ({ pixels, ...size }) => {
    const picture = { ...size, pixels: pixels.map(inBlackAndWhite) };
    await withJob(photonsFile([picture]), async (job) => assert.deepEqual(pictureOf(await job.layer(0)), picture));
  });
  await fc.assert(property, { numRuns: slowRuns(40) });
});

test("a file that was cut off, that lies or is damaged is refused with a coded error or read", async () => {
  const file = photonsFile([...layers, painted(120, 90, () => 255)]);
  const isCoded = (error: unknown): boolean => error instanceof ApiError && error.code === "OPERATION_FAILED";
  for (let k = 0; k < 30; k++) {
    const cut = file.subarray(0, Math.floor((k * file.length) / 30));
    await assert.rejects(withJob(cut, readAll), isCoded, `cut to ${cut.length} bytes`);
  }
  const random = randomFrom(5);
  let read = 0;
  const thin = Buffer.from(file);
  thin.writeDoubleBE(-0.05, 14);
  await assert.rejects(withJob(thin, readAll), /-0\.05 mm thick/);
  for (let trial = 0; trial < slowRuns(200); trial++) {
    const damaged = Buffer.from(file);
    const from = trial % 2 === 0 ? 0 : 75_300;
    for (let k = 0; k < 2; k++) damaged[from + Math.floor(random() * 140)] = [0, 255, 7][trial % 3];
    await withJob(damaged, async (job) => {
      await readAll(job);
      read++;
    }).catch((error: unknown) => assert.ok(error instanceof ApiError, String(error)));
  }
  assert.ok(read > 0, "no damaged file was read");
});
