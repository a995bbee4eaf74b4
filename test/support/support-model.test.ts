import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest, slowCases } from "../fixture/long.ts";
import { torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { meshOfFile, supported, testSupports } from "../fixture/supported-model.ts";

// Large real models: test/long/support-model.long.ts.

const tilted = { mesh: meshOfFile("fixture/corpus/thingi-65004.stl"), orientation: { x: 40, y: 20, z: 10 } };

const ring = { mesh: () => meshOf(torus(10, 3)) };

testSupports("a ball", { mesh: () => meshOf(uvSphere(6)) });
testSupports("a ring lying flat", ring);
testSupports("a ring on its edge", { ...ring, orientation: { x: 90, y: 0, z: 0 } }, longTest);
testSupports("65004, tilted", tilted, longTest);

test("the same model gets exactly the same supports every time", async () => {
  for (const one of slowCases([ring, tilted])) {
    const hashes = [0, 1].map(async () => (await supported(one)).supports.mesh.hash);
    assert.equal(await hashes[0], await hashes[1]);
  }
});
