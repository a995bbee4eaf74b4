import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { VERSION } from "../../src/core/version.ts";
import { operationFailed } from "../../src/core/api-error.ts";
import { decodeGooLayer } from "../../src/job/goo/decode-goo-layer.ts";
import { NO_STAGES } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { RunsBuilder } from "../../src/job/runs-builder.ts";
import { CYCLE, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { ring } from "../fixture/job/some-layers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const thumbnails = [plainThumbnail(116, 116, [255, 0, 255, 255]), plainThumbnail(290, 290, [255, 255, 255, 128])];
const facts = someJob(layers, { thumbnails });
const goo = (): Buffer => Buffer.from(archiveOf("goo", facts, layers));

async function opened(file: Uint8Array) {
  const job = await openJob(fileAt("job.goo", file));
  job.close();
  return job;
}

/** The runs of a layer with these chunks as value × length, in rows of `width` pixels. */
function runsOf(chunks: string, width: number, height: number): string[] {
  const bytes = Buffer.from(chunks, "hex");
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const data = Buffer.concat([Buffer.of(0x55), bytes, Buffer.of(255 - (sum % 256))]);
  const { rowStarts, starts, ends, values } = decodeGooLayer(
    data,
    new RunsBuilder(width, height, operationFailed),
    operationFailed,
  );
  return Array.from({ length: rowStarts[height] }, (_, i) => `${values[i]}: ${starts[i]}-${ends[i]}`);
}

test("the examples of the specification are decoded", () => {
  const grey = runsOf("7daabbcc15", 57_161, 0xbbc_c15d / 57_161);
  assert.deepEqual([[...new Set(grey)], grey.length], [["170: 0-57161"], 3445]);
  assert.deepEqual(runsOf("3f555657", 123, 0x555_657f / 123), []);
  assert.deepEqual(runsOf("416492ff", 256, 1), ["100: 0-1", "102: 1-256"]);
});

test("all kinds of runs are decoded, with lengths of no to three bytes", () => {
  assert.deepEqual(runsOf("0fcf", 30, 1), ["255: 15-30"]);
  assert.deepEqual(runsOf("1001d001", 32, 1), ["255: 16-32"]);
  assert.deepEqual(runsOf("e00100", 4096, 1), ["255: 0-4096"]);
  assert.deepEqual(runsOf("f0000100", 4096, 1), ["255: 0-4096"]);
  assert.deepEqual(runsOf("8fa1c1af9003", 7, 1), ["15: 0-1", "14: 1-2", "255: 2-3", "240: 3-7"]);
  assert.deepEqual(runsOf("41649207", 4, 2), ["100: 0-1", "102: 1-4", "102: 0-4"]);
});

test("pictures with another mark or sum, values beyond black and white, and cut runs are refused", () => {
  const refused = { code: "OPERATION_FAILED", message: /pictures is damaged/ };
  for (const chunks of ["a1", "c18e", "92", "41", "d0"]) {
    assert.throws(() => runsOf(chunks, 1, 1), refused, chunks);
  }
  assert.throws(() => runsOf("02", 1, 1), { message: /more pixels/ });
  assert.throws(() => runsOf("0f", 40, 1), { message: /ends too early/ });
});

test("a flipped bit anywhere in a layer's data is refused", async () => {
  const file = goo();
  const start = 195_477 + 70;
  const size = file.readUInt32BE(start - 4);
  for (const [at, bit] of [
    [0, 1],
    [1, 16],
    [Math.floor(size / 2), 128],
    [size - 1, 2],
  ] as const) {
    const damaged = Buffer.from(file);
    damaged[start + at] ^= bit;
    const job = await openJob(fileAt("job.goo", damaged));
    assert.throws(() => job.layer(0), { code: "OPERATION_FAILED", message: /pictures is damaged/ });
    job.layer(1);
    job.close();
  }
});

test("program, machine, time and size are those of the file", async () => {
  const job = await opened(goo());
  assert.deepEqual([job.format, job.version, job.program], ["Elegoo GOO", "V3.0", `Printwright ${VERSION}`]);
  assert.equal(job.created?.toISOString(), "2026-11-21T01:19:55.000Z");
  assert.equal(job.mirrorX, true);
  assert.deepEqual(job.volumeMm?.map(Math.fround), [218.88, 122.88, 220].map(Math.fround));
  assert.ok(Math.abs((job.pixelMm?.[0] ?? 0) - 218.88 / 120) < 1e-6);
});

test("the lift that is written for tilting vats is read as no motion", async () => {
  const tilt = { ...CYCLE, lift: NO_STAGES, retract: NO_STAGES };
  const { exposure, states } = await opened(
    archiveOf("goo", { ...facts, exposure: { ...facts.exposure!, firstCycle: tilt, normalCycle: tilt } }, layers),
  );
  assert.deepEqual(exposure?.normalCycle, tilt);
  assert.deepEqual(
    states.filter((fact) => /MOTIONS|STAGES|LIFT$|FIRST_RETRACT/.test(fact)),
    ["WAIT_BEFORE_LIFT", "WAIT_AFTER_LIFT"],
  );
});

test("a time without light instead of waits becomes one wait, less the motions", async () => {
  const file = goo();
  // The delay mode; the time follows it, and 132 more bytes of the head.
  const modeAt = 195_477 - 137;
  assert.equal(file.readUInt8(modeAt), 1);
  file.writeUInt8(0, modeAt);
  file.writeFloatBE(8.25, modeAt + 1);
  const { exposure, states } = await opened(file);
  // The motions take 3.5 and 1.75 seconds.
  const { waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS } = exposure!.normalCycle;
  assert.deepEqual([waitBeforeLiftS, waitAfterLiftS, waitAfterRetractS], [0, 0, 3]);
  assert.ok(states.includes("WAIT_SUM") && !states.includes("WAIT_AFTER_RETRACT"));
});

test("what is odd about a file without harm is told", async () => {
  const file = goo();
  // The mirror of rows is behind that of columns; the grey flag is three bytes before the end of the head.
  file.writeUInt8(1, 195_310 + 9);
  file.writeUInt8(0, 195_477 - 3);
  const { warnings, mirrorY } = await opened(file);
  assert.equal(mirrorY, true);
  assert.deepEqual(warnings, ["The file states 16 grey levels: its greys are taken as they are written."]);
});

test("unknown versions are refused with those that are read", async () => {
  for (const version of ["V4.0", "V2.0", "V3.1"]) {
    const file = goo();
    file.write(version, 0, "latin1");
    await assert.rejects(opened(file), {
      code: "OPERATION_FAILED",
      message: new RegExp(`version "${version}"; V3.0 and V5.1 are read: save it as one of these`),
    });
  }
});
