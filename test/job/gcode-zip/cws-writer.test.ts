import assert from "node:assert/strict";
import { test } from "node:test";
import { unzipSync } from "fflate";
import { type JobCycle, type JobExposure, stagedMotion } from "../../../src/job/job-exposure.ts";
import { JOB_WRITERS } from "../../../src/job/job-writers.ts";
import type { JobMetadata } from "../../../src/job/job.ts";
import { readCws } from "../../fixture/job/read-cws.ts";
import { readPngSamples } from "../../fixture/job/read-png-layer.ts";
import { EXAMPLE_CYCLE, exampleExposure } from "../../fixture/job/example-cycle.ts";
import { archiveOf, someJob } from "../../fixture/job/some-job.ts";
import { painted, ring } from "../../fixture/job/some-layers.ts";

const layers = [40, 35, 30].map((radius) => ring(120, 90, radius, 20));

const exposureWith = (firstCycle: JobCycle, normalCycle: JobCycle): JobExposure =>
  exampleExposure(1, firstCycle, normalCycle);

const exposure = exposureWith(EXAMPLE_CYCLE, EXAMPLE_CYCLE);
const fileOf = (format: "cws" | "cws-rgb" | "cws-xml", changes: Partial<JobMetadata> = {}, pictures = layers) =>
  archiveOf(format, someJob(pictures, { exposure, ...changes }), pictures);

test("independent readers find the layers of each kind", () => {
  assert.deepEqual(readCws(fileOf("cws"), "GREY").layers, layers);
  assert.deepEqual(readCws(fileOf("cws-rgb"), "BGR").layers, layers);
  assert.deepEqual(readCws(fileOf("cws-xml"), "OPAQUE").layers, layers);
});

test("a pixel holds three columns, blue the leftmost, also where a run ends within it", () => {
  const row = [10, 20, 30, 30, 30, 0, 0, 7, 7, 7, 7];
  const png = unzipSync(fileOf("cws-rgb", { name: "x" }, [painted(row.length, 1, (x) => row[x])]))["x0.png"];
  const { width, samples } = readPngSamples(png, 2);
  assert.equal(width, 4);
  assert.deepEqual([...samples], [30, 20, 10, 0, 30, 30, 7, 7, 0, 0, 7, 7]);
});

test("the block of a layer is that of other programs", () => {
  const { start, blocks, end, heightsMm } = readCws(fileOf("cws"), "GREY");
  assert.deepEqual(start, [
    "G21 ;Set units to be mm",
    "G91 ;Relative positioning",
    "M106 S0 ;Turn LED off",
    ";<Slice> Blank",
    "M17 ;Enable motors",
    "G28 Z0 ;Home Z",
  ]);
  assert.deepEqual(blocks[0], [
    ";<Slice> 0",
    "G1 Z5.05 F65",
    ";<Delay> 05365",
    "G4 P0",
    "G1 Z-5 F150",
    ";<Delay> 02750",
    "G4 P0",
    ";<Delay> 2500",
    "M106 S255",
    ";<Delay> 30000",
    "M106 S0",
    ";<Slice> Blank",
  ]);
  assert.deepEqual(end, ["M106 S0", "G1 Z5 F65", "M18 ;Disable motors", ";<Completed>"]);
  assert.deepEqual(heightsMm, [0.05, 0.1, 0.15]);
});

test("stages, waits and lights of the layer below and of the layer have their lines", () => {
  const first: JobCycle = {
    waitBeforeLiftS: 1,
    lift: stagedMotion({ mm: 2, mmPerMin: 60 }, { mm: 4, mmPerMin: 120 }),
    waitAfterLiftS: 2,
    retract: stagedMotion({ mm: 5, mmPerMin: 100 }, { mm: 1, mmPerMin: 60 }),
    waitAfterRetractS: 0,
    light: 200,
  };
  const { blocks } = readCws(fileOf("cws-xml", { exposure: exposureWith(first, EXAMPLE_CYCLE) }), "OPAQUE");
  // 2 s and 2 s up, 3 s and 1 s down, each with 0.75 s more.
  const moves = ["G1 Z2.05 F60", "G1 Z4 F120", ";<Takes> 04750", "G4 P0", ";<Takes> 2000"];
  const back = ["G1 Z-5 F100", "G1 Z-1 F60", ";<Takes> 04750", "G4 P0", ";<Takes> 0"];
  const light = ["M106 S255", ";<Takes> 29000", "M106 S0", ";<Slice> Blank"];
  assert.deepEqual(blocks[1], [";<Slice> 1", ...moves, ...back, ...light]);
  assert.deepEqual(blocks[0].slice(-5), ["M106 S200", ";<Takes> 30000", "M106 S0", ";<Takes> 1000", ";<Slice> Blank"]);
  assert.equal(blocks[2][1], "G1 Z5.05 F65");
});

