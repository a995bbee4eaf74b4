import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { unzipSync } from "fflate";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import { longTest, sampledTests } from "../fixture/long.ts";
import { readManifest } from "../fixture/job/read-printjob.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, type TestServer, UNKNOWN_ID, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";

// Interface supplement, section 8, "scene/export".

const PLATE_MM = [8, 5, 0.3] as const;
const jobs = mkdtempSync(join(tmpdir(), "printwright-export-"));
/** A machine for each job format. */
const MACHINES = [
  ["FORM-4-0", "printjob"],
  ["PRUSA-SL1", "sl1"],
  ["ELEGOO-M5U", "goo"],
  ["PRUSA-SL1S", "sl1s"],
] as const;

let server: TestServer;
let plate: string;
before(async () => {
  server = await openTestServer([
    ...MACHINES.flatMap(([type]) => ["--virtual-printer", `${type}=${type}`]),
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

/** The printed content of a job, without its id and the time of its making: the pictures of a zip, or the layers and previews. */
function picturesOf(extension: string, bytes: Uint8Array): unknown {
  if (extension === "goo") return hashOf(bytes.subarray(GOO_TIME_END));
  const entries = Object.entries(unzipSync(bytes)).filter(([name]) => name.endsWith(".png"));
  assert.ok(entries.length > 3, `${entries.length} pictures`);
  return entries.map(([name, content]) => `${name} ${hashOf(content)}`);
}

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The time is the fifth field of the head, see `src/job/goo/goo-writer.ts`. */
const GOO_TIME_END = 92;
for (const [[machineType, extension], testOne] of sampledTests(MACHINES, 2)) {
  testOne(`a .${extension} holds the layers that a virtual printer of ${machineType} gets`, async () => {
    const scene_id = await sceneFor(machineType);
    const known = new Set(readdirSync(jobs));
    bodyOf(await server.printwright.post("/v1/scene/print/", { scene_id, printer: machineType, job_name: "plate" }));
    const printed = readdirSync(jobs).find((name) => !known.has(name))!;
    const file = path(`plate.${extension.toUpperCase()}`);
    assert.equal(bodyOf(await exportTo(file, scene_id)), undefined);
    const [exported, sent] = [file, join(jobs, printed)].map((job) => picturesOf(extension, readFileSync(job)));
    assert.deepEqual(exported, sent);
    for (const [, other] of MACHINES.filter((machine) => machine[1] !== extension)) {
      const reply = await exportTo(path(`other.${other}`), scene_id);
      assertRefused(reply, "UNSUPPORTED_SCENE", new RegExp(`extension \\.${extension},`));
    }
  });
}

const FORMATS = ["stl", "obj", "3mf", "glb"];

/** The facets of a file after its import into a new scene, and the names of its models. */
async function importedAgain(file: string): Promise<{ names: string[]; facets: number; volumeMl: number }> {
  const scene_id = await server.newScene(RESIN);
  bodyOf(await server.import(scene_id, file, { units: "DETECTED", split_multi_model_file: true }));
  const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  const sum = (key: string): number => models.reduce((total: number, model: Reply["body"]) => total + model[key], 0);
  return {
    names: models.map(({ name }: Reply["body"]) => name),
    facets: sum("triangle_count"),
    volumeMl: sum("volume_ml"),
  };
}

longTest("models are exported with their supports, and every format is imported again at the same place", async () => {
  const scene_id = await server.newScene(RESIN);
  const ball = server.file("ball.stl", binaryStl(uvSphere(6, 24, 12)));
  const [a, b] = [await server.importOne(scene_id, ball), await server.importOne(scene_id, ball, { name: "second" })];
  bodyOf(await server.ask("translate", { scene_id, model_ids: [b], position: { x: 30, y: 20, z: 0 } }));
  bodyOf(await server.ask("auto-support", { scene_id, model_ids: [a], only_minima: true }));
  const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  const [{ volume_ml, support_volume_ml, triangle_count }] = models;
  assert.ok(support_volume_ml > 0);
  for (const extension of FORMATS) {
    const [all, bare, one] = ["all", "bare", "one"].map((name) => path(`${name}.${extension}`));
    assert.equal(bodyOf(await exportTo(all, scene_id)), undefined);
    bodyOf(await exportTo(bare, scene_id, { include_supports: false }));
    bodyOf(await exportTo(one, scene_id, { model_ids: [b], include_supports: false }));
    const found = await importedAgain(all);
    const hasObjects = extension === "3mf" || extension === "glb";
    if (hasObjects) assert.deepEqual(found.names, ["all ball", "all ball supports", "all second"]);
    const expectedMl = 2 * volume_ml + support_volume_ml;
    assert.ok(
      Math.abs(found.volumeMl / expectedMl - 1) < 1e-3,
      `${found.volumeMl} of ${expectedMl} ml in ${extension}`,
    );
    assert.equal((await importedAgain(bare)).facets, 2 * triangle_count);
    const alone = await server.newScene(RESIN);
    const again = await server.importOne(alone, one, { units: "DETECTED" });
    const [[was], [is]] = [await server.models(scene_id, [b]), await server.models(alone, [again])];
    for (const corner of ["min_corner", "max_corner"])
      for (const axis of ["x", "y", "z"])
        assert.ok(Math.abs(is.bounding_box[corner][axis] - was.bounding_box[corner][axis]) < 1e-4, extension);
  }
});

test("a job of named models prints only these", async () => {
  const scene_id = await server.newScene(RESIN);
  const [a, b] = [await server.importOne(scene_id, plate), await server.importOne(scene_id, plate)];
  const far = { scene_id, model_ids: [b], position: { x: 500, y: 0, z: 0 }, mode: "ABSOLUTE" };
  bodyOf(await server.ask("translate", far));
  const file = path("some.printjob");
  assertRefused(await exportTo(file, scene_id), "OPERATION_FAILED", /"plate" is out of the build volume/);
  bodyOf(await exportTo(file, scene_id, { model_ids: [a] }));
  assert.deepEqual(readManifest(readFileSync(file)).models, ["plate"]);
});

test("an export that is not possible is refused, and leaves the old file unchanged", async () => {
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
  assertRefused(await exportTo(path("a.form"), full), "INPUT_ERROR", /project: write it with \/v1\/scene\/save\//);
  assertRefused(await exportTo("a.stl", full), "INPUT_ERROR", /not an absolute path/);
  assertRefused(await exportTo(path("missing/a.stl"), full), "OPERATION_FAILED", /missing/);
  assertRefused(await exportTo(path("missing/a.printjob"), full), "OPERATION_FAILED", /missing/);
});

longTest("an export runs as an operation too", async () => {
  const scene_id = await sceneFor("FORM-4-0");
  for (const name of ["later.stl", "later.printjob"]) {
    const begun = await exportTo(path(name), scene_id, {}, "?async=true");
    const { status } = await awaitOperation(server.printwright, begun);
    assert.equal(status, "SUCCEEDED");
    assert.ok(readFileSync(path(name)).length > 84);
  }
});
