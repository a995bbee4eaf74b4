import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { decodePw0Layer } from "../../src/job/anycubic/decode-pw0-layer.ts";
import { decodePwsLayer } from "../../src/job/anycubic/decode-pws-layer.ts";
import { motionsOf, zonesOf } from "../../src/job/anycubic/zones.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { type JobCycle, NO_MOTION, type StagedMotion, stagedMotion } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { JOB_WRITERS, type JobFormat } from "../../src/job/job-writers.ts";
import type { JobMetadata } from "../../src/job/job.ts";
import { RunsBuilder } from "../../src/job/runs-builder.ts";
import { CYCLE, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));

function fileOf(format: JobFormat, changes: Partial<JobMetadata> = {}): Buffer {
  const thumbnails = JOB_WRITERS[format].thumbnails.map(({ width, height }) =>
    plainThumbnail(width, height, [0, 255, 0, 255]),
  );
  return Buffer.from(archiveOf(format, someJob(layers, { thumbnails, ...changes }), layers));
}

/** The job in a file, and the lit pixels of its layers. */
async function readFile(bytes: Uint8Array, extension: string) {
  const job = await openJob(fileAt(`job${extension}`, bytes));
  try {
    const counts: number[] = [];
    for (let k = 0; k < job.exposuresS.length; k++) {
      const { rowStarts, starts, ends, height } = await job.layer(k);
      let lit = 0;
      for (let run = 0; run < rowStarts[height]; run++) lit += ends[run] - starts[run];
      counts.push(lit);
    }
    return { job, counts };
  } finally {
    job.close();
  }
}

const refuse = (why: string): ApiError => new ApiError("OPERATION_FAILED", why);

/** The runs of a picture of one row, each as its value and its end; gaps are black. */
function rowOf(width: number, decode: (into: RunsBuilder) => ReturnType<RunsBuilder["finish"]>): number[][] {
  const { rowStarts, values, ends } = decode(new RunsBuilder(width, 1, refuse));
  return Array.from({ length: rowStarts[1] }, (_, run) => [values[run], ends[run]]);
}

const hex = (digits: string): Uint8Array => Buffer.from(digits, "hex");
const pw0 = (digits: string, width: number) => rowOf(width, (into) => decodePw0Layer(hex(digits), width, into));
const pws = (digits: string, slices: number, width: number) =>
  rowOf(width, (into) => decodePwsLayer(hex(digits), slices, width, into, refuse));

test("runs of 4 bits: the example of the format, data that end early, and bytes after the last pixel", () => {
  const example = [
    [255, 5003],
    [136, 5023],
  ];
  assert.deepEqual(pw0("0fff0389f0038f85", 5023), example);
  assert.deepEqual(pw0("0fff0389f0038f85a001", 5023), example);
  assert.deepEqual(pw0("f003f0", 9), [[255, 9]]);
  assert.deepEqual(pw0("f00300", 9), [[255, 3]]);
  assert.deepEqual(pw0("", 9), []);
  assert.throws(() => pw0("f003", 90), /ends too early/);
  assert.throws(() => pw0("f00a", 9), /more pixels than the file states/);
});

test("time slices: a pixel has the value of the number of slices in which it is lit", () => {
  assert.deepEqual(pws("7d7d3285", 1, 305), [[255, 305]]);
  assert.deepEqual(pws("ff7f018500", 1, 260), [
    [255, 127],
    [255, 260],
  ]);
  assert.deepEqual(pws("048202840500", 2, 6), [
    [127, 4],
    [255, 6],
  ]);
  assert.throws(() => pws("0482", 2, 6), /ends too early/);
  assert.throws(() => pws("0483", 1, 6), /leaves it/);
});

test("a file of version 515 is read", async () => {
  const file = fileOf("anycubic-1");
  file.writeUInt32LE(515, 12);
  file.writeUInt32LE(5, 16);
  const { job, counts } = await readFile(file, ".pwma");
  assert.equal(job.version, "515");
  assert.deepEqual(
    counts,
    layers.map(({ pixels }) => pixels.filter((value) => value > 8).length),
  );
});

test("a later version names the encoding of its pictures", async () => {
  const slices = fileOf("anycubic-1-slices");
  const named = fileOf("anycubic-516");
  const [slicesAt, namedAt, machineAt] = [slices.readUInt32LE(36), named.readUInt32LE(36), named.readUInt32LE(44)];
  const data = slices.subarray(slices.readUInt32LE(slicesAt + 20)).subarray(0, slices.readUInt32LE(slicesAt + 24));
  named.write("pwsImg", machineAt + 0x70);
  named.writeUInt32LE(4, 52 + 0x38);
  for (let k = 0; k < 3; k++) {
    named.writeUInt32LE(named.length, namedAt + 20 + 32 * k);
    named.writeUInt32LE(data.length, namedAt + 24 + 32 * k);
  }
  const { counts } = await readFile(Buffer.concat([named, data]), ".any");
  const [{ pixels }] = layers;
  const lit = pixels.filter((value) => value >= 52).length;
  assert.deepEqual(counts, [lit, lit, lit]);
});

