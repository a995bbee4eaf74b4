import assert from "node:assert/strict";
import { after, before } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { POWDER, type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

// The first row of cubes avoided the rounded corners of the chamber, and the next rows did not align with it: eight cubes in a layer
// instead of nine.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const cubes = async (count: number) => {
  const scene_id = await server.newScene(POWDER);
  const file = server.file("cube.stl", binaryStl(box([48, 48, 48])));
  for (let i = 0; i < count; i++) await server.importOne(scene_id, file);
  return scene_id;
};

longTest("nine cubes of 48 mm with a gap of 5 mm are in one layer", async () => {
  const scene_id = await cubes(9);
  bodyOf(await server.ask("auto-pack", { scene_id, model_spacing_mm: 5, packing_mode: "HEIGHT" }));
  for (const { position, in_bounds } of await server.models(scene_id)) {
    assert.ok(in_bounds);
    assert.ok(Math.abs(position.z - 24) < 1e-3, `${position.z} mm`);
  }
});

longTest("a chamber of 101 mm is filled with two layers of them", async () => {
  const scene_id = await cubes(1);
  bodyOf(await server.ask("fill-build-chamber", { scene_id, model_spacing_mm: 5, fill_to_height_mm: 101 }));
  assert.equal((await server.models(scene_id)).length, 18);
  const near = await server.ask("validate/interferences", { scene_id, collision_offset_mm: 5 });
  assert.deepEqual(bodyOf(near).interferences, []);
});
