import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { readPrintjob } from "../fixture/job/read-printjob.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, type TestServer, UNKNOWN_ID, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Interface supplement, section 8, "scene/export".

const PLATE_MM = [8, 5, 0.3] as const;
const jobs = mkdtempSync(join(tmpdir(), "printwright-export-"));
/** A virtual printer for each format of jobs. */
const PRINTERS = ["FORM-4-0", "PRUSA-SL1", "PRUSA-SL1S", "ELEGOO-M5U"];

let server: TestServer;
let plate: string;
before(async () => {
  server = await openTestServer([
    ...PRINTERS.flatMap((type) => ["--virtual-printer", `${type}=${type}`]),
    "--job-dir",
    jobs,
  ]);
  plate = server.file("plate.stl", binaryStl(box(PLATE_MM)));
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

const path = (name: string): string => join(server.folder, name);
const exportTo = (file: string, scene_id: string, body: object = {}, query = ""): Promise<Reply> =>
  server.printwright.post(`/v1/scene/export/${query}`, { scene_id, file, ...body });

/** A scene for a type of machine, in its first setting, with a plate. */
async function sceneFor(machineType: string): Promise<string> {
  const { printer_types } = bodyOf(await server.printwright.post("/v1/print-setting/list/", {}));
  const type = printer_types.find(({ supported_machine_type_ids: ids }: Reply["body"]) => ids.includes(machineType));
  const scene_id = await server.newScene(type.materials[0].material_settings[0].scene_settings);
  await server.importOne(scene_id, plate);
  return scene_id;
}

/** What a job prints: the pixels and exposures of its layers. */
const LAYERS_OF: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  printjob: (bytes) => readPrintjob(bytes).layers,
  sl1: (bytes) => readSl1(bytes).layers,
  sl1s: (bytes) => readSl1(bytes).layers,
  goo: (bytes) => readGoo(bytes).layers,
};

for (const [machineType, extension] of [
  ["FORM-4-0", "printjob"],
  ["PRUSA-SL1", "sl1"],
  ["PRUSA-SL1S", "sl1s"],
  ["ELEGOO-M5U", "goo"],
] as const) {
  test(`a .${extension} holds the layers that a virtual printer of ${machineType} gets`, async () => {
    const scene_id = await sceneFor(machineType);
    const known = new Set(readdirSync(jobs));
    bodyOf(await server.printwright.post("/v1/scene/print/", { scene_id, printer: machineType, job_name: "plate" }));
    const printed = readdirSync(jobs).find((name) => !known.has(name))!;
    const file = path(`job.${extension.toUpperCase()}`);
    assert.equal(bodyOf(await exportTo(file, scene_id)), undefined);
    const layersOf = LAYERS_OF[extension];
    assert.deepEqual(layersOf(readFileSync(file)), layersOf(readFileSync(join(jobs, printed))));
    const others = Object.keys(LAYERS_OF).filter((other) => other !== extension);
    for (const other of others) {
      const reply = await exportTo(path(`other.${other}`), scene_id);
      assertRefused(reply, "UNSUPPORTED_SCENE", new RegExp(`extension \\.${extension},`));
    }
  });
}

test("a job of named models prints these alone", async () => {
  const scene_id = await server.newScene(RESIN);
  const [a, b] = [await server.importOne(scene_id, plate), await server.importOne(scene_id, plate)];
  const far = { scene_id, model_ids: [b], position: { x: 500, y: 0, z: 0 }, mode: "ABSOLUTE" };
  bodyOf(await server.ask("translate", far));
  const file = path("some.printjob");
  assertRefused(await exportTo(file, scene_id), "OPERATION_FAILED", /"plate" is out of the build volume/);
  bodyOf(await exportTo(file, scene_id, { model_ids: [a] }));
  assert.deepEqual(readPrintjob(readFileSync(file)).manifest.models, ["plate"]);
});

test("what cannot be exported is refused, and leaves the file as it was", async () => {
  const empty = await server.newScene(RESIN);
  const full = await server.newScene(RESIN);
  await server.importOne(full, plate);
  const [stl, job] = [path("kept.stl"), path("kept.printjob")];
  for (const file of [stl, job]) writeFileSync(file, "kept");
  assertRefused(await exportTo(stl, empty), "OPERATION_FAILED", /no models to export/);
  assertRefused(await exportTo(job, empty), "OPERATION_FAILED", /nothing to print/);
  for (const file of [stl, job])
    assertRefused(await exportTo(file, full, { model_ids: [UNKNOWN_ID] }), "NOT_FOUND", /no model/);
  for (const file of [stl, job]) assert.equal(readFileSync(file, "utf8"), "kept");
  assertRefused(await exportTo(path("a.ply"), full), "INPUT_ERROR", /extension \.ply; this request takes \.stl, /);
  assertRefused(await exportTo("a.stl", full), "INPUT_ERROR", /not an absolute path/);
  assertRefused(await exportTo(path("missing/a.stl"), full), "OPERATION_FAILED", /missing/);
  assertRefused(await exportTo(path("missing/a.printjob"), full), "OPERATION_FAILED", /missing/);
});

test("an export runs as an operation too", async () => {
  const scene_id = await sceneFor("FORM-4-0");
  for (const name of ["later.stl", "later.printjob"]) {
    const begun = await exportTo(path(name), scene_id, {}, "?async=true");
    const { status } = await awaitOperation(server.printwright, begun);
    assert.equal(status, "SUCCEEDED");
    assert.ok(readFileSync(path(name)).length > 84);
  }
});
