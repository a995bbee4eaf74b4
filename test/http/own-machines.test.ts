import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { dirname, join } from "node:path";
import { runCommand } from "../fixture/command.ts";
import { readCtbFields } from "../fixture/job/read-ctb.ts";
import { readGooFields } from "../fixture/job/read-goo.ts";
import { ACME_ONE, ACME_TOUGH } from "../fixture/machines-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { until } from "../fixture/until.ts";
import { type Fakes, startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { assertRefused, bodyOf } from "../fixture/test-server.ts";

// Printers of the user, from files of --machines, on a server and in the shell.

const file = temporaryFiles();
const PLATE = file("plate.stl", binaryStl(box([8, 5, 0.3])));
const job = { format: "goo", extension: ".goo", machine_name: "ACME Air" } as const;
const AIR = { ...ACME_ONE, machine_type: "ACME-AIR", product_name: "Acme Air Pro", job, network: "SDCP" };
const SMALL_MARS = { ...ACME_ONE, machine_type: "ELEGOO-M5", maker: "Elegoo", product_name: "Elegoo Mars 5", job };
const OWN = file("own.json", JSON.stringify({ printers: [ACME_ONE, AIR], resins: [ACME_TOUGH] }));
const REPLACING = file("replacing.json", JSON.stringify({ printers: [SMALL_MARS] }));
const FOLDER = dirname(PLATE);
const LOG = join(FOLDER, "log");

let fakes: Fakes;
let printwright: Printwright;
before(async () => {
  fakes = await startSdcpFakes({ name: "Air", machineName: "ACME Air", resolution: "3840x2400" });
  const known = ["--printer", `sdcp://127.0.0.1:${fakes.printers[0].port}`];
  const virtual = ["--virtual-printer", "ACME-ONE=Bench", "--job-dir", FOLDER];
  const own = ["--machines", OWN, "--machines", REPLACING, "--log", LOG];
  printwright = await startPrintwright([...known, ...virtual, ...own]);
});
after(async () => {
  await printwright.stop();
  await fakes.stop();
});

const post = async (path: string, body: object) => bodyOf(await printwright.post(path, body));

test("own printers are in the list, last, and a replaced one has its new figures in its place", async () => {
  const { printer_types } = await post("/v1/print-setting/list/", {});
  const labels: string[] = printer_types.map(({ label }: { label: string }) => label);
  assert.deepEqual(labels.slice(-2), ["Acme One", "Acme Air Pro"]);
  const mars = printer_types.filter(({ label }: { label: string }) => label === "Elegoo Mars 5");
  assert.deepEqual(
    mars.map((type: any) => type.build_volume_dimensions_mm),
    [[192, 120, 200]],
  );
  const fields = { machine_type: "ACME-ONE", material_code: "GENERIC-RESIN", print_setting: "DEFAULT" };
  assert.deepEqual(await post("/v1/print-setting/validate/", fields), {
    valid: true,
    options: { layer_thicknesses_mm: [0.05, 0.1] },
  });
});

test("the job of an own printer has its pixels and its name", async () => {
  const setting = { machine_type: "ACME-ONE", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.1 };
  const { scene_id } = await post("/v1/scene/create/", setting);
  await post("/v1/scene/model/import/", { scene_id, file: PLATE });
  const path = join(FOLDER, "plate.ctb");
  await post("/v1/scene/export/", { scene_id, file: path });
  const { header, layers, slicer } = readCtbFields(readFileSync(path));
  assert.deepEqual([header.pixels, layers.length, slicer.machine], [[3840, 2400], 3, "ACME ONE"]);
});

/** What a .goo file states of its layers' cycles. */
const gooFacts = (path: string) => {
  const { header, layers } = readGooFields(readFileSync(path));
  const { exposureS, bottomExposureS, bottomLayers, transitionLayers, bottomWaits, waits, lights } = header;
  const motions = [header.bottomLift, header.lift, header.bottomRetract, header.retract, ...header.secondStages];
  return {
    exposures: [bottomExposureS, exposureS, bottomLayers, transitionLayers],
    waits: [bottomWaits, waits].map((one) => [one.beforeLiftS, one.afterLiftS, one.afterRetractS]),
    motions: motions.map(({ mm, mmPerMin }) => [mm, Math.round(mmPerMin)]),
    lights,
    layers: layers.map((layer) => layer.exposureS),
    gramsPerMl: (1000 * header.weightG) / header.volumeMm3,
  };
};

const TOUGH = { machine_type: "ACME-AIR", material_code: "ACME-TOUGH", layer_thickness_mm: 0.03 };

test("the job has every figure of an own resin, also after its print setting was saved and opened", async () => {
  const { scene_id } = await post("/v1/scene/create/", TOUGH);
  await post("/v1/scene/model/import/", { scene_id, file: PLATE });
  const [job, again, fps] = ["tough.goo", "again.goo", "tough.fps"].map((name) => join(FOLDER, name));
  assert.equal(await post("/v1/scene/export/", { scene_id, file: job }), undefined, "no loss is reported");
  const facts = gooFacts(job!);
  assert.deepEqual(facts.exposures, [31, 2.5, 5, 3]);
  assert.deepEqual(facts.waits, [
    [1, 2, 3],
    [0.5, 0.25, 1.5],
  ]);
  const first = [
    [6, 40],
    [3, 60],
    [8.5, 150],
    [5, 210],
  ];
  const second = [
    [5, 180],
    [4, 240],
    [2.5, 70],
    [2, 90],
  ];
  assert.deepEqual(facts.motions, [...first, ...second]);
  assert.deepEqual(facts.lights, [250, 200]);
  assert.deepEqual(facts.layers, [31, 31, 31, 31, 31, 23.875, 16.75, 9.625, 2.5, 2.5]);
  assert.ok(Math.abs(facts.gramsPerMl - 1.25) < 0.01);
  await post("/v1/print-setting/save/", { scene_id, file: fps });
  await post("/v1/scene/update/", {
    scene_id,
    machine_type: "ACME-ONE",
    material_code: "GENERIC-RESIN",
    layer_thickness_mm: 0.1,
  });
  await post("/v1/scene/update/", { scene_id, fps_file: fps });
  await post("/v1/scene/export/", { scene_id, file: again });
  assert.deepEqual(gooFacts(again!), facts);
});

test("a request changes figures of a resin, and the layers to a thickness of its own", async () => {
  const resin_settings = { exposure_s: 4, bottom_layers: 2, transition_layers: 0, lift2_mm: 0 };
  const body = { ...TOUGH, layer_thickness_mm: "0.06", resin_settings };
  const { scene_id, scene_settings } = await post("/v1/scene/create/", body);
  assert.equal(scene_settings.layer_thickness_mm, "0.06");
  await post("/v1/scene/model/import/", { scene_id, file: PLATE });
  const path = join(FOLDER, "own.goo");
  await post("/v1/scene/export/", { scene_id, file: path });
  const { layers, motions } = gooFacts(path);
  assert.deepEqual(layers, [48, 48, 4, 4, 4], "bottom layers keep their ratio to the others");
  assert.deepEqual(motions[1], [7, 70], "the lift is that of the printer");
  const wrong = { ...body, resin_settings: { wait_before_cure_s: 1, light_off_delay_s: 2, exposure_s: 0 } };
  assertRefused(
    await printwright.post("/v1/scene/create/", wrong),
    "JSON_SCHEMA_MATCH_ERROR",
    /"\/resin_settings\/exposure_s": must be above 0/,
  );
  const form4 = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1, resin_settings };
  assertRefused(await printwright.post("/v1/scene/create/", form4), "INPUT_ERROR", /are for open printers/);
});

