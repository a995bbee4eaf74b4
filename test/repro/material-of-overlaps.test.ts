import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { readManifest } from "../fixture/job/read-printjob.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, RESIN, type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// Overlaps were counted once in a job, but as often as they overlap in material_usage.

const jobs = mkdtempSync(join(tmpdir(), "printwright-overlaps-"));
let server: TestServer;
let cube: string;
before(async () => {
  server = await openTestServer(["--virtual-printer", "FORM-4-0=Form", "--job-dir", jobs]);
  cube = server.file("cube.stl", binaryStl(box([10, 10, 10])));
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

const usage = async (scene_id: string) => (await server.scene(scene_id)).material_usage;

async function sceneOfCubes(places: readonly (readonly [number, number])[], combination = RESIN): Promise<string> {
  const scene_id = await server.newScene(combination);
  for (const [x, y] of places) {
    const id = await server.importOne(scene_id, cube);
    bodyOf(await server.ask("translate", { scene_id, model_ids: [id], position: { x, y, z: 20 } }));
  }
  return scene_id;
}

function near(actual: number, expected: number, share: number): void {
  assert.ok(Math.abs(actual - expected) <= share * expected, `${actual} is not ${expected}`);
}

test("models that overlap count once, in every answer about material", async () => {
  const scene_id = await sceneOfCubes([
    [0, 0],
    [5, 0],
    [60, 40],
  ]);
  const found = await usage(scene_id);
  near(found.volume_ml, 2.5, 1e-9);
  near(found.unsupported_volume_ml, 2.5, 1e-9);
  const { scenes } = bodyOf(await server.printwright.call("GET", "/v1/scene/list/"));
  assert.deepEqual(scenes.find(({ id }: { id: string }) => id === scene_id).material_usage, found);
  const { material_usage, models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  assert.deepEqual(material_usage, found);
  for (const { volume_ml } of models) near(volume_ml, 1, 1e-9);
});

test("copies at one place count as one, and touching models count as two", async () => {
  const scene_id = await sceneOfCubes([[0, 0]]);
  bodyOf(await server.ask("duplicate", { scene_id, count: 500 }));
  near((await usage(scene_id)).volume_ml, 1, 1e-9);
  near(
    (
      await usage(
        await sceneOfCubes([
          [0, 0],
          [10, 0],
        ]),
      )
    ).volume_ml,
    2,
    1e-9,
  );
});

longTest("the supports of copies at one place count once", async () => {
  const scene_id = await sceneOfCubes([[0, 0]]);
  bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false }));
  const one = await usage(scene_id);
  assert.ok(one.volume_ml > 1.1);
  bodyOf(await server.ask("duplicate", { scene_id, count: 5 }));
  const copies = await usage(scene_id);
  near(copies.volume_ml, one.volume_ml, 1e-9);
  near(copies.unsupported_volume_ml, one.unsupported_volume_ml, 1e-9);
});

test("a body that a file contains twice counts once under IGNORE", async () => {
  const scene_id = await server.newScene();
  const twice = server.file("twice.stl", binaryStl(concatenateSurfaces([box([10, 10, 10]), box([10, 10, 10])])));
  await server.importOne(scene_id, twice, { repair_behavior: "IGNORE" });
  near((await usage(scene_id)).volume_ml, 1, 1e-6);
});

longTest("powder counts as sintered once if models overlap", async () => {
  const scene_id = await sceneOfCubes(
    [
      [0, 0],
      [2, 0],
    ],
    POWDER,
  );
  near((await usage(scene_id)).total_sintered_powder_ml, 1.2, 1e-9);
});

longTest("overlapping bodies of one model count once, also after the project is opened again", async () => {
  const pair = concatenateSurfaces([box([10, 10, 10]), moved(box([10, 10, 10]), [5, 0, 0])]);
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("pair.stl", binaryStl(pair)));
  near((await usage(scene_id)).volume_ml, 1.5, 1e-3);
  const file = join(server.folder, "pair.form");
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const { scenes } = bodyOf(await server.printwright.post("/v1/scene/open/", { file }));
  assert.deepEqual(await usage(scenes[0].scene_id), await usage(scene_id));
});

longTest("material_usage equals that of the job, also with supports that reach into models", async () => {
  const scene_id = await server.newScene();
  const ball = server.file("ball.stl", binaryStl(uvSphere(3)));
  const ids = [await server.importOne(scene_id, ball), await server.importOne(scene_id, ball)];
  bodyOf(await server.ask("translate", { scene_id, model_ids: [ids[1]], position: { x: 4.5, y: 0, z: 0 } }));
  const settings = { raft_label_enabled: false, touchpoint_size_mm: 1.5, height_above_raft_mm: 2 };
  bodyOf(await server.ask("auto-support", { scene_id, ...settings }));
  const { volume_ml, unsupported_volume_ml } = await usage(scene_id);
  bodyOf(await server.printwright.post("/v1/scene/print/", { scene_id, printer: "Form", job_name: "two balls" }));
  const [job] = readdirSync(jobs);
  const { totals } = readManifest(readFileSync(join(jobs, job)));
  near(volume_ml, (totals as { material_ml: number }).material_ml, 2e-3);
  assert.ok(unsupported_volume_ml < volume_ml);
});
