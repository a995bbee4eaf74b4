import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOME } from "../../src/mesh/pose.ts";
import { snapToPlatform } from "../../src/place/snap.ts";
import { outlineOfPoints } from "../fixture/outline.ts";

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const scale = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

test("the lowest point of a snapped model stands at z = 0 exactly, and nothing else of its pose changes", () => {
  fc.assert(fc.property(number, number, number, number, number, scale, (x, y, z, low, high, scale) => {
    const outline = outlineOfPoints([[0, 0, low], [1, 2, high]]);
    const pose = { ...HOME, position: [x, y, z] as const, scale };
    const snapped = snapToPlatform(outline, pose);
    assert.equal(snapped.position[2] + scale * outline.box.min[2], 0);
    assert.deepEqual(snapped, { ...pose, position: [x, y, snapped.position[2]] });
    assert.deepEqual(snapToPlatform(outline, snapped), snapped);
  }));
});

test("a model whose lowest point is its origin snaps to +0", () => {
  const snapped = snapToPlatform(outlineOfPoints([[0, 0, 0]]), { ...HOME, position: [0, 0, 3] });
  assert.ok(Object.is(snapped.position[2], 0));
});
