import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { readMachinesFile } from "../../src/catalog/machines-file.ts";
import { openPrinters } from "../../src/catalog/open-printers.ts";
import { lazy } from "../../src/core/memoize.ts";
import { must } from "../../src/core/must.ts";
import { inProcess } from "../fixture/in-process.ts";
import { readAnycubic } from "../fixture/job/read-anycubic.ts";
import type { Light, Picture } from "../fixture/print-quality/printed-edges.ts";
import { curedColumns } from "../fixture/print-quality/printed-solid.ts";
import { type HiddenPrinter, type PlatePictures, readPlate } from "../fixture/print-quality/read-plate.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { longTest } from "../fixture/long.ts";

const newFile = temporaryFiles();
const folder = dirname(newFile("folder", ""));
const { post, refused } = inProcess();

/** A panel of few pixels, mirrored, with 16 greys. */
const COMBINATION = { machine_type: "ANYCUBIC-ULTRA", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 };
const PIXEL_MM = 0.08;

const printPlate = lazy(async () => {
  const [job, form] = [join(folder, "plate.dlp"), join(folder, "plate.csv")];
  const reply = await post("/v1/calibration/plate/", {
    ...COMBINATION,
    exposure_s: 2.4,
    output_file: job,
    form_file: form,
  });
  const { layers } = readAnycubic(readFileSync(job));
  const plate: PlatePictures = {
    pictures: layers.map(({ picture }) => fromAbove(picture)),
    pixelMm: PIXEL_MM,
    layerMm: COMBINATION.layer_thickness_mm,
    exposures: layers.map(({ exposureS }) => exposureS / reply.plate.exposure_s),
  };
  return { plate, reply, form };
});

/** The machine takes its pictures mirrored left to right. */
function fromAbove({ width, height, pixels }: Picture): Picture {
  const turned = new Uint8Array(pixels.length);
  for (let row = 0; row < height; row++)
    turned.set(pixels.subarray(row * width, (row + 1) * width).toReversed(), row * width);
  return { width, height, pixels: turned };
}

const HIDDEN: HiddenPrinter = {
  penetrationMm: 0.14,
  exposureRatio: 2.9,
  exponent: 2.6,
  blurMm: 0.022,
  scale: [0.9955, 0.9964, 0.994],
};
/** Of a micrometer: 16 greys tell little by themselves. */
const READING_MM = 0.004;
/** With the rounding to 10 µm. */
const ERROR_MM = 0.006;
/** The same for each test, whichever ran before. */
const newNoise = () => ({ dose: 0.02, readingMm: READING_MM, random: randomFrom(33) });
const passing = Math.exp(-COMBINATION.layer_thickness_mm / HIDDEN.penetrationMm);

