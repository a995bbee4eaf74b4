import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import { insideOut } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let workshop: Workshop;
before(async () => void (workshop = await openWorkshop()));
after(() => workshop.close());

test("a model whose supports all stand inside it stays on the platform", async () => {
  const scene_id = await workshop.newScene();
  const hollow = combine([box([20, 20, 20]), insideOut(box([16, 16, 16]))]);
  const id = await workshop.importOne(scene_id, workshop.file("hollow.stl", binaryStl(hollow)));
  const onPlatform = {
    raft_type: "NONE",
    height_above_raft_mm: 0,
    raft_thickness_mm: 0,
    internal_supports_enabled: true,
  };
  bodyOf(await workshop.ask("auto-support", { scene_id, ...onPlatform }));
  const [{ has_supports, bounding_box }] = await workshop.models(scene_id, [id]);
  assert.ok(has_supports);
  assert.ok(Math.abs(bounding_box.min_corner.z) <= 1e-6, `its lowest point is at z = ${bounding_box.min_corner.z} mm`);
});
