import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openJob } from "../../src/job/job-readers.ts";
import type { LayerRuns } from "../../src/slice/raster/rasterise-layer.ts";
import { readCtb, readCtbFields } from "../fixture/job/read-ctb.ts";
import { CYCLE, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";
import { longTest } from "../fixture/long.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30, 25, 20].map((radius) => ring(120, 90, radius, 15));
const thumbnails = [plainThumbnail(400, 300, [255, 0, 0, 255]), plainThumbnail(200, 125, [255, 255, 255, 255])];
const job = someJob(layers, { thumbnails, ctbNotice: new Uint8Array(320) });

async function opened(file: Uint8Array) {
  const read = await openJob(fileAt("job.ctb", file));
  read.close();
  return read;
}

const STAIRS = fileURLToPath(new URL("../fixture/job/stairs.ctb", import.meta.url));

test("a file of Chitubox 1.6.5.1 is read, as another reader reads it", async () => {
  const read = await openJob(STAIRS);
  const { header, layers: expected, parameters } = readCtbFields(readFileSync(STAIRS));
  assert.deepEqual([read.format, read.version, read.pixels], ["Chitubox CTB", "3", [1440, 2560]]);
  assert.match(read.program ?? "", /^Chitubox 1\.6\.5\.1 /);
  assert.equal(read.exposuresS.length, 400);
  assert.deepEqual(
    [...read.boundariesMm.subarray(1)],
    expected.map(({ zMm }) => zMm),
  );
  assert.deepEqual(
    [...read.exposuresS],
    expected.map(({ exposureS }) => exposureS),
  );
  assert.equal(read.totals.printTimeS, header.printTimeS);
  // Its time without light is 0: the motions alone separate two exposures.
  const { lift, retract, ...waits } = read.exposure!.normalCycle;
  assert.deepEqual(waits, { waitBeforeLiftS: 0, waitAfterLiftS: 0, waitAfterRetractS: 0, light: 255 });
  assert.deepEqual(lift.stages[0], parameters.lift);
  assert.deepEqual(retract.stages[0], { mm: parameters.lift.mm, mmPerMin: parameters.retractMmPerMin });
  for (const index of [0, 200]) assert.equal(litPixels(await read.layer(index)), 224_720);
  read.close();
});

longTest("each layer of the file of Chitubox is read with the pixels that another reader finds", async () => {
  const read = await openJob(STAIRS);
  for (const [index, { picture }] of readCtb(readFileSync(STAIRS)).layers.entries()) {
    assert.equal(litPixels(await read.layer(index)), picture.pixels.filter((value) => value > 0).length);
  }
  read.close();
});

function litPixels({ height, rowStarts, starts, ends }: LayerRuns): number {
  let lit = 0;
  for (let run = 0; run < rowStarts[height]; run++) lit += ends[run] - starts[run];
  return lit;
}

test("encrypted files are recognised and refused with the way out", async () => {
  const file = Buffer.alloc(4096);
  file.writeUInt32LE(0x12fd_0107);
  await assert.rejects(opened(file), {
    code: "OPERATION_FAILED",
    message: /encrypted \.ctb file, which is not read here; have a program that reads these/,
  });
});

test("a damaged preview is left out with a warning, and the layers are read", async () => {
  const file = Buffer.from(archiveOf("ctb-3", job, layers));
  // More pixels than the preview has.
  file.writeUInt32LE(399, file.readUInt32LE(0x3c));
  const { thumbnails: read, warnings, exposuresS } = await opened(file);
  assert.deepEqual(
    read.map(({ width }) => width),
    [200],
  );
  assert.deepEqual(warnings, ["One of the previews of the file is damaged and was left out."]);
  assert.equal(exposuresS.length, 5);
});

test("unknown versions are refused with those that are read", async () => {
  for (const [format, version, known] of [
    ["ctb-3", 4, "2 and 3"],
    ["ctb-2", 1, "2 and 3"],
    ["ctb-4", 6, "4 and 5"],
  ] as const) {
    const file = Buffer.from(archiveOf(format, job, layers));
    file.writeUInt32LE(version, 4);
    const message = new RegExp(`it has version ${version}; versions ${known} are read here`);
    await assert.rejects(opened(file), { code: "OPERATION_FAILED", message });
  }
});

test("version 5 has the name of the resin in a table of its own", async () => {
  const start = Buffer.from(archiveOf("ctb-4", job, layers));
  start.writeUInt32LE(5, 4);
  const extensionAt = start.readUInt32LE(start.readUInt32LE(0x68) + 0x40);
  start.writeUInt32LE(start.length, extensionAt + 0x50);
  const resin = Buffer.alloc(40);
  // Length and address of the name, with its NUL.
  resin.writeUInt32LE(10, 20);
  resin.writeUInt32LE(start.length + 40, 24);
  const read = await opened(Buffer.concat([start, resin, Buffer.from("Grey 2026\0", "latin1")]));
  assert.deepEqual([read.version, read.material], ["5", "Grey 2026"]);
  assert.deepEqual(read.exposure?.normalCycle.lift, CYCLE.lift);
});

test("version 4 with a time without light states one wait, less the motions", async () => {
  const file = Buffer.from(archiveOf("ctb-4", job, layers));
  file.writeFloatLE(8.25, 0x2c);
  const parametersAt = file.readUInt32LE(0x54);
  file.writeFloatLE(9.25, parametersAt + 0x20);
  file.writeFloatLE(8.25, parametersAt + 0x24);
  const { exposure, states } = await opened(file);
  // The motions take 3.5 and 1.75 seconds.
  assert.deepEqual([exposure?.firstCycle.waitAfterRetractS, exposure?.normalCycle.waitAfterRetractS], [4, 3]);
  assert.ok(states.includes("FIRST_WAITS") && states.includes("STAGES") && !states.includes("WAIT_AFTER_LIFT"));
});

test("the number of fading layers of version 2 follows from the exposures of the layers", async () => {
  // Layers have 30 to 26 s.
  const fading = { ...job.exposure!, normalS: 26, fadingLayers: 2 };
  const { exposure } = await opened(archiveOf("ctb-2", { ...job, exposure: fading }, layers));
  assert.equal(exposure?.fadingLayers, 2);
  const steady = { ...fading, normalS: 28, fadingLayers: 0 };
  assert.equal((await opened(archiveOf("ctb-2", { ...job, exposure: steady }, layers))).exposure?.fadingLayers, 0);
});

test("the files of UniFormation have another mark", async () => {
  const file = Buffer.from(archiveOf("ctb-4", job, layers));
  file.writeUInt32LE(0xff22_0810);
  assert.equal((await opened(file)).exposuresS.length, 5);
});