test("an own printer of the network is known by the name of its machine, and virtual ones by their type", async () => {
  const list = async () => bodyOf(await printwright.call("GET", "/v1/device/list/")).devices;
  await until("both printers are connected", async () => (await list()).length === 2);
  assert.deepEqual((await list()).map((device: any) => device.product_name).toSorted(), ["Acme Air Pro", "Acme One"]);
});

test("the warning about a replaced printer is on standard error and in the log", () => {
  assert.match(printwright.output.stderr, /^Warning: ELEGOO-M5 of ".*replacing\.json" replaces the known one/);
  const line = readFileSync(LOG, "utf8")
    .split("\n")
    .find((one) => one.includes("replaced"));
  const { time: _time, ...event } = JSON.parse(line!);
  assert.deepEqual(event, { event: "machine data replaced", id: "ELEGOO-M5", file: REPLACING });
});

test("commands take own printers, complete them, and refuse a wrong file with status 2", async () => {
  const run = (...words: string[]) => runCommand(words, FOLDER);
  const sliced = await run("slice", PLATE, "--printer", "acme one", "--machines", OWN, "-o", "shell.ctb", "--quiet");
  assert.equal(sliced.status, 0, sliced.stderr);
  assert.equal(readCtbFields(readFileSync(join(FOLDER, "shell.ctb"))).slicer.machine, "ACME ONE");
  const listed = JSON.parse((await run("printers", "--maker", "acme", "--json", "--machines", OWN)).stdout);
  assert.deepEqual(
    listed.map((one: any) => one.machine_type),
    ["ACME-ONE", "ACME-AIR"],
  );
  assert.match((await run("completion", "bash", "--machines", OWN)).stdout, / ACME-ONE ACME-AIR"/);
  const wrong = await run("materials", "--printer", "ACME-ONE", "--machines", file("wrong.json", '{"printers": 1}'));
  assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /"\/printers": must be a list of objects, not 1\./);
  assert.equal((await run("--port", "0", "--machines", "missing.json")).status, 2);
});

