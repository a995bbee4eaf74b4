import { after, before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, assertNear, bodyOf, openTestServer } from "../fixture/test-server.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

test("a hole far wider than the model removes all of it down to its depth", async () => {
  for (const diameter_mm of [1e3, 1e5, 1e6]) {
    const scene_id = await server.newScene();
    await server.importOne(scene_id, server.file("block.stl", binaryStl(box([20, 24, 16]))));
    const hole = { orientation: { x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 16 }, diameter_mm, depth_mm: 3 };
    bodyOf(await server.ask("drill", { scene_id, drain_holes: [hole] }));
    const { models } = bodyOf(await server.printwright.post("/v1/scene/metadata/", { scene_id }));
    assertNear(models[0].volume_ml, (20 * 24 * 13) / 1000, 1e-3, `${diameter_mm} mm`);
  }
});
