import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { printerTypes } from "../../src/catalog/catalog.ts";
import { inputError } from "../../src/core/api-error.ts";
import { newPlateJob } from "../../src/feature/calibrate/plate-job.ts";
import { readReadingsForm, readingsForm } from "../../src/feature/calibrate/readings-form.ts";
import { JOB_WRITERS } from "../../src/job/job-writers.ts";
import { profileOf } from "../../src/catalog/profile.ts";
import { layerExposureS } from "../../src/slice/print-time.ts";
import { inProcess } from "../fixture/in-process.ts";
import { readAnycubicFields } from "../fixture/job/read-anycubic.ts";
import { longTest } from "../fixture/long.ts";

const { post, refused, file: newFile } = inProcess();
const folder = dirname(newFile("folder", ""));
const file = (name: string): string => join(folder, name);

/** A panel of few pixels. */
const COMBINATION = { machine_type: "ANYCUBIC-ULTRA", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };

test("a plate is written as a job of equal layers with the exposures of its timed pads, beside a form", async () => {
  const [job, form] = [file("plate.dlp"), file("plate.csv")];
  const reply = await post("/v1/calibration/plate/", {
    ...COMBINATION,
    exposure_s: 2,
    output_file: job,
    form_file: form,
  });
  const { layers, header } = readAnycubicFields(readFileSync(job));
  assert.equal(layers.length, reply.layer_count);
  assert.ok(reply.print_time_s < 1800 && reply.print_time_s > 600);
  assert.deepEqual(reply.plate, {
    ...COMBINATION,
    exposure_s: 2.5,
    time_ratio: 8,
    corner_layers: reply.plate.corner_layers,
  });
  const exposures = layers.map(({ exposureS }) => Math.round(1000 * exposureS) / 1000);
  assert.equal(exposures.at(-1), 2.5);
  assert.ok(exposures.includes(20), "the layer of the timed pads");
  assert.deepEqual([header.columns, header.rows], [1280, 720]);
  const read = readReadingsForm(readFileSync(form, "utf8"), inputError);
  assert.deepEqual(read, { plate: reply.plate, readings: [] });
});

test("the form is read with values in all writings of spreadsheets", () => {
  const { onWire, plate } = newPlateJob(COMBINATION, 2);
  const empty = Buffer.from(readingsForm(onWire, plate.readings)).toString();
  const filled = empty.replace(/^(1,.*),\r$/m, "$1,17\r").replace(/^(28a,.*),\r$/m, '$1,"0,182"\r');
  const expected = [
    { patch: "1", value: 17 },
    { patch: "28a", value: 0.182 },
  ];
  assert.deepEqual(readReadingsForm(filled, inputError).readings, expected);
  const semicolons = filled
    .split("\r\n")
    .map((line) => line.replace(/"[^"]*"|,/g, (found) => (found === "," ? ";" : found)))
    .join("\n");
  assert.deepEqual(readReadingsForm(`\uFEFF${semicolons}`, inputError), { plate: onWire, readings: expected });
  for (const [damaged, message] of [
    [empty.replace("exposure_s", "exposure"), /plate/],
    [filled.replace("17\r", "many\r"), /value of 1 in row 8 is "many"/],
    ["1;2;3", /first row/],
  ] as const)
    assert.throws(() => readReadingsForm(damaged, inputError), message);
});

test("what has no plate is refused, and nothing is written", async () => {
  const output = file("none.dlp");
  const refuse = (body: object, message: RegExp): Promise<void> =>
    refused("/v1/calibration/plate/", { ...COMBINATION, output_file: output, ...body }, "INPUT_ERROR", message);
  await refuse({ machine_type: "FORM-4-0", material_code: "FLGPGR05" }, /settings of their maker/);
  await refuse({ machine_type: "NONE-1" }, /No printer has the machine_type "NONE-1"/);
  await refuse({ material_code: "NONE" }, /material_code/);
  await refuse({ output_file: file("plate.goo") }, /\.dlp files/);
  await refuse({ form_file: file("plate.txt") }, /takes \.csv/);
  const binary = printerTypes().find(({ family, job }) => family === "resin" && JOB_WRITERS[job].greyLevels === 2);
  if (binary) await refuse({ machine_type: binary.machineType }, /black and white/);
  const untimed = printerTypes().find(({ job }) => job === "cxdlp-3")!;
  await refuse({ machine_type: untimed.machineType }, /response of the panel/);
  assert.ok(!existsSync(output));
});

longTest("plates of all printers take half an hour at most with usual exposures", () => {
  const slow: string[] = [];
  for (const type of printerTypes()) {
    if (type.family !== "resin" || type.job === "form" || type.job === "cxdlp-3" || type.job === "cxdlp-2") continue;
    if (JOB_WRITERS[type.job].greyLevels === 2) continue;
    const combination = { ...COMBINATION, machine_type: type.machineType };
    const { onWire, setting, plate } = newPlateJob(combination, 2.5);
    if (onWire.time_ratio < 4) slow.push(type.label);
    const profile = profileOf(setting);
    assert.ok(profile.family === "resin");
    const plain = { thicknessMm: 0.05, areaMm2: 0, perimeterMm: 0 };
    const timed = layerExposureS(profile, plate.levels.timed, plain);
    assert.ok(Math.abs(timed / onWire.exposure_s - onWire.time_ratio) < 1e-6);
  }
  // Their lifts alone take half an hour.
  assert.deepEqual(slow, ["Peopoly Phenom XXL", "Kelant S400"]);
});