test("commands take a resin of a file for the printers that it is for, and exposures in seconds", async () => {
  const run = (...words: string[]) => runCommand(words, FOLDER);
  const ini = file("blue.ini", "layer_height = 0.1\nexposure_time = 3\ninitial_exposure_time = 30\nfaded_layers = 1\n");
  const slice = async (...words: string[]) => {
    const own = ["--printer", "ACME-AIR", "--machines", OWN, "-o", "shell.goo", "--quiet"];
    const { status, stderr } = await run("slice", PLATE, ...own, ...words);
    assert.equal(status, 0, stderr);
    return gooFacts(join(FOLDER, "shell.goo"));
  };
  assert.deepEqual((await slice("--resin", ini, "--layer", "0.1")).layers, [30, 16.5, 3]);
  const ownThickness = await slice(
    "--exposure",
    "2s",
    "--bottom-exposure",
    "40",
    "--bottom-layers=1",
    "--layer",
    "0.075",
  );
  assert.deepEqual(ownThickness.exposures.slice(0, 3), [40, 2, 1]);
  assert.equal(ownThickness.layers.length, 4);
  const others = file("others.json", JSON.stringify({ ...ACME_TOUGH, code: "ACME-OTHER", printers: ["ELEGOO-M5"] }));
  const notForIt = await run("slice", PLATE, "--printer", "ELEGOO-M4", "--resin", others);
  assert.match(notForIt.stderr, /the resin of --resin is not for Elegoo Mars 4: name its material/);
  const form4 = await run("slice", PLATE, "--printer", "Form 4", "--exposure", "2", "-o", "form4.printjob");
  assert.deepEqual([form4.status, /are for open printers/.test(form4.stderr)], [2, true]);
  const wrong = await run("slice", PLATE, "--printer", "ELEGOO-M5", "--bottom-layers", "1.5");
  assert.match(wrong.stderr, /--bottom-layers must be a whole number, not 1\.5/);
});

test("the JSON Schema has each field with its description", async () => {
  const { stdout } = await runCommand(["printers", "--schema"], FOLDER);
  const { $schema, properties, additionalProperties } = JSON.parse(stdout);
  assert.deepEqual([$schema, additionalProperties], ["https://json-schema.org/draft/2020-12/schema", false]);
  const printer = properties.printers.items;
  const described = (schema: any): boolean =>
    Object.values(schema.properties).every(
      (field: any) => typeof field.description === "string" && (field.properties ? described(field) : true),
    );
  assert.ok(described(printer));
  assert.deepEqual(printer.required, Object.keys(ACME_ONE));
});
