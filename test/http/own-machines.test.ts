import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { dirname, join } from "node:path";
import { runCommand } from "../fixture/command.ts";
import { readCtbFields } from "../fixture/job/read-ctb.ts";
import { ACME_ONE } from "../fixture/machines-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { until } from "../fixture/sdcp-bench.ts";
import { type Fakes, startSdcpFakes } from "../fixture/sdcp-fake.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";

// Printers of the user, from files of --machines, on a server and in the shell.

const file = temporaryFiles();
const PLATE = file("plate.stl", binaryStl(box([8, 5, 0.3])));
const job = { format: "goo", extension: ".goo", machine_name: "ACME Air" } as const;
const AIR = { ...ACME_ONE, machine_type: "ACME-AIR", product_name: "Acme Air Pro", job, network: "SDCP" };
const SMALL_MARS = { ...ACME_ONE, machine_type: "ELEGOO-M5", maker: "Elegoo", product_name: "Elegoo Mars 5", job };
const OWN = file("own.json", JSON.stringify({ printers: [ACME_ONE, AIR] }));
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

test("an own printer of the network is known by the name of its machine, and virtual ones by their type", async () => {
  const list = async () => bodyOf(await printwright.call("GET", "/v1/device/list/")).devices;
  await until(async () => (await list()).length === 2, "both printers are connected");
  assert.deepEqual((await list()).map((device: any) => device.product_name).toSorted(), ["Acme Air Pro", "Acme One"]);
});

test("the warning about a replaced printer is on standard error and in the log", () => {
  assert.match(printwright.output.stderr, /^Warning: ELEGOO-M5 of ".*replacing\.json" replaces the known printer/);
  const line = readFileSync(LOG, "utf8")
    .split("\n")
    .find((one) => one.includes("replaced"));
  const { time: _time, ...event } = JSON.parse(line!);
  assert.deepEqual(event, { event: "printer data replaced", machine_type: "ELEGOO-M5", file: REPLACING });
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
