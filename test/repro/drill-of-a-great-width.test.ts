import { after, before, test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { assertNear, bodyOf, openWorkshop, type Workshop } from "../fixture/workshop.ts";

let shop: Workshop;
before(async () => {
  shop = await openWorkshop();
});
after(() => shop.close());

test("a hole far wider than the model takes all of it that is as deep as the hole", async () => {
  for (const diameter_mm of [1e3, 1e5, 1e6]) {
    const scene_id = await shop.newScene();
    await shop.importOne(scene_id, shop.file("block.stl", binaryStl(box([20, 24, 16]))));
    const hole = { orientation: { x: 0, y: 0, z: 0 }, position: { x: 0, y: 0, z: 16 }, diameter_mm, depth_mm: 3 };
    bodyOf(await shop.ask("drill", { scene_id, drain_holes: [hole] }));
    const { models } = bodyOf(await shop.printwright.post("/v1/scene/metadata/", { scene_id }));
    assertNear(models[0].volume_ml, (20 * 24 * 13) / 1000, 1e-3, `${diameter_mm} mm`);
  }
});
