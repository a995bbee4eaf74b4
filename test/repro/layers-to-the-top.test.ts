import assert from "node:assert/strict";
import { test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { openWorkshop, RESIN } from "../fixture/workshop.ts";

// A model that is higher than the volume by less than in_bounds tells counted a layer that its job does not have.

test("a model that is in bounds but for rounding has no layer above the volume, one that is not does", async () => {
  const shop = await openWorkshop();
  try {
    for (const [heightMm, layers, isInBounds] of [
      [210, 2100, true],
      [210.0005, 2100, true],
      [210.05, 2101, false],
    ] as const) {
      const scene_id = await shop.newScene(RESIN);
      await shop.importOne(scene_id, shop.file(`${heightMm}.stl`, binaryStl(box([5, 5, heightMm]))));
      const { layer_count, models } = await shop.scene(scene_id);
      assert.equal(layer_count, layers, `${heightMm} mm`);
      assert.equal(models[0].in_bounds, isInBounds, `${heightMm} mm`);
    }
  } finally {
    await shop.close();
  }
});
