import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { type JobCycle, type JobExposure, stagedMotion } from "../../src/job/job-exposure.ts";
import { type OpenJob, READER_OF_KIND, openJob } from "../../src/job/job-readers.ts";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import type { JobMetadata, JobThumbnail, JobWriter } from "../../src/job/job.ts";
import type { CarriedFact } from "../../src/job/losses.ts";
import { JOB_ROWS, type JobRow } from "../fixture/job/job-rows.ts";
import { pictureOf } from "../fixture/job/picture-of.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ODD_LAYERS, painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { longTest, sampledTests, slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// One suite for all formats that are written and read: each file is read back by the reader of its format. The readers of
// test/fixture/job/, which share no code with `src/`, show that writers and readers do not make the same mistake.

const fileAt = temporaryFiles();

/** An exposure of which no fact is like another. */
const EXPOSURE: JobExposure = {
  firstS: 30,
  normalS: 2.5,
  firstLayers: 2,
  fadingLayers: 3,
  firstCycle: {
    waitBeforeLiftS: 1,
    lift: stagedMotion({ mm: 4, mmPerMin: 40 }, { mm: 5, mmPerMin: 100 }),
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

const LAYERS = [40, 35, 30, 25].map((radius) => ring(120, 90, radius, 20));

const RED = [255, 0, 0, 255];
const madeThumbnails = new Map<JobWriter, readonly JobThumbnail[]>();

/** Made once for each writer: many jobs need them. */
function redThumbnails(writer: JobWriter): readonly JobThumbnail[] {
  const made = madeThumbnails.get(writer);
  if (made) return made;
  const thumbnails = writer.thumbnails.map(({ width, height }) => plainThumbnail(width, height, RED));
  madeThumbnails.set(writer, thumbnails);
  return thumbnails;
}

const SOME_NAME = "ELEGOO Saturn 4 Ultra";

function jobOf(
  row: JobRow,
  pictures: readonly GreyPicture[],
  changes: Partial<JobMetadata> = {},
  exposuresS?: readonly number[],
): Uint8Array {
  const { format, nameInJobs = SOME_NAME, changes: own } = row;
  const job = someJob(pictures, { thumbnails: redThumbnails(JOB_WRITERS[format]) });
  return archiveOf(
    format,
    { ...job, printer: { ...job.printer, nameInJobs }, ...own, ...changes },
    pictures,
    exposuresS,
  );
}

async function withJob<T>({ extension }: JobRow, file: Uint8Array, use: (job: OpenJob) => T | Promise<T>): Promise<T> {
  const job = await openJob(fileAt(`job${extension}`, file));
  try {
    return await use(job);
  } finally {
    job.close();
  }
}

async function assertReadBack(row: JobRow, pictures: readonly GreyPicture[]): Promise<void> {
  await withJob(row, jobOf(row, pictures), async (job) => {
    assert.equal(job.exposuresS.length, pictures.length);
    for (const [k, { width, height, pixels }] of pictures.entries()) {
      const expected = { width, height, pixels: pixels.map(row.readBack) };
      assert.deepEqual(pictureOf(await job.layer(k)), expected);
    }
  });
}

const rounded = (value: number): number => Math.round(value * 1e3) / 1e3;

/** The facts of a cycle that a file can state, by their names. A format without stages gives the durations of its motions. */
function factsOf(cycle: JobCycle, isFirst: boolean): Partial<Record<CarriedFact, unknown>> {
  const { lift, retract } = cycle;
  const [ups, downs] = [lift.stages, retract.stages].map((stages) =>
    stages.map(({ mm, mmPerMin }) => [rounded(mm), rounded(mmPerMin)]),
  );
  const motions = { lift: rounded(lift.seconds), retract: rounded(retract.seconds) };
  if (isFirst) {
    return {
      FIRST_LIFT: motions.lift,
      FIRST_RETRACT: motions.retract,
      FIRST_WAITS: rounded(cycle.waitBeforeLiftS + cycle.waitAfterLiftS + cycle.waitAfterRetractS),
      FIRST_LIGHT: cycle.light,
    };
  }
  return {
    MOTIONS: motions,
    STAGES: [ups, downs],
    WAIT_BEFORE_LIFT: rounded(cycle.waitBeforeLiftS),
    WAIT_AFTER_LIFT: rounded(cycle.waitAfterLiftS),
    WAIT_AFTER_RETRACT: rounded(cycle.waitAfterRetractS),
    WAIT_SUM: rounded(cycle.waitBeforeLiftS + cycle.waitAfterLiftS + cycle.waitAfterRetractS),
    LIGHT: cycle.light,
  };
}

for (const [row, sampledTest] of sampledTests(JOB_ROWS, 3)) {
  test(`${row.format}: a picture that is read and written again keeps its values`, () => {
    for (let value = 0; value < 256; value++) {
      const read = row.readBack(value);
      assert.equal(row.readBack(read), read);
    }
  });

  const writer: JobWriter = JOB_WRITERS[row.format];

  test(`${row.format}: the format has the levels of grey that its writer states`, () => {
    const levels = new Set(Array.from({ length: 256 }, (_, value) => row.readBack(value)));
    assert.equal(levels.size, writer.greyLevels);
  });

  test(`${row.format}: a job is read back with its pictures, layers and totals`, async () => {
    await assertReadBack(row, LAYERS);
    await withJob(row, jobOf(row, LAYERS), (job) => {
      const { name, versions } = READER_OF_KIND[row.format];
      assert.equal(job.format, name);
      if (versions) assert.ok(versions.includes(job.version), job.version);
      assert.deepEqual([...job.boundariesMm].map(rounded), [0, 0.05, 0.1, 0.15, 0.2]);
      assert.deepEqual([...job.exposuresS].map(rounded), row.exposuresS ?? [30, 29, 28, 27]);
      assert.equal(job.printerName, "printerName" in row ? row.printerName : (row.nameInJobs ?? SOME_NAME));
      assert.deepEqual([...job.pixels], [120, 90]);
      const totals = Object.entries(job.totals);
      for (const [name, value] of totals) {
        const expected = TOTALS[name as keyof typeof TOTALS];
        assert.ok(Math.abs(value - expected) <= Math.max(1e-4 * expected, name === "printTimeS" ? 0.5 : 0.01), name);
      }
      assert.deepEqual(
        job.thumbnails.map(({ width, height }) => [width, height]),
        writer.thumbnails.map(({ width, height }) => [width, height]),
      );
      for (const [k, { rgba }] of job.thumbnails.entries()) {
        assert.equal(Buffer.compare(rgba, Buffer.from(redThumbnails(writer)[k].rgba)), 0, `thumbnail ${k}`);
      }
      assert.deepEqual(job.warnings, []);
    });
  });

  test(`${row.format}: every fact of the exposure that the format carries is found again`, async () => {
    await withJob(row, jobOf(row, LAYERS, { exposure: EXPOSURE }), ({ exposure, states }) => {
      const carries = writer.carries ?? [];
      assert.deepEqual(new Set(states), new Set(carries));
      if (exposure === undefined) return;
      const { firstS, normalS, firstLayers, fadingLayers } = exposure;
      assert.deepEqual([firstS, normalS, firstLayers, fadingLayers].map(rounded), [
        30,
        row.normalS ?? 2.5,
        ...(row.firstAndFading ?? [2, 3]),
      ]);
      const facts = { ...factsOf(exposure.normalCycle, false), ...factsOf(exposure.firstCycle, true) };
      const written = { ...factsOf(EXPOSURE.normalCycle, false), ...factsOf(EXPOSURE.firstCycle, true) };
      for (const fact of carries) assert.deepEqual(facts[fact], written[fact], fact);
    });
  });

  test(`${row.format}: the layers between the first and the normal exposure are found again`, async () => {
    // Two layers of 30 s, then three that come nearer to 2.5 s by 6.875 s each.
    const exposuresS = [30, 30, 23.125, 16.25, 9.375, 2.5, 2.5, 2.5];
    const pictures = exposuresS.map(() => LAYERS[0]);
    await withJob(row, jobOf(row, pictures, { exposure: EXPOSURE }, exposuresS), ({ exposure }) => {
      if (exposure === undefined) return;
      assert.deepEqual([exposure.firstLayers, exposure.fadingLayers], row.transition ?? [2, 3]);
    });
  });

  test(`${row.format}: an empty layer, a single pixel in each corner and one layer alone are read back`, async () => {
    const corners = painted(120, 90, (x, y) => (x % 119 === 0 && y % 89 === 0 ? 255 : 0));
    await assertReadBack(row, [painted(120, 90, () => 0), corners, painted(120, 90, () => 255)]);
    await assertReadBack(row, [corners]);
  });

  sampledTest(`${row.format}: any picture is read back`, async () => {
    const property = fc.asyncProperty(someLayer, (picture) => assertReadBack(row, [picture]));
    await fc.assert(property, { numRuns: slowRuns(12) });
  });

  sampledTest(`${row.format}: a file that was cut off anywhere is refused`, async () => {
    const file = jobOf(row, LAYERS);
    const cuts = [
      0,
      1,
      8,
      20,
      100,
      ...Array.from({ length: slowRuns(40) }, (_, k) => Math.floor((k * file.length) / slowRuns(40))),
    ];
    for (const length of [...cuts, file.length - 1]) {
      await assert.rejects(
        withJob(row, file.subarray(0, length), (job) => readAll(job)),
        (error) => error instanceof ApiError && error.code === "OPERATION_FAILED",
        `cut to ${length} of ${file.length} bytes`,
      );
    }
  });

  sampledTest(`${row.format}: damaged files are read or refused with a coded error`, async () => {
    const file = jobOf(row, LAYERS);
    const random = randomFrom(7);
    for (let trial = 0; trial < slowRuns(200); trial++) {
      const damaged = file.slice();
      for (let k = 0; k < 1 + (trial % 4); k++) {
        // Counts and addresses are among the first bytes, layers among the last ones.
        const range = Math.min(file.length, [400, file.length, 4000][trial % 3]);
        const place = Math.floor(random() * range);
        damaged[trial % 3 === 2 ? file.length - 1 - place : place] = [0, 255, Math.floor(random() * 256)][
          (trial + k) % 3
        ];
      }
      const sealed = row.resealed && trial % 5 > 0 ? row.resealed(damaged) : damaged;
      await withJob(row, sealed, readAll).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
    }
  });

  longTest(`${row.format}: odd pictures, 12K and 16K panels and 5,000 layers are read back`, async () => {
    const [columns, rows] = row.maxPixels ?? [Infinity, Infinity];
    const odd = Object.values(ODD_LAYERS).filter(({ width, height }) => width <= columns && height <= rows);
    for (const picture of odd) await assertReadBack(row, [picture]);
    await assertReadBack(row, [ring(11_520, 5120, 2400, 900), painted(11_520, 5120, () => 0)]);
    await assertReadBack(row, [painted(15_120, 6230, () => 255)]);
    const small = ring(24, 20, 9, 3);
    await assertReadBack(
      row,
      Array.from({ length: 5000 }, () => small),
    );
  });
}

async function readAll(job: OpenJob): Promise<void> {
  for (let k = 0; k < job.exposuresS.length; k++) await job.layer(k);
}
