import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync, zipSync } from "fflate";
import { openJob } from "../../../src/job/job-readers.ts";
import { pictureOf } from "../../fixture/job/picture-of.ts";
import { readSl1 } from "../../fixture/job/read-sl1.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const path = fileURLToPath(new URL("../../fixture/job/cylinder.sl1", import.meta.url));

test("an archive of PrusaSlicer is read with its layers, display and exposures", async () => {
  const job = await openJob(path);
  const { layers } = readSl1(readFileSync(path));
  assert.equal(job.program, "PrusaSlicer-2.5.0+UNKNOWN");
  assert.equal(job.printerName, "SL1S");
  assert.equal(job.created?.toISOString(), "2026-11-28T17:56:58.000Z");
  assert.deepEqual(
    [job.pixels, job.pixelMm, job.volumeMm, job.mirrorX],
    [[640, 400], [0.2, 0.2], [128, 80, 150], true],
  );
  assert.deepEqual(job.totals, { printTimeS: 184.75, materialMl: 0.033046 });
  // The first layer is 0.15 mm thick, the others 0.1 mm.
  assert.deepEqual(
    [...job.boundariesMm].map((mm) => Math.round(100 * mm)),
    [0, 15, 25, 35, 45, 55, 65, 75, 85, 95],
  );
  assert.deepEqual([...job.exposuresS], [25, 20.5, 16, 11.5, 7, 2.5, 2.5, 2.5, 2.5]);
  assert.equal(layers.length, 9);
  for (const [k, layer] of layers.entries()) assert.deepEqual(pictureOf(await job.layer(k)), layer);
  assert.ok(layers[0].pixels.filter((value) => value === 255).length > 800, "the cylinder covers 880 pixels");
  job.close();
});

test("an archive that lacks a layer or a value is refused with its name", async () => {
  const entries = unzipSync(readFileSync(path));
  const { "cyl00004.png": _, ...withoutLayer } = entries;
  const refuses = (files: Record<string, Uint8Array>, why: RegExp) =>
    assert.rejects(openJob(fileAt("job.sl1", zipSync(files))), why);
  await refuses(withoutLayer, /layer 5 is missing inside it/);
  await refuses({ ...entries, "config.ini": new TextEncoder().encode("jobDir = cyl\n") }, /lacks expTime/);
  await refuses({ "config.ini": entries["config.ini"] }, /has no layers/);
  await refuses({ "cyl00000.png": entries["cyl00000.png"] }, /"config.ini" inside it is missing/);
});
