import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { longTest } from "../fixture/long.ts";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { readManifest, readPrintjob } from "../fixture/job/read-printjob.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { POWDER, RESIN, UNKNOWN_ID, UUID, assertRefused, bodyOf } from "../fixture/test-server.ts";

// Interface supplement, section 5, "scene/print"; the archives are read by independent readers.

const file = temporaryFiles();
const SIZE_MM = [8, 5, 0.3] as const;
const PLATE = file("plate.stl", binaryStl(box(SIZE_MM)));
const jobs = mkdtempSync(join(tmpdir(), "printwright-print-"));

const PRINTERS = [
  "FORM-4-0=Form",
  "FS30-1-0=Fuse",
  "PRUSA-SL1=One",
  "PRUSA-SL1S=OneS",
  "ELEGOO-M5U=Mars",
  "FORM-3-0=Laser",
];

let printwright: Printwright;
before(async () => {
  const printers = PRINTERS.flatMap((printer) => ["--virtual-printer", printer]);
  printwright = await startPrintwright([...printers, "--job-dir", jobs]);
});
after(async () => {
  await printwright.stop();
  rmSync(jobs, { recursive: true });
});

const post = (path: string, body: object): Promise<Reply> => printwright.post(path, body);
const print = (scene_id: string, body: object): Promise<Reply> =>
  post("/v1/scene/print/", { scene_id, job_name: "a plate", find_printer_timeout_seconds: 0, ...body });

async function newScene(combination: object): Promise<string> {
  return bodyOf(await post("/v1/scene/create/", combination)).scene_id;
}

async function sceneOfPlate(combination: object): Promise<string> {
  const scene_id = await newScene(combination);
  bodyOf(await post("/v1/scene/model/import/", { scene_id, file: PLATE }));
  return scene_id;
}

/** The bytes of the only file that the job made. */
async function jobOf(scene_id: string, printer: string, extension: string): Promise<Uint8Array> {
  const before = new Set(readdirSync(jobs));
  const { job_id } = bodyOf(await print(scene_id, { printer }));
  assert.match(job_id, UUID);
  const made = readdirSync(jobs).filter((name) => !before.has(name));
  assert.deepEqual(made, [`a plate-${job_id.slice(0, 8)}${extension}`]);
  return readFileSync(join(jobs, made[0]));
}

/** Covered area of a layer; greys count as shares of a pixel. */
const areaMm2 = ({ pixels }: Pick<GreyPicture, "pixels">, [x, y]: readonly [number, number]): number =>
  (pixels.reduce((sum, value) => sum + value, 0) / 255) * x * y;

function assertPlate(
  layers: readonly Pick<GreyPicture, "pixels">[],
  thicknessMm: number,
  pixelMm: readonly [number, number],
): void {
  assert.equal(layers.length, Math.ceil(SIZE_MM[2] / thicknessMm - 1e-6));
  for (const layer of layers) {
    const area = areaMm2(layer, pixelMm);
    assert.ok(Math.abs(area - SIZE_MM[0] * SIZE_MM[1]) < 0.02, `${area} mm²`);
  }
}

test("a Form prints from this program's own archive format", async () => {
  const { manifest, layers } = readPrintjob(await jobOf(await sceneOfPlate(RESIN), "Form", ".printjob"));
  assertPlate(layers, 0.1, [0.05, 0.05]);
  assert.equal(manifest.job_name, "a plate");
  assert.deepEqual(manifest.models, ["plate"]);
  assert.deepEqual(
    manifest.layers.map(({ z_top_mm }) => Math.round(z_top_mm * 1e6) / 1e6),
    [0.1, 0.2, 0.3],
  );
  const { material_ml } = manifest.totals as { material_ml: number };
  assert.ok(Math.abs(material_ml - 0.012) < 1e-6, `${material_ml} ml`);
});

test("a Fuse prints from the same archive format, and its powder has no exposures", async () => {
  const { manifest, layers } = readPrintjob(await jobOf(await sceneOfPlate(POWDER), "Fuse", ".printjob"));
  assertPlate(layers, 0.11, [0.1, 0.1]);
  assert.ok(manifest.layers.every((layer) => !("exposure_s" in layer)));
});

