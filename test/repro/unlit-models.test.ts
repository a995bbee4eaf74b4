import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { leavesNoPixel } from "../../src/slice/leaves-no-pixel.ts";
import { awaitOperation } from "../fixture/client.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, placed } from "../fixture/slices.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut, facetsOf, withFacets } from "../fixture/surface-edits.ts";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { POWDER, RESIN, type TestServer, assertRefused, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// A part thinner than half a layer became a job of one black layer, and a part that lit no pixel was not reported if other parts did.

const jobs = mkdtempSync(join(tmpdir(), "printwright-unlit-"));
let server: TestServer;
/** Files by their content. */
let files: Readonly<Record<string, string>>;
before(async () => {
  server = await openTestServer(["--virtual-printer", "FORM-4-0=Form", "--job-dir", jobs]);
  files = {
    foil: server.file("foil.stl", binaryStl(box([6, 6, 0.04]))),
    // Covers 0.2 % of a pixel of 50 µm, which gives the darkest grey.
    hair: server.file("hair.stl", binaryStl(box([0.002, 0.002, 1]))),
    sheet: server.file("sheet.stl", binaryStl(doubleSided())),
    cube: server.file("cube.stl", binaryStl(box([1, 1, 1]))),
    pin: server.file("pin.stl", binaryStl(box([0.1, 0.1, 0.06]))),
  };
});
after(async () => {
  await server.close();
  rmSync(jobs, { recursive: true });
});

/** A vertical square that encloses nothing: each facet has another one on its back. */
function doubleSided() {
  const cube = box([10, 10, 10]);
  const side = withFacets(
    cube,
    facetsOf(cube).filter((facet) => facet.every((vertex) => cube.vertices[3 * vertex] > 0)),
  );
  return concatenateSurfaces([side, insideOut(side)]);
}

async function sceneOf(names: readonly string[], combination = RESIN): Promise<string> {
  const scene_id = await server.newScene(combination);
  for (const name of names) await server.importOne(scene_id, files[name], { repair_behavior: "IGNORE" });
  return scene_id;
}

const print = (scene_id: string) =>
  server.printwright.post("/v1/scene/print/", { scene_id, printer: "Form", job_name: "job" });
const calculate = (scene_id: string) => server.printwright.post("/v1/scene/calculate-print-time/", { scene_id });
const exportJob = (scene_id: string, file: string, body: object = {}, query = "") =>
  server.printwright.post(`/v1/scene/export/${query}`, { scene_id, file, ...body });

for (const name of ["foil", "hair", "sheet"]) {
  test(`a ${name} that lights no pixel is refused`, async () => {
    const scene_id = await sceneOf([name]);
    assertRefused(
      await print(scene_id),
      "OPERATION_FAILED",
      new RegExp(`nothing to print of "${name}".*0\\.1 mm.*50 µm`),
    );
    assert.deepEqual(readdirSync(jobs), []);
    const file = join(server.folder, "nothing.printjob");
    assertRefused(await exportJob(scene_id, file), "OPERATION_FAILED", /nothing to print/);
    assert.ok(!existsSync(file));
    assertRefused(await calculate(scene_id), "OPERATION_FAILED", /nothing to print/);
  });
}

test("a model that is completely outside the volume has no time of slices", async () => {
  for (const scale of [1, 20]) {
    const scene_id = await sceneOf(["cube"], POWDER);
    bodyOf(await server.ask("scale", { scene_id, scale }));
    bodyOf(await server.ask("translate", { scene_id, position: { x: 0, y: 0, z: -50 } }));
    assertRefused(await calculate(scene_id), "OPERATION_FAILED", /"cube".*outside/);
  }
});

longTest("models that light no pixel are named if they are to be printed, and only then", async () => {
  const scene_id = await sceneOf(["foil", "cube", "hair", "pin"]);
  const { warnings, job_id } = bodyOf(await print(scene_id));
  assert.ok(job_id);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /^Nothing is printed of "foil", "hair": no pixel/);
  const time = bodyOf(await calculate(scene_id));
  assert.ok(time.printing_time_s > 0);
  assert.deepEqual(time.warnings, warnings);
  const [{ id: foil }, { id: cube }] = await server.models(scene_id);
  const file = join(server.folder, "plate.printjob");
  const { body } = await exportJob(scene_id, file, { model_ids: [cube] });
  assert.equal(body, undefined);
  const begun = await exportJob(scene_id, file, { model_ids: [cube, foil] }, "?async=true");
  const { result } = await awaitOperation(server.printwright, begun);
  assert.match(result.warnings[0], /"foil"/);
});

longTest("in powder, too, foils next to a cube are named", async () => {
  const scene_id = await sceneOf(["foil", "cube"], POWDER);
  const { warnings } = bodyOf(await exportJob(scene_id, join(server.folder, "powder.printjob")));
  assert.match(warnings[0], /"foil"/);
});

longTest("supports that light pixels are printed, with a warning about their foil", async () => {
  const scene_id = await sceneOf(["foil"], { ...RESIN, layer_thickness_mm: 0.025 });
  const settings = {
    raft_type: "FULL_RAFT",
    raft_thickness_mm: 1,
    height_above_raft_mm: 4.06,
    raft_label_enabled: false,
  };
  bodyOf(await server.ask("auto-support", { scene_id, ...settings }));
  bodyOf(await server.printwright.post("/v1/scene/update/", { scene_id, ...RESIN }));
  const [{ has_supports, bounding_box }] = await server.models(scene_id);
  assert.ok(has_supports, JSON.stringify(bounding_box));
  const { warnings } = bodyOf(await exportJob(scene_id, join(server.folder, "foil.printjob")));
  assert.match(warnings[0], /"foil"/);
});

test("a body lights no pixel if it covers less than half of the darkest grey", () => {
  const request = { boundariesMm: evenly(60, 0.1), grid: gridOf(20, 20, 1) };
  const stands = (mm: number) => ({
    ...request,
    placed: [placed(meshOf(box([mm, mm, 2])), { position: [0.5, 0.5, 3] })],
  });
  // Half of 1 / 255 of a pixel of 1 mm².
  assert.equal(leavesNoPixel(stands(0.043), noProgress), true);
  assert.equal(leavesNoPixel(stands(0.046), noProgress), false);
  const ball = { ...request, placed: [placed(meshOf(uvSphere(2)), { position: [0, 0, 3] })] };
  assert.equal(leavesNoPixel(ball, noProgress), false);
});
