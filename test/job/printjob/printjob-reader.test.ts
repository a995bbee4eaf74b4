import assert from "node:assert/strict";
import { test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { openJob } from "../../../src/job/job-readers.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35].map((radius) => ring(120, 90, radius, 20));
const entries = unzipSync(archiveOf("form", someJob(layers), layers));

/** The archive after an edit of its manifest. */
const edited = (from: string, to: string): string => {
  const manifest = strFromU8(entries["manifest.json"]);
  assert.ok(manifest.includes(from));
  return fileAt("job.printjob", zipSync({ ...entries, "manifest.json": strToU8(manifest.replace(from, to)) }));
};

test("heights that differ and the rest of the manifest are read", async () => {
  const job = await openJob(edited('"z_top_mm":0.1', '"z_top_mm":0.2'));
  assert.deepEqual([...job.boundariesMm], [0, 0.05, 0.2]);
  assert.deepEqual(
    [job.version, job.material, job.created?.toISOString()],
    ["1", "Grey\nV5", "2026-11-21T01:19:55.123Z"],
  );
  assert.match(job.program ?? "", /^Printwright \d/);
  job.close();
});

test("another version, a wrong value and a layer without a picture are refused with their keys", async () => {
  await assert.rejects(
    openJob(edited('"version":1', '"version":2')),
    /version in manifest\.json .*Expected 1 but received 2/,
  );
  await assert.rejects(openJob(edited('"x":120', '"x":0')), /0 × 90 pixels/);
  await assert.rejects(openJob(edited('"mirrored_x":true', '"mirrored_x":1')), /raster\.mirrored_x in manifest\.json/);
  await assert.rejects(
    openJob(edited('"z_top_mm":0.1', '"z_top_mm":0.05')),
    /layer 2 in manifest\.json has no thickness/,
  );
  const job = await openJob(edited("layers/00001.png", "layers/7.png"));
  await assert.rejects(async () => job.layer(1), /"layers\/7.png" inside it is missing/);
  job.close();
});
