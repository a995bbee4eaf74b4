import assert from "node:assert/strict";
import { test } from "node:test";
import { torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { meshOfFile, supported, testSupports } from "../fixture/supported-model.ts";

// Large real models: test/long/support-model.long.ts.

const tilted = { mesh: meshOfFile("fixture/corpus/thingi-65004.stl"), orientation: { x: 40, y: 20, z: 10 } };

testSupports("a ball", { mesh: () => meshOf(uvSphere(8)) });
testSupports("a ring lying flat", { mesh: () => meshOf(torus(10, 3)) });
testSupports("a ring on its edge", { mesh: () => meshOf(torus(10, 3)), orientation: { x: 90, y: 0, z: 0 } });
testSupports("65004, tilted", tilted);

test("the same model gets the same supports to the bit every time", async () => {
  const hashes = await Promise.all([0, 1].map(async () => (await supported(tilted)).supports.mesh.hash));
  assert.equal(hashes[0], hashes[1]);
});
