import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, unzipSync, zipSync } from "fflate";
import { openJob } from "../../../src/job/job-readers.ts";
import { pictureOf } from "../../fixture/job/picture-of.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { ring } from "../../fixture/job/some-layers.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const fileAt = temporaryFiles();
const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));
const picturesOf = (format: "cws" | "cws-rgb"): Record<string, Uint8Array> =>
  unzipSync(archiveOf(format, someJob(layers, { name: "x" }), layers), { filter: ({ name }) => name.endsWith(".png") });
const pictures = picturesOf("cws");

const withGcode = (lines: readonly string[], more: Record<string, Uint8Array> = {}): string =>
  fileAt("job.cws", zipSync({ ...pictures, ...more, "other.gcode": strToU8(lines.join("\r\n")) }));

/** A block in the order of Nova3D's program: the moves follow the exposure, and the wait begins with them. */
const blockOf = (slice: number, ms: number): string[] => [
  `;<Slice> ${slice}`,
  "M106 S255",
  `;<Delay> ${ms}`,
  "M106 S0",
  ";<Slice> Blank",
  "G1 Z4.000 F20",
  "G1 Z-3.950 F20",
  ";<Delay> 34000",
  "",
];

const HEAD = [
  "; nova3d.cn NovaMaker v2.4.20 64-bits",
  ";(****Build and Slicing Parameters****)",
  ";(Pix per mm X            = 19.324 )",
  ";(Pix per mm Y            = 20 )",
  ";(Layer Thickness         = 0.05000 mm )",
  ";(Layer Time              = 6000 ms )",
  ";(Bottom Layers Time      = 40000 ms )",
  ";(Number of Bottom Layers = 1 )",
  ";(Flip X                  = False)",
  ";Number of Slices         = 3",
  ";(****Machine Configuration ******)  ",
  ";(Platform X Size         = 65.02mm )",
  ";(Platform Y Size         = 116mm )  ",
  ";(Platform Z Size         = 130mm )  ",
  "G28",
  "G21 ;Set units to be mm",
  "G91 ;Relative Positioning",
  "<Slice> Blank",
  "M106 S0",
];

test("a job as Nova3D's program writes it: the first layer at home, moves after the exposure, waits that cover them", async () => {
  const job = await openJob(withGcode([...HEAD, ...blockOf(0, 40_000), ...blockOf(1, 6000), ...blockOf(2, 6000)]));
  assert.equal(job.program, "nova3d.cn NovaMaker v2.4.20 64-bits");
  assert.deepEqual([...job.boundariesMm], [0, 0.05, 0.1, 0.15]);
  assert.deepEqual([...job.exposuresS], [40, 6, 6]);
  assert.deepEqual([job.volumeMm, job.mirrorX, [...job.pixels]], [[65.02, 116, 130], false, [120, 90]]);
  assert.deepEqual(job.pixelMm, [1 / 19.324, 0.05]);
  const cycle = job.exposure?.normalCycle;
  assert.deepEqual(
    [cycle?.lift.stages[0], cycle?.retract.stages[0]],
    [
      { mm: 3.95, mmPerMin: 20 },
      { mm: 3.95, mmPerMin: 20 },
    ],
  );
  // 34 s less 12 s and 11.85 s of the moves.
  assert.equal(cycle?.waitAfterRetractS, 10.15);
  for (const [k, layer] of layers.entries()) assert.deepEqual(pictureOf(await job.layer(k)), layer);
  job.close();
});

test("pictures in three colours are three columns only on a panel that has as many", async () => {
  const rgb = picturesOf("cws-rgb");
  const lines = [...HEAD, ...blockOf(0, 40_000), ...blockOf(1, 6000), ...blockOf(2, 6000)];
  const packed = await openJob(withGcode([";(X Resolution            = 120 )", ...lines], rgb));
  assert.deepEqual(pictureOf(await packed.layer(1)), layers[1]);
  packed.close();
  const plain = await openJob(withGcode([";(X Resolution            = 40 )", ...lines], rgb));
  assert.equal((await plain.layer(1)).width, 40);
  plain.close();
});

test("a G-code without its pictures, with too many layers or of another count is refused", async () => {
  const blocks = [0, 1, 2].flatMap((slice) => blockOf(slice, 6000));
  await assert.rejects(openJob(withGcode([...HEAD, ...blockOf(0, 6000)])), /exposes 1 layers and states 3/);
  await assert.rejects(openJob(withGcode([...HEAD, ...blocks, ...blocks])), /more layers than it has pictures/);
  await assert.rejects(
    openJob(withGcode([...HEAD, ...blocks.slice(0, 18), ...blockOf(7, 6000)])),
    /"7", which its G-code shows/,
  );
  await assert.rejects(openJob(fileAt("job.cws", zipSync(pictures))), /has no G-code/);
});