longTest("each layer of a laser printer has a positive exposure", async () => {
  const scene_id = await sceneOfPlate({ machine_type: "FORM-3-1", material_code: "FLGPBK04", layer_thickness_mm: 0.1 });
  const manifest = readManifest(await jobOf(scene_id, "Laser", ".printjob"));
  const exposures = manifest.layers.map((layer) => (layer as unknown as { exposure_s: number }).exposure_s);
  assert.ok(exposures.every((seconds) => seconds > 0));
});

test("a printer accepts scenes of each printer type that lists its machine type, and no others", async () => {
  const { printer_types } = bodyOf(await post("/v1/print-setting/list/", {}));
  const sceneOf = ({ materials }: Reply["body"]) => sceneOfPlate(materials[0].material_settings[0].scene_settings);
  for (const type of printer_types.slice(0, 5)) {
    const reply = await print(await sceneOf(type), { printer: "Laser" });
    if (type.supported_machine_type_ids.includes("FORM-3-0")) assert.match(bodyOf(reply).job_id, UUID);
    else assertRefused(reply, "UNSUPPORTED_SCENE", /FORM-3-1, FRMB-3-1/);
  }
});

for (const [printer, other, machine_type, model, extension, pixelMm] of [
  ["One", "OneS", "PRUSA-SL1", "SL1", ".sl1", [120.96 / 2560, 68.04 / 1440]],
  ["OneS", "One", "PRUSA-SL1S", "SL1S", ".sl1s", [128 / 2560, 81 / 1620]],
] as const) {
  test(`only a ${machine_type} prints from ${extension}, which names the machine`, async () => {
    const scene_id = await sceneOfPlate(await openSetting(machine_type, 0.05));
    const { config, settings, layers, names } = readSl1(await jobOf(scene_id, printer, extension));
    assertPlate(layers, 0.05, pixelMm);
    assert.equal(config.layerHeight, "0.05");
    assert.deepEqual([config.printerModel, settings.printer_model], [model, model]);
    assertRefused(await print(scene_id, { printer: other }), "UNSUPPORTED_SCENE", new RegExp(`${machine_type}:`));
    assert.equal(Number(config.numFast) + Number(config.numSlow), layers.length);
    // The display of the machine is upright: x runs downward in the picture.
    assert.equal(settings.display_orientation, "portrait");
    assert.equal(Number(settings.display_pixels_x), layers[0].height);
    assert.equal(Number(settings.display_pixels_y), layers[0].width);
    const { total_print_time_s } = bodyOf(await post("/v1/scene/calculate-print-time/", { scene_id }));
    // Times in answers are rounded to tenths of seconds.
    assert.ok(Math.abs(Number(config.printTime) - total_print_time_s) < 0.06);
    assert.ok(names.includes("thumbnail/thumbnail400x400.png") && names.includes("thumbnail/thumbnail800x480.png"));
  });
}

longTest("an Elegoo prints from .goo, mirrored", async () => {
  const scene_id = await sceneOfPlate(await openSetting("ELEGOO-M5U", 0.1));
  const [model] = bodyOf(await post("/v1/scene/model/list/", { scene_id })).models;
  const position = { x: 30, y: 10, z: 0 };
  bodyOf(await post("/v1/scene/model/translate/", { scene_id, model_ids: [model.id], position }));
  const { header, layers } = readGoo(await jobOf(scene_id, "Mars", ".goo"));
  assertPlate(
    layers.map(({ picture }) => picture),
    0.1,
    [153.36 / 8520, 77.76 / 4320],
  );
  assert.deepEqual(header.mirror, [1, 0]);
  assert.equal(header.layerCount, 3);
  assert.ok(Math.abs(header.volumeMm3 - 12) < 0.01);
  // The plate is at x = 30 seen from above, so left of the middle of the mirrored picture; y = 10 is towards its top.
  const [width, height] = header.pixels;
  const first = layers[0].picture.pixels.findIndex((value) => value > 0);
  assert.ok(first % width < width / 2 - (26 / 153.36) * width, `column ${first % width}`);
  assert.ok(Math.floor(first / width) < height / 2, `row ${Math.floor(first / width)}`);
});

async function openSetting(machine_type: string, layer_thickness_mm: number): Promise<object> {
  const { printer_types } = bodyOf(await post("/v1/print-setting/list/", {}));
  const settings = printer_types
    .filter(({ supported_machine_type_ids }: Reply["body"]) => supported_machine_type_ids.includes(machine_type))
    .flatMap(({ materials }: Reply["body"]) => materials)
    .flatMap(({ material_settings }: Reply["body"]) => material_settings)
    .map(({ scene_settings }: Reply["body"]) => scene_settings);
  return settings.find((setting: Reply["body"]) => setting.layer_thickness_mm === layer_thickness_mm);
}

