import assert from "node:assert/strict";
import { test } from "node:test";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobWriter } from "../../src/job/job.ts";
import { JOB_ROWS } from "../fixture/job/job-rows.ts";
import { archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));

const thumbnailsOf = ({ thumbnails }: JobWriter) =>
  thumbnails.map(({ width, height }) => plainThumbnail(width, height, [60, 60, 60, 255]));

test("the suite over all formats has a row for each kind of job", () => {
  assert.deepEqual(JOB_ROWS.map(({ format }) => format).toSorted(), Object.keys(JOB_WRITERS).toSorted());
});

for (const [kind, writer] of Object.entries(JOB_WRITERS)) {
  test(`${kind}: the same job gives the same bytes, whatever the order in which its layers were encoded`, () => {
    const { printer } = someJob(layers);
    const nameInJobs = JOB_ROWS.find(({ format }) => format === kind)?.nameInJobs ?? printer.nameInJobs;
    const facts = someJob(layers, { thumbnails: thumbnailsOf(writer), printer: { ...printer, nameInJobs } });
    const archive = archiveOf(kind as JobFormat, facts, layers);
    archiveOf(kind as JobFormat, facts, layers.toReversed());
    assert.deepEqual(archiveOf(kind as JobFormat, facts, layers), archive);
  });
}