test("tables are found by their addresses, wherever they are", async () => {
  const exposure = {
    ...someJob(layers).exposure!,
    normalCycle: { ...CYCLE, lift: stagedMotion({ mm: 3, mmPerMin: 60 }, { mm: 4, mmPerMin: 240 }) },
  };
  const file = fileOf("anycubic-516", { exposure });
  const at = file.readUInt32LE(40);
  assert.equal(file.toString("latin1", at, at + 5), "EXTRA");
  const moved = Buffer.concat([file, file.subarray(at, at + 72)]).fill(0xee, at, at + 72);
  moved.writeUInt32LE(file.length, 40);
  const { job } = await readFile(moved, ".pwmo");
  assert.deepEqual(
    job.exposure?.normalCycle.lift.stages.map(({ mm, mmPerMin }) => [mm, mmPerMin]),
    [
      [3, 60],
      [4, 240],
    ],
  );
});

test("the program and the machine are named, a preview has its colour", async () => {
  const { job } = await readFile(fileOf("anycubic-517"), ".pm3n");
  assert.match(job.program ?? "", /^Printwright \d/);
  assert.equal(job.printerName, "ELEGOO Saturn 4 Ultra");
  assert.deepEqual([...job.thumbnails[0].rgba.subarray(0, 4)], [0, 255, 0, 255]);
});

test("a later version is refused, with the way out", async () => {
  const file = fileOf("anycubic-518");
  file.writeUInt32LE(519, 12);
  await assert.rejects(readFile(file, ".pm5s"), /of version 519; versions 1 and 515 to 518 are read: save it as/);
});

test("addresses, counts and sizes that lie are refused at once", async () => {
  const file = fileOf("anycubic-518");
  const layersAt = file.readUInt32LE(36);
  const places = [
    ...Array.from({ length: 11 }, (_, k) => 20 + 4 * k),
    64 + 0x3c,
    64 + 0x40,
    layersAt + 16,
    layersAt + 20,
    layersAt + 24,
  ];
  for (const at of places) {
    for (const value of [0, at, file.length, 0xffff_ffff]) {
      const lying = Buffer.from(file);
      lying.writeUInt32LE(value, at);
      await readFile(lying, ".pm5s").catch((error: unknown) => assert.ok(error instanceof ApiError, String(error)));
    }
  }
  const wide = Buffer.from(file);
  wide.writeUInt32LE(65_535, 64 + 0x3c);
  wide.writeUInt32LE(65_535, 64 + 0x40);
  await assert.rejects(readFile(wide, ".pm5s"), /65535 × 65535 pixels/);
});

const cycleOf = (lift: StagedMotion, retract: StagedMotion): JobCycle => ({ ...CYCLE, lift, retract });

test("zones: motions whose stages end at the same height are found again", () => {
  const lift = stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 6, mmPerMin: 180 });
  const retract = stagedMotion({ mm: 6, mmPerMin: 240 }, { mm: 2, mmPerMin: 48 });
  const oneLift = stagedMotion({ mm: 8, mmPerMin: 120 });
  const oneRetract = stagedMotion({ mm: 8, mmPerMin: 240 });
  for (const cycle of [
    cycleOf(lift, retract),
    cycleOf(oneLift, retract),
    cycleOf(lift, oneRetract),
    cycleOf(oneLift, oneRetract),
  ]) {
    const found = motionsOf(zonesOf(cycle));
    assert.deepEqual(found, { lift: cycle.lift, retract: cycle.retract });
  }
  assert.deepEqual(zonesOf(cycleOf(lift, retract)), [
    { mm: 2, upMmPerS: 1, downMmPerS: 0.8 },
    { mm: 6, upMmPerS: 3, downMmPerS: 4 },
  ]);
});

test("zones: a retraction whose stages end elsewhere takes as long", () => {
  const lift = stagedMotion({ mm: 4, mmPerMin: 30 }, { mm: 5, mmPerMin: 150 });
  for (const slowMm of [1, 3, 5, 9]) {
    const retract = stagedMotion({ mm: 9 - slowMm, mmPerMin: 120 }, { mm: slowMm, mmPerMin: 36 });
    const found = motionsOf(zonesOf(cycleOf(lift, retract)));
    assert.ok(Math.abs(found.retract.seconds - retract.seconds) < 1e-9);
  }
  const none = motionsOf(zonesOf(cycleOf(stagedMotion(NO_MOTION), stagedMotion(NO_MOTION))));
  assert.deepEqual([none.lift.seconds, none.retract.seconds], [0, 0]);
});