longTest("models at the same place are printed once", async () => {
  const scene_id = await sceneOfPlate(RESIN);
  bodyOf(await post("/v1/scene/model/duplicate/", { scene_id, count: 3 }));
  assertPlate(readPrintjob(await jobOf(scene_id, "Form", ".printjob")).layers, 0.1, [0.05, 0.05]);
});

test("an unknown printer is 404 after the search time", async () => {
  const scene_id = await sceneOfPlate(RESIN);
  assertRefused(await print(scene_id, { printer: "Nobody" }), "NOT_FOUND", /Nobody/);
  assertRefused(await print(scene_id, { printer: UNKNOWN_ID }), "NOT_FOUND", /login/);
});

test("a printer that does not serve the scene's machine type is 422", async () => {
  assertRefused(await print(await sceneOfPlate(RESIN), { printer: "Fuse" }), "UNSUPPORTED_SCENE", /FORM-4-0/);
});

test("an empty scene and models out of bounds are OPERATION_FAILED", async () => {
  const scene_id = await newScene(RESIN);
  assertRefused(await print(scene_id, { printer: "Form" }), "OPERATION_FAILED", /nothing to print/);
  bodyOf(await post("/v1/scene/model/import/", { scene_id, file: PLATE, name: "the far one" }));
  const position = { x: 99, y: 0, z: 0 };
  bodyOf(await post("/v1/scene/model/translate/", { scene_id, position }));
  assertRefused(await print(scene_id, { printer: "Form" }), "OPERATION_FAILED", /the far one.*out of the build/);
});

for (const [what, body, pointer] of [
  ["without a name", { job_name: undefined }, "/job_name"],
  ["with an empty name", { job_name: "" }, "/job_name"],
  ["with a name that is none", { job_name: 7 }, "/job_name"],
  ["to nobody", { printer: undefined }, "/printer"],
  ["with a time that is too long", { find_printer_timeout_seconds: 601 }, "/find_printer_timeout_seconds"],
  ["with a time that is not whole", { find_printer_timeout_seconds: 0.5 }, "/find_printer_timeout_seconds"],
  ["with a flag that is none", { print_now: "yes" }, "/print_now"],
  ["with a field that is unknown", { copies: 2 }, "/copies"],
] as const) {
  test(`a job ${what} is a schema error`, async () => {
    const scene_id = await newScene(RESIN);
    const message = new RegExp(pointer);
    assertRefused(await print(scene_id, { printer: "Form", ...body }), "JSON_SCHEMA_MATCH_ERROR", message);
  });
}

longTest(
  "with print_now the job passes through the states of its printer, which accepts no other job meanwhile",
  async () => {
    const scene_id = await sceneOfPlate({
      machine_type: "FORM-3-1",
      material_code: "FLGPBK04",
      layer_thickness_mm: 0.1,
    });
    const laser = async (): Promise<Reply["body"]> =>
      bodyOf(await printwright.call("GET", "/v1/device/list/", { devices: ["Laser"] })).devices[0];
    assert.equal((await laser()).ready_to_print_now, true);
    bodyOf(await print(scene_id, { printer: "Laser", print_now: true }));
    const printing = await laser();
    assert.equal(printing.ready_to_print_now, false);
    assert.ok(printing.estimated_print_time_remaining_ms > 0);
    assertRefused(await print(scene_id, { printer: "Laser", print_now: true }), "OPERATION_FAILED", /Laser/);
    bodyOf(await print(scene_id, { printer: "Laser" }));
    const until = performance.now() + 30_000;
    while (!(await laser()).ready_to_print_now) {
      assert.ok(performance.now() < until, "it never gets ready again");
      await sleep(100);
    }
    assert.equal((await laser()).estimated_print_time_remaining_ms, 0);
  },
);

test("a job runs in the background, and its progress is that of the slices", async () => {
  const scene_id = await sceneOfPlate(RESIN);
  const body = { scene_id, printer: "Form", job_name: "later" };
  const operation = await awaitOperation(printwright, await printwright.post("/v1/scene/print/?async=true", body));
  assert.equal(operation.status, "SUCCEEDED");
  assert.match(operation.result.job_id, UUID);
});
