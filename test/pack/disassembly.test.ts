import assert from "node:assert/strict";
import { test } from "node:test";
import { lockedParts } from "../fixture/disassembly.ts";
import { packHookedParts, pot } from "../fixture/hooked-parts.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { torus } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

test("the oracle finds two linked rings and a ball in a box locked, and separate rings free", () => {
  const ring = torus(10, 1.5, 24, 8);
  const upright = { ...ring, vertices: ring.vertices.map((_, i, all) => all[3 * Math.floor(i / 3) + ((i + 1) % 3)]) };
  assert.deepEqual(lockedParts([ring, moved(upright, [10, 0, 0])]), [0, 1]);
  assert.deepEqual(lockedParts([ring, moved(upright, [0, 0, 14])]), []);
  const open = pot(12);
  assert.deepEqual(lockedParts([open, moved(torus(4, 1.5, 24, 8), [0, 0, 8])]), []);
  assert.deepEqual(lockedParts([open, moved(torus(4, 1.5, 24, 8), [0, 0, 8]), moved(open, [0, 0, 22])]), []);
});

/** 30 scenes, by their seeds. */
const BATCHES = Array.from({ length: 10 }, (_, i) => [3 * i, 3 * i + 1, 3 * i + 2]);

longTest("hooks, rings, cups, frames and spirals can all be taken out one by one", () => {
  for (const scene of slowCases(BATCHES).flat()) {
    const placed = packHookedParts(scene, 2);
    assert.equal(placed.length, 10);
    assert.deepEqual(lockedParts(placed), [], `scene ${scene}`);
  }
});
