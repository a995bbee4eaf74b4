import assert from "node:assert/strict";
import { after, before } from "node:test";
import { concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { insideOut } from "../fixture/surface-edits.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";
import { longTest } from "../fixture/long.ts";

let server: TestServer;
before(async () => void (server = await openTestServer()));
after(() => server.close());

longTest("a model whose supports are all inside it is placed on the platform", async () => {
  const scene_id = await server.newScene();
  const hollow = concatenateSurfaces([box([20, 20, 20]), insideOut(box([16, 16, 16]))]);
  const id = await server.importOne(scene_id, server.file("hollow.stl", binaryStl(hollow)));
  const onPlatform = {
    raft_type: "NONE",
    height_above_raft_mm: 0,
    raft_thickness_mm: 0,
    internal_supports_enabled: true,
  };
  bodyOf(await server.ask("auto-support", { scene_id, ...onPlatform }));
  const [{ has_supports, bounding_box }] = await server.models(scene_id, [id]);
  assert.ok(has_supports);
  assert.ok(Math.abs(bounding_box.min_corner.z) <= 1e-6, `its lowest point is at z = ${bounding_box.min_corner.z} mm`);
});