test("heights do not drift over thousands of layers of odd thickness", () => {
  const count = 3000;
  const boundariesMm = Float64Array.from({ length: count + 1 }, (_, k) => k * 0.033_333);
  const tiny = painted(2, 1, () => 255);
  const pictures = Array.from({ length: count }, () => tiny);
  const { heightsMm } = readCws(fileOf("cws", { boundariesMm }, pictures), "GREY");
  for (const [k, zMm] of heightsMm.entries()) assert.ok(Math.abs(zMm - boundariesMm[k + 1]) <= 0.000_051, `layer ${k}`);
});

test("names have no digit before the numbers of the layers, which have as many digits as their count", () => {
  const pictures = Array.from({ length: 11 }, () => layers[0]);
  const { names } = readCws(fileOf("cws", { name: "Teil 7" }, pictures), "GREY");
  assert.deepEqual(
    [names[0], names[1], names[11], names[12]],
    ["slice.conf", "Teil_7_00.png", "Teil_7_10.png", "Teil_7_.gcode"],
  );
});

test("slice.conf and the head of the G-code have the settings of the job", () => {
  const { texts, head } = readCws(fileOf("cws"), "GREY");
  const conf = texts["slice.conf"].split("\n").slice(3, -1);
  assert.ok(conf.every((line) => line.indexOf("=") === 24));
  assert.deepEqual(Object.fromEntries(conf.map((line) => line.split(/ *= /))), {
    xppm: "52.632",
    yppm: "41.667",
    xres: "120",
    yres: "90",
    thickness: "0.05",
    layers_num: "3",
    head_layers_num: "1",
    layers_expo_ms: "8000",
    head_layers_expo_ms: "35000",
    wait_before_expo_ms: "2500",
    lift_distance: "5",
    lift_up_speed: "65",
    lift_down_speed: "150",
    lift_when_finished: "80",
  });
  for (const line of [
    ";(****Build and Slicing Parameters****)",
    ";(Pix per mm X            = 52.632 )",
    ";(X Resolution            = 120 )",
    ";(Layer Thickness         = 0.05000 mm )",
    ";(Layer Time              = 8000 ms )",
    ";(Bottom Layers Time      = 35000 ms )",
    ";(Flip X                  = True)",
    ";Number of Slices         = 3",
    ";(Platform Z Size         = 220mm )",
  ]) {
    assert.ok(head.includes(line), line);
  }
});

test("the XML files of Creation Workshop name the files and the settings", () => {
  const { texts, names } = readCws(fileOf("cws-xml", { name: "part" }), "OPAQUE");
  assert.deepEqual(names, ["manifest.xml", "part.slicing", "part0.png", "part1.png", "part2.png", "part.gcode"]);
  const named = [...texts["manifest.xml"].matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
  assert.deepEqual(named, ["part0.png", "part1.png", "part2.png", "part.slicing", "part.gcode"]);
  for (const element of ["<XResolution>120<", "<SliceHeight>0.05<", "<LayerTime>8000<", "<FirstLayerTime>35000<"]) {
    assert.ok(texts["part.slicing"].includes(element), element);
  }
});

test("a lift beyond the machine's height, and panels too wide for four channels, are refused", () => {
  const high = someJob(layers, { exposure, boundariesMm: Float64Array.of(0, 216) });
  assert.throws(() => JOB_WRITERS.cws.requireCarriable?.(high), /would reach 221 mm/);
  const wide = (columns: number): JobMetadata => {
    const job = someJob(layers, { exposure });
    return { ...job, printer: { ...job.printer, pixels: [columns, 90] } };
  };
  JOB_WRITERS["cws-xml"].requireCarriable?.(wide(16_383));
  JOB_WRITERS.cws.requireCarriable?.(wide(20_000));
  assert.throws(() => JOB_WRITERS["cws-xml"].requireCarriable?.(wide(16_384)), /have 16384 columns.* at most 16383/);
});
