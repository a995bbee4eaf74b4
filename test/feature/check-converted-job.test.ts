import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { checkConvertedJob } from "../../src/feature/print/check-converted-job.ts";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import { archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = JOB_WRITERS["ctb-3"].thumbnails.map(({ width, height }) =>
  plainThumbnail(width, height, [9, 9, 9, 255]),
);
const plainCtb = archiveOf("ctb-3", someJob(layers, { thumbnails }), layers);
const readable = fileAt("readable.sl1", "layers");
const check = (name: string, content: Uint8Array | string, layerCount = 3): Promise<void> =>
  checkConvertedJob({ file: fileAt(name, content), readable, pixels: [120, 90], layerCount }, noProgress);
const refused = (work: Promise<void>, message: RegExp): Promise<void> =>
  assert.rejects(work, { code: "OPERATION_FAILED", message });

test("a result that is read here has the layers of the job, others are refused", async () => {
  await check("good.ctb", plainCtb);
  await refused(check("other.ctb", plainCtb, 4), /3 layers of 120 × 90 pixels instead of 4 layers/);
  await refused(check("cut.ctb", plainCtb.subarray(0, 300)), /cut short/);
});

test("an encrypted .ctb and files of unknown formats are taken as they are", async () => {
  await check("encrypted.ctb", Uint8Array.of(7, 1, 0xfd, 0x12, 1, 2, 3));
  await check("unknown.lgs", "anything");
});

test("the readable job itself, and a .ctb that is none, are refused", async () => {
  await refused(check("same.ctb", "layers"), /the readable job itself/);
  await refused(check("none.ctb", "layers of another kind"), /no \.ctb file/);
  await refused(check("short.ctb", "x"), /no \.ctb file/);
});
