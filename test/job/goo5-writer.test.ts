import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { operationFailed } from "../../src/core/api-error.ts";
import { streamFileAtomically } from "../../src/core/write-file.ts";
import { appendJobEnd } from "../../src/job/append-job-end.ts";
import { decodeVufLayer } from "../../src/job/goo/decode-vuf-layer.ts";
import { encodeVufLayer } from "../../src/job/goo/encode-vuf-layer.ts";
import { goo5Writer } from "../../src/job/goo/goo5-writer.ts";
import { stagedMotion } from "../../src/job/job-exposure.ts";
import { openJob } from "../../src/job/job-readers.ts";
import { RunsBuilder } from "../../src/job/runs-builder.ts";
import { readGoo5, readVufPixels } from "../fixture/job/read-goo5.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { CYCLE, TOTALS, archiveOf, plainThumbnail, someJob } from "../fixture/job/some-job.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { fc } from "../fixture/property.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(121, 90, radius, 20));
const thumbnails = [plainThumbnail(116, 116, [255, 0, 255, 255]), plainThumbnail(290, 290, [255, 255, 255, 128])];
const someFacts = someJob(layers, { thumbnails });
const facts = { ...someFacts, printer: { ...someFacts.printer, nameInJobs: "ELEGOO Jupiter 2" } };

test("decoded layers equal the originals, with their heights and exposures; tables, footer and MD5 are as described", () => {
  const { header, layers: read, footer } = readGoo5(archiveOf("goo-5", facts, layers));
  assert.deepEqual(
    read.map(({ picture }) => picture),
    layers,
  );
  assert.deepEqual(
    read.map(({ zMm, exposureS }) => [Math.round(1e4 * zMm) / 1e4, exposureS]),
    [
      [0.05, 30],
      [0.1, 29],
      [0.15, 28],
    ],
  );
  assert.deepEqual([header.profile, footer], ["Normal", "Normal"]);
});

test("the head has the names that the printer checks, and lets the values of the layers rule", () => {
  const { header, layers: read } = readGoo5(archiveOf("goo-5", facts, layers));
  assert.deepEqual(
    [header.software, header.printerName, header.printerType],
    ["ELEGOO SatelLite", "ELEGOO Jupiter 2", "ELEGOO Jupiter 2"],
  );
  assert.deepEqual([header.pixels, header.mirror, header.advanceMode], [[121, 90], [1, 0], 1]);
  assert.equal(header.printTimeS, Math.round(TOTALS.printTimeS));
  // Little-endian pixels with red in the highest bits.
  assert.deepEqual([...header.smallPreview.subarray(0, 2)], [0x1f, 0xf8]);
  for (const { lift, retract, secondLift, secondRetract } of read) {
    assert.deepEqual(lift, { mm: 7, mmPerMin: 120 });
    assert.deepEqual(retract, { mm: Math.fround(6.95), mmPerMin: 240 });
    assert.deepEqual([secondLift.mm, secondRetract.mm], [0, 0]);
  }
});

test("a retraction to the height of the next layer is read as one of the whole lift, any other as it is", async () => {
  const retractOf = async (mm: number) => {
    const cycle = { ...CYCLE, retract: stagedMotion({ mm, mmPerMin: 240 }) };
    const exposure = { ...facts.exposure!, firstCycle: cycle, normalCycle: cycle };
    const job = await openJob(fileAt("job.goo", archiveOf("goo-5", { ...facts, exposure }, layers)));
    job.close();
    return job.exposure!.normalCycle.retract.stages[0].mm;
  };
  assert.ok(Math.abs((await retractOf(7)) - 7) < 1e-6);
  assert.ok(Math.abs((await retractOf(5)) - 4.95) < 1e-6);
});

