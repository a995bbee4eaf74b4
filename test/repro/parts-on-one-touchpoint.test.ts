import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Surface } from "../../src/mesh/mesh.ts";
import { longTest } from "../fixture/long.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type TestServer, bodyOf, openTestServer } from "../fixture/test-server.ts";

// auto-orient set cones, blocks and bars on a rim or a corner, and auto-support gave them one touchpoint there, without a warning.

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const BAR = box([98, 30, 10]);
const PARTS: Readonly<Record<string, Surface>> = {
  cone: lathe(
    [
      [0, 0],
      [15, 0],
      [0, 40],
    ],
    48,
    false,
  ),
  bar: BAR,
  block: box([40, 25, 15]),
  pillar: box([12, 12, 190]),
  plate: box([110, 3, 80]),
};

interface Supported {
  readonly warnings: readonly string[];
  readonly supportsMl: number;
  readonly percentHeld: number;
}

async function supported(surface: Surface, orientation?: object): Promise<Supported> {
  const scene_id = await server.newScene();
  const id = await server.importOne(scene_id, server.file("part.stl", binaryStl(surface)));
  if (orientation) bodyOf(await server.ask("orient", { scene_id, orientation }));
  else bodyOf(await server.ask("auto-orient", { scene_id }));
  const { warnings } = bodyOf(await server.ask("auto-support", { scene_id, raft_label_enabled: false }));
  const { per_model_results } = bodyOf(await server.ask("validate/hold", { scene_id }));
  const { material_usage } = await server.scene(scene_id);
  return {
    warnings,
    supportsMl: material_usage.volume_ml - material_usage.unsupported_volume_ml,
    percentHeld: per_model_results[id].percent_held,
  };
}

for (const [name, surface] of Object.entries(PARTS)) {
  longTest(`a ${name} gets supports that hold it`, async () => {
    const { warnings, percentHeld } = await supported(surface);
    assert.deepEqual([warnings, percentHeld], [[], 100]);
  });
}

longTest("a bar that leans out by 80 mm is held along its length", async () => {
  const { warnings, supportsMl, percentHeld } = await supported(BAR, { x: 0, y: -36, z: 0 });
  assert.deepEqual([warnings, percentHeld], [[], 100]);
  assert.ok(supportsMl > 1.5, `${supportsMl} ml`);
});
