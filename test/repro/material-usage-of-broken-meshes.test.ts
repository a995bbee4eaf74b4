import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { facetsOf, insideOut, moved, withFacets } from "../fixture/surface-edits.ts";
import { RESIN, type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// For meshes imported with IGNORE, the material was the signed volume of the facets: half of the true volume, or 0.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

async function volumeMl(scene_id: string): Promise<number> {
  return (await server.scene(scene_id)).material_usage.volume_ml;
}

async function sceneOf(file: string): Promise<string> {
  const scene_id = await server.newScene(RESIN);
  await server.importOne(scene_id, file, { repair_behavior: "IGNORE" });
  return scene_id;
}

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 0.01, `${actual} is not ${expected}`);

test("the material of a mesh with gaps or turned facets is that of the solid", async () => {
  near(await volumeMl(await sceneOf(corpus("gen-65004-holes12.stl"))), 12.8906);
  near(await volumeMl(await sceneOf(corpus("gen-472042-flip30.stl"))), 156.2035);
  const open = withFacets(box([10, 10, 10]), facetsOf(box([10, 10, 10])).slice(1));
  near(await volumeMl(await sceneOf(server.file("open.stl", binaryStl(open)))), 1);
});

test("inside-out bodies count in the material usage like others, also scaled, in other units, and after opening", async () => {
  const two = concatenateSurfaces([
    moved(box([10, 10, 10]), [-10, 0, 0]),
    insideOut(moved(box([10, 10, 10]), [10, 0, 0])),
  ]);
  const scene_id = await sceneOf(server.file("two.stl", binaryStl(two)));
  near(await volumeMl(scene_id), 2);
  bodyOf(await server.ask("scale", { scene_id, scale: 0.5 }));
  near(await volumeMl(scene_id), 0.25);
  const file = join(server.folder, "two.form");
  bodyOf(await server.printwright.post("/v1/scene/save/", { scene_ids: [scene_id], file }));
  const { scenes } = bodyOf(await server.printwright.post("/v1/scene/open/", { file }));
  near(await volumeMl(scenes[0].scene_id), 0.25);
  bodyOf(await server.ask("update", { scene_id, units: "INCHES" }));
  near(await volumeMl(scene_id), 0.25 * 25.4 ** 3);
});
