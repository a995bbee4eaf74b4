import { after, before } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

let server: TestServer;
before(async () => void (server = await openTestServer()));
after(() => server.close());

longTest("a layout of fill-build-platform is valid for auto-layout", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("cube.stl", binaryStl(box([40, 30, 10]))));
  bodyOf(await server.ask("fill-build-platform", { scene_id }));
  bodyOf(await server.ask("auto-layout", { scene_id }));
});
