import assert from "node:assert/strict";
import { test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { openJob } from "../../../src/job/job-readers.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const { "run.gcode": gcode, ...pictures } = unzipSync(archiveOf("chitu-zip", someJob(layers), layers));

const withGcode = (text: string): string =>
  fileAt("job.zip", zipSync({ ...pictures, ".other": new Uint8Array(), "run.gcode": strToU8(text) }));

function edited(from: string, to: string): string {
  const text = strFromU8(gcode);
  assert.ok(text.includes(from), from);
  return withGcode(text.replace(from, to));
}

test("G-code of other programs is read: no head, other spaces and letters, pictures by their names", async () => {
  const text = `
    G21;\r
    G90;\r
    M106 S0;\r
    G28 Z0;\r
    ;LAYER_START:0\r
    M6054 "2.png";show Image\r
    G0 Z6.05 F65;\r
    G0 Z0.05 F150;\r
    G4 P1000;\r
    M106 S128;\r
    G4 P12000;\r
    M106 S0;\r
    M6054 "1.png";show Image\r
    G1 F60 Z3.1\r
    G1 Z6.1 F120\r
    G4 P500\r
    G0 Z0.1 F150;\r
    M106 S255;\r
    G4 P2000;\r
    G4 P500;\r
    M106 S0;\r
  `.replaceAll(/^ +/gm, "");
  const job = await openJob(withGcode(text));
  assert.deepEqual(
    [[...job.boundariesMm], [...job.exposuresS]],
    [
      [0, 0.05, 0.1],
      [12, 2.5],
    ],
  );
  assert.deepEqual(job.exposure?.normalCycle.lift.stages, [
    { mm: 3, mmPerMin: 60 },
    { mm: 3, mmPerMin: 120 },
  ]);
  assert.deepEqual([job.exposure?.normalCycle.waitAfterLiftS, job.exposure?.firstCycle.light], [0.5, 128]);
  assert.deepEqual([job.exposure?.firstS, job.exposure?.normalS, job.exposure?.firstLayers], [12, 2.5, 1]);
  assert.deepEqual([job.printerName, job.mirrorX, job.totals, [...job.pixels]], [undefined, undefined, {}, [120, 90]]);
  job.close();
});

test("a G-code that contradicts its head or its archive is refused with the reason", async () => {
  await assert.rejects(openJob(edited(";totalLayer:3", ";totalLayer:4")), /exposes 3 layers and states 4/);
  await assert.rejects(
    openJob(edited('M6054 "2.png"', 'M6054 "9.png"')),
    /"9\.png", which its G-code shows, is missing/,
  );
  await assert.rejects(openJob(edited("G0 Z0.1 ", "G0 Z0.02 ")), /layer 2 in its G-code is not above/);
  await assert.rejects(openJob(withGcode("G21\n")), /exposes no layer/);
  await assert.rejects(openJob(fileAt("job.zip", zipSync(pictures))), /run\.gcode is missing/);
  const job = await openJob(edited(";resolutionX:120", ";resolutionX:121"));
  await assert.rejects(async () => job.layer(0), /120 × 90 pixels instead of 121 × 90/);
  job.close();
});