/** Reads the plate, and those patches again that contradict the others. */
async function consistentReadings(): Promise<{ patch: string; value: number }[]> {
  const { plate, reply } = await printPlate();
  const noise = newNoise();
  let readings = readPlate(plate, HIDDEN, noise, reply.readings);
  for (let times = 0; times < 8; times++) {
    const body = { plate: reply.plate, readings, resin_code: "ACME-TOUGH", reading_error_mm: ERROR_MM };
    const failure = await post("/v1/calibration/fit/", body).then(
      () => "",
      (error: Error) => error.message,
    );
    const doubtful = [...failure.matchAll(/(\w+) \([\d.]+, /g)].map(([, patch]) => patch!);
    const again = readPlate(
      plate,
      HIDDEN,
      noise,
      doubtful.map((patch) => ({ patch, measure: "" })),
    );
    readings = readings.map((one) => again.find(({ patch }) => patch === one.patch) ?? one);
    if (doubtful.length === 0) return readings;
  }
  throw new Error("Readings contradict each other after five corrections.");
}

/** Fills the values into a form, as a person does. */
function fill(form: string, values: readonly { readonly patch: string; readonly value: number }[]): void {
  const byPatch = new Map(values.map(({ patch, value }) => [patch, value]));
  const lines = readFileSync(form, "utf8").split("\r\n");
  const filled = lines.map((line) => {
    const value = byPatch.get(line.split(",")[0]!);
    return value === undefined || line.startsWith("plate") ? line : `${line}${Number(value.toFixed(3))}`;
  });
  writeFileSync(form, filled.join("\r\n"));
}

longTest("the figures of a simulated printer are found from its plate, and saved as those of the resin", async () => {
  const { reply, form } = await printPlate();
  assert.equal(reply.plate.time_ratio, 8);
  fill(form, await consistentReadings());
  const output = join(folder, "tough.json");
  const other = { code: "ACME-SOFT", name: "Acme Soft", settings: [{ layer_mm: 0.1, exposure_s: 9 }] };
  writeFileSync(output, JSON.stringify({ resins: [other] }));
  const body = { form_file: form, resin_code: "ACME-TOUGH", output_file: output, reading_error_mm: ERROR_MM };
  const { figures, machines, warnings } = await post("/v1/calibration/fit/", body);
  const truth: Record<string, number> = {
    exposure_s: (reply.plate.exposure_s * 1.3) / (HIDDEN.exposureRatio * passing),
    exposure_ratio: 1.3 / passing,
    penetration_mm: HIDDEN.penetrationMm,
    blur_mm: HIDDEN.blurMm,
    print_through_mm: HIDDEN.penetrationMm * Math.log(1.3 / (1 - passing)),
    scale_x: HIDDEN.scale[0],
    scale_y: HIDDEN.scale[1],
    scale_z: HIDDEN.scale[2],
    response_exponent: HIDDEN.exponent,
    dose_memory: 1,
  };
  for (const { name, value, standard_error } of figures) {
    if (truth[name] === undefined) continue;
    assert.ok(Math.abs(value - truth[name]) < 3 * standard_error, `${name}: ${value} ± ${standard_error}`);
  }
  const determined = new Set(figures.filter((one: any) => one.is_determined).map((one: any) => one.name));
  assert.deepEqual(
    Object.keys(truth).filter((name) => !determined.has(name)),
    [],
    "a micrometer tells even the height",
  );
  assert.deepEqual(warnings, []);
  const saved = readMachinesFile(output, openPrinters());
  assert.deepEqual(saved.resins[0], other);
  const [setting] = must(saved.resins[1], "The resin").settings;
  const figure = (name: string): number => figures.find((one: any) => one.name === name).value;
  assert.ok(Math.abs(setting!.exposure_s! - figure("exposure_s")) < 0.001);
  assert.ok(Math.abs(setting!.cure!.penetration_mm!.value - figure("penetration_mm")) < 1e-4);
  assert.match(setting!.cure!.exposure_ratio!.source, /plate with 1\d\d readings, exposed for 3 s, ± 0\.\d+/);
  assert.ok(Math.abs(setting!.correction![0] * figure("scale_x") - 1) < 2e-5);
  assert.ok(Math.abs(setting!.correction![2] * figure("scale_z") - 1) < 2e-5);
  assert.deepEqual(saved.resins[1]!.printers, ["ANYCUBIC-ULTRA"]);
  assert.ok(Math.abs((saved.printers[0]!.optics!.response.value as number) - figure("response_exponent")) < 0.001);
  assert.deepEqual(machines, JSON.parse(readFileSync(output, "utf8")));

  // Another layer thickness of the resin stays, and so does what the plate does not tell.
  const edited = structuredClone(machines);
  edited.resins[1].settings = [
    { layer_mm: 0.1, exposure_s: 5 },
    { ...setting, lift_mm: 4, exposure_s: 9 },
  ];
  writeFileSync(output, JSON.stringify(edited));
  await post("/v1/calibration/fit/", { ...body, resin_name: "Acme Tough" });
  const again = readMachinesFile(output, openPrinters()).resins[1]!;
  assert.equal(again.name, "Acme Tough");
  assert.deepEqual(again.settings, [
    { layer_mm: 0.1, exposure_s: 5 },
    { ...setting, lift_mm: 4 },
  ]);
  const shared = { ...edited, resins: [{ ...edited.resins[1], printers: undefined }] };
  writeFileSync(output, JSON.stringify(shared));
  await refused("/v1/calibration/fit/", body, "INPUT_ERROR", /other printers, too.*ACME-TOUGH-ANYCUBIC-ULTRA/);
});

test("readings that contradict the others are refused and named, and nothing is saved", async () => {
  const { reply } = await printPlate();
  const readings = await consistentReadings();
  const wrong = readings.map((one) => (one.patch === "29c" ? { ...one, value: one.value + 0.2 } : one));
  const body = {
    plate: reply.plate,
    readings: wrong,
    resin_code: "ACME-TOUGH",
    output_file: join(folder, "none.json"),
  };
  await refused("/v1/calibration/fit/", body, "OPERATION_FAILED", /contradict the others: 29c/);
  await refused(
    "/v1/calibration/fit/",
    { ...body, readings: [{ patch: "1", value: 46 }] },
    "INPUT_ERROR",
    /value of 1 is 46: it is a whole number up to 45/,
  );
  await refused(
    "/v1/calibration/fit/",
    { ...body, machine_type: "ELEGOO-M5" },
    "INPUT_ERROR",
    /of the machine ANYCUBIC-ULTRA/,
  );
  await refused("/v1/calibration/fit/", { ...body, resin_code: "GENERIC-RESIN" }, "INPUT_ERROR", /code of its own/);
  assert.throws(() => readFileSync(join(folder, "none.json")), /ENOENT/);
});

test("with some readings only, the figures that they do not tell are named", async () => {
  const { reply } = await printPlate();
  const all = await consistentReadings();
  const readings = all.filter(({ patch }) => Number.parseInt(patch, 10) <= 36);
  const body = { plate: { ...reply.plate }, readings, resin_code: "ACME-TOUGH", reading_error_mm: ERROR_MM };
  const { figures } = await post("/v1/calibration/fit/", body);
  const isDetermined = (name: string): boolean => figures.find((one: any) => one.name === name).is_determined;
  assert.deepEqual(["penetration_mm", "exposure_s"].filter(isDetermined), ["penetration_mm", "exposure_s"]);
  assert.deepEqual(["blur_mm", "edge_growth_mm", "scale_x", "scale_y"].filter(isDetermined), []);
  assert.match(figures.find((one: any) => one.name === "scale_x").needs, /along x/);
  // All towers stand: they tell nothing.
  const towers = ["1", "4", "6"].map((patch) => ({ patch, value: 45 }));
  const { warnings } = await post("/v1/calibration/fit/", { ...body, readings: towers });
  assert.match(warnings[0], /parts of 1, 4, 6 are there/);
});

test("the closed forms of what is read are those of the simulated solid", async () => {
  const { plate, reply } = await printPlate();
  const exact = { dose: 0, readingMm: 0, random: randomFrom(1) };
  const hidden = { ...HIDDEN, scale: [1, 1, 1] as const };
  const read = new Map(
    readPlate(plate, hidden, exact, reply.readings).map(({ patch, value }) => [patch, value] as const),
  );
  const light: Light = { doseOf: (grey) => (grey / 255) ** hidden.exponent, blurPx: hidden.blurMm / PIXEL_MM };
  const boundariesMm = Array.from({ length: plate.pictures.length + 1 }, (_, k) => 0.05 * k);
  const job = { pictures: plate.pictures, boundariesMm, exposures: plate.exposures };
  const columnOf = (mm: number): number => mm / PIXEL_MM + 640;
  const rowOf = (mm: number): number => 360 - mm / PIXEL_MM;
  // The middles of the bridges of row 28.
  const xs = Array.from({ length: 7 }, (_, place) => columnOf(22.4 + 3 * place + 1.2));
  const bridges = curedColumns(job, light, hidden, xs, [rowOf(22.7 - 1.45)]);
  assert.ok(["28a", "28b", "28c", "28d"].every((patch) => read.has(patch)));
  for (let place = 0; place < 7; place++) {
    const [from, to] = bridges(place, 0).at(-1)!;
    const patch = `28${"abcdefg"[place]}`;
    if (!read.has(patch)) continue; // too dark for its layers to hold together
    assert.ok(Math.abs(to - from - read.get(patch)!) < 0.0051, `${patch}: ${to - from} ${read.get(patch)}`);
  }
  // The left edge of the first post of the front line, at the height where its upper part begins.
  const edges = Array.from({ length: 41 }, (_, k) => -45.6 - 0.05 + 0.0025 * k);
  const corner = curedColumns(job, light, hidden, edges.map(columnOf), [rowOf(-25.8)]);
  const zMm = boundariesMm.at(-20)! - 1e-6;
  const outer = edges.find((_, k) => corner(k, 0).some(([from, to]) => from <= zMm && zMm <= to))!;
  const growthMm = (read.get("43c")! - 91.2) / 2;
  assert.ok(Math.abs(-45.6 - outer - growthMm) < 0.006, `${-45.6 - outer} ${growthMm}`);
});