const row = (...runs: readonly (readonly [value: number, length: number])[]): GreyPicture => {
  const pixels = Uint8Array.from(runs.flatMap(([value, length]) => Array.from({ length }, () => value)));
  return { width: pixels.length, height: 1, pixels };
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The bytes of the left half of a picture with these runs. */
const leftHalf = (...runs: readonly (readonly [value: number, length: number])[]): string => {
  const { width, pixels } = row(...runs);
  return hex(encodeVufLayer(runsOf(painted(2 * width, 1, (x) => pixels[x] ?? 0)))[0]);
};

test("runs have the bytes of the example of the format", () => {
  assert.equal(leftHalf([0, 1000], [255, 300], [230, 1], [0, 99]), "55573e07ff53128707005a05120d0a");
});

test("differences reach 32 to either side", () => {
  const runs = [0, 32, 0, 31, 64, 31].map((value) => [value, 1] as const);
  assert.equal(leftHalf(...runs), "5540a080bf0040001f810d0a");
});

/** The runs of a row of which both halves have these chunks, as value × length. */
function decoded(chunks: string, width: number, bits: number): string[] {
  const bytes = Buffer.from(chunks, "hex");
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  const half = Buffer.concat([Buffer.of(0x55), bytes, Buffer.of(255 - (sum % 256), 0x0d, 0x0a)]);
  const builder = new RunsBuilder(2 * width, 1, operationFailed);
  const { rowStarts, starts, ends, values } = decodeVufLayer(
    [half, half],
    bits,
    [2 * width, 1],
    builder,
    operationFailed,
  );
  return Array.from({ length: rowStarts[1] }, (_, i) => `${values[i]}: ${starts[i]}-${ends[i]}`);
}

test("short runs with a level of their own are read, also in fewer bits", () => {
  assert.deepEqual(decoded("0f080a40", 4, 8), ["255: 0-1", "2: 2-4", "255: 4-5", "2: 6-8"]);
  assert.deepEqual(decoded("170b", 3, 3), ["255: 0-2", "109: 2-3", "255: 3-5", "109: 5-6"]);
});

test("black and white of another program, which leaves out the first pixel of a half, is read", () => {
  const black = ["255: 1000-1300", "255: 2400-2700"];
  assert.deepEqual(decoded("563ea75a12995206", 1400, 3), black);
  assert.deepEqual(decoded("573ea75a12995206", 1400, 3), black);
  assert.deepEqual(decoded("563e995a12", 1300, 3), ["255: 0-1000", "255: 1300-2300"]);
  assert.deepEqual(decoded("523e", 996, 3), []);
});

test("damaged halves, levels beyond black and white, and sizes that do not fit are refused", () => {
  const refused = { code: "OPERATION_FAILED", message: /pictures is damaged/ };
  for (const chunks of ["c0", "00", "9f", "50", "07ffa1"]) assert.throws(() => decoded(chunks, 8, 8), refused, chunks);
  assert.throws(() => decoded("48", 8, 8), { message: /more pixels/ });
  assert.throws(() => decoded("42", 8, 8), { message: /ends too early/ });
  const [left, right] = encodeVufLayer(runsOf(ring(60, 40, 15, 5)));
  for (const at of [0, 5, left.length - 3, left.length - 1]) {
    const damaged = left.slice();
    damaged[at] ^= 4;
    const builder = new RunsBuilder(60, 40, operationFailed);
    assert.throws(() => decodeVufLayer([damaged, right], 8, [60, 40], builder, operationFailed), refused);
  }
});

test("ADAPTIVE layers and files beyond the reach of addresses are refused with the way out", () => {
  assert.throws(() => goo5Writer.requireCarriable?.({ ...facts, layerThicknessMm: "ADAPTIVE" }), {
    code: "OPERATION_FAILED",
    message: /ADAPTIVE/,
  });
  const stream = goo5Writer.stream(facts);
  stream.begin();
  const huge = { length: 2 ** 31 } as Uint8Array;
  assert.throws(() => stream.layer(0, [huge, huge], 30), { code: "OPERATION_FAILED", message: /at most 4 GiB/ });
});

test("a file on a disk ends with its own MD5, like one in memory", async () => {
  const path = fileAt("streamed.goo", "");
  const stream = goo5Writer.stream(facts);
  await streamFileAtomically(path, async (file) => {
    await file.append(Buffer.concat([...stream.begin()]));
    for (const [index, picture] of layers.entries()) {
      const pieces = [...stream.layer(index, encodeVufLayer(runsOf(picture)), 30 - index)];
      await file.append(Buffer.concat(pieces));
    }
    await appendJobEnd(file, stream.end(TOTALS));
  });
  assert.equal(Buffer.compare(readFileSync(path), archiveOf("goo-5", facts, layers)), 0);
});

test("any picture is read by another reader", () => {
  fc.assert(
    fc.property(someLayer, (picture) => {
      const left = Math.ceil(picture.width / 2);
      const halves = encodeVufLayer(runsOf(picture));
      const widths = [left, picture.width - left];
      for (const [k, half] of halves.entries()) {
        const expected = painted(widths[k], picture.height, (x, y) => picture.pixels[y * picture.width + x + k * left]);
        assert.deepEqual(readVufPixels(half, expected.pixels.length), expected.pixels);
      }
    }),
    { numRuns: 40 },
  );
});
