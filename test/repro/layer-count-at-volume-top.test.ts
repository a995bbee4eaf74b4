import assert from "node:assert/strict";
import { test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { RESIN, openTestServer } from "../fixture/test-server.ts";

// A model that exceeds the height of the volume by less than the tolerance of in_bounds had one layer more than its job.

test("a model that is in bounds except for rounding has no layer above the volume, one out of bounds has", async () => {
  const server = await openTestServer();
  try {
    for (const [heightMm, layers, isInBounds] of [
      [210, 2100, true],
      [210.0005, 2100, true],
      [210.05, 2101, false],
    ] as const) {
      const scene_id = await server.newScene(RESIN);
      await server.importOne(scene_id, server.file(`${heightMm}.stl`, binaryStl(box([5, 5, heightMm]))));
      const { layer_count, models } = await server.scene(scene_id);
      assert.equal(layer_count, layers, `${heightMm} mm`);
      assert.equal(models[0].in_bounds, isInBounds, `${heightMm} mm`);
    }
  } finally {
    await server.close();
  }
});
