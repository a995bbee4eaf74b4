import assert from "node:assert/strict";
import { after, before } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { type TestServer, assertNear, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

longTest("the bodies of a hollowed model are hollowed again from their solids, not into their walls", async () => {
  const scene_id = await server.newScene();
  const pair = concatenateSurfaces([box([12, 12, 12]), moved(box([12, 12, 12]), [20, 0, 0])]);
  await server.importOne(scene_id, server.file("pair.stl", binaryStl(pair)));
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  bodyOf(await server.ask("split-bodies", { scene_id }));
  bodyOf(await server.ask("hollow", { scene_id, wall_thickness_mm: 1 }));
  const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
  assert.equal(models.length, 2);
  const wall = (12 ** 3 - 10 ** 3) / 1000;
  for (const { volume_ml } of models) assertNear(volume_ml, wall, 0.02 * wall);
});
