import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { openJob } from "../../../src/job/job-readers.ts";
import type { JobFormat } from "../../../src/job/job-writers.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { painted, ring } from "../../fixture/job/some-layers.ts";
import { slowRuns } from "../../fixture/long.ts";
import { memberMutated } from "../../fixture/mutated.ts";
import { randomFrom } from "../../fixture/random.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

// Random damage to a zip archive is mostly found by its checksums. Here the files inside it are damaged, and packed again.

const fileAt = temporaryFiles();
const layers = [ring(24, 20, 9, 3), painted(24, 20, () => 0), ring(24, 20, 7, 2)];
const mutate = memberMutated((name) => !name.endsWith(".png"));

const ARCHIVES: readonly (readonly [JobFormat, string])[] = [
  ["sl1", ".sl1"],
  ["form", ".printjob"],
  ["nanodlp", ".nanodlp"],
  ["chitu-zip", ".zip"],
  ["cws-rgb", ".cws"],
  ["cws-xml", ".cws"],
];

/** Whether the whole job can be read; it may be refused with a coded error. */
async function isReadable(path: string): Promise<boolean> {
  try {
    const job = await openJob(path);
    try {
      for (let k = 0; k < job.exposuresS.length; k++) {
        const { width, height, rowStarts } = await job.layer(k);
        assert.deepEqual([width, height], [...job.pixels]);
        assert.ok(rowStarts[height] <= width * height);
      }
      assert.equal(job.boundariesMm.length, job.exposuresS.length + 1);
      assert.ok([...job.boundariesMm, ...job.exposuresS].every(Number.isFinite), "heights and times are finite");
    } finally {
      job.close();
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.code === "OPERATION_FAILED") return false;
    throw thrown;
  }
}

for (const [stream, [format, extension]] of ARCHIVES.entries()) {
  test(`${format}: archives with damaged files are read or refused with a coded error`, async () => {
    const seed = archiveOf(format, someJob(layers), layers);
    const random = randomFrom(stream);
    const trials = slowRuns(100);
    let readable = 0;
    for (let trial = 0; trial < trials; trial++) {
      if (await isReadable(fileAt(`job${extension}`, mutate(seed, random)))) readable++;
    }
    assert.ok(readable > 0.02 * trials && readable < 0.98 * trials, `${readable} of ${trials} are readable`);
  });
}
