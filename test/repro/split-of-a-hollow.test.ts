import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { combine } from "../../src/mesh/combine.ts";
import { moved } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

test("pieces of a hollowed model are hollowed anew from their solids, not into their walls", async () => {
  const scene_id = await shop.newScene();
  const pair = combine([box([20, 20, 20]), moved(box([20, 20, 20]), [30, 0, 0])]);
  await shop.importOne(scene_id, shop.file("pair.stl", binaryStl(pair)));
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 3 }));
  bodyOf(await shop.ask("split-bodies", { scene_id }));
  bodyOf(await shop.ask("hollow", { scene_id, wall_thickness_mm: 1 }));
  const { models } = bodyOf(await shop.printwright.post("/v1/scene/metadata/", { scene_id }));
  assert.equal(models.length, 2);
  const wall = (20 ** 3 - 18 ** 3) / 1000;
  for (const { volume_ml } of models) assertNear(volume_ml, wall, 0.02 * wall);
});
