import assert from "node:assert/strict";
import { test } from "node:test";
import { matrixRow } from "../../src/geometry/vector.ts";
import { changeMatrix, changesNothing } from "../../src/page/view/changes.ts";
import { transformed } from "../../src/page/view/instances.ts";
import { combinedChange, nudgeOf } from "../../src/page/view/nudges.ts";
import { type Orbit, projected } from "../../src/page/view/orbit.ts";
import type { Tool } from "../../src/page/view/view.ts";
import { viewMatrix } from "../../src/render/camera.ts";
import { fc } from "../fixture/property.ts";

const SIZE = { width: 800, height: 600 };
const keys = { key: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const orbits = fc
  .record({ yawDeg: fc.integer({ min: 0, max: 359 }), pitchDeg: fc.integer({ min: -89, max: 90 }) })
  .map((direction): Orbit => ({ ...direction, target: [0, 0, 0], heightMm: 100 }));
const nudge = (key: string, tool: Tool, orbit: Orbit, shiftKey = false) =>
  nudgeOf({ ...keys, key, ctrlKey: key.startsWith("Arrow"), shiftKey }, tool, orbit);

/** Shift of a point in the picture, px to the right and up. */
function seenShift(key: string, tool: Tool, orbit: Orbit, point: [number, number, number]): [number, number] {
  const [a, b] = [point, transformed(changeMatrix(nudge(key, tool, orbit)!, [0, 0, 0]), point)].map((one) =>
    projected(orbit, [one[0], one[1], one[2]], SIZE),
  );
  return [b.x - a.x, a.y - b.y];
}

test("arrow keys move the selection in their direction in the picture, from any viewpoint, and back", () => {
  fc.assert(
    fc.property(orbits, (orbit) => {
      const [right] = seenShift("ArrowRight", "move", orbit, [0, 0, 0]);
      assert.ok(right > 4, `${right} px to the right`);
      const [, up] = seenShift("ArrowUp", "select", orbit, [0, 0, 0]);
      assert.ok(Math.abs(orbit.pitchDeg) < 2 || up > 0, `${up} px up`);
      for (const [there, back] of [
        ["ArrowRight", "ArrowLeft"],
        ["ArrowUp", "ArrowDown"],
        ["PageUp", "PageDown"],
      ]) {
        for (const tool of ["move", "rotate", "scale"] as const) {
          const both = combinedChange(nudge(there, tool, orbit)!, nudge(back, tool, orbit)!)!;
          assert.ok(changesNothing(both), JSON.stringify(both));
        }
      }
    }),
  );
});

test("with the tool Rotate the right arrow moves the front to the right, and the up arrow moves the top away", () => {
  fc.assert(
    fc.property(orbits, (orbit) => {
      fc.pre(orbit.pitchDeg >= 0 && orbit.pitchDeg < 60);
      const [x, y] = matrixRow(viewMatrix(orbit), 2);
      assert.ok(seenShift("ArrowRight", "rotate", orbit, [x, y, 0])[0] > 0);
      const [, up] = seenShift("ArrowUp", "rotate", orbit, [0, 0, 1]);
      assert.ok(orbit.pitchDeg < 10 || up > 0, `${up} px up`);
    }),
  );
});

test("Shift makes larger steps; other keys, and all keys for the tool of places, do nothing", () => {
  const orbit: Orbit = { yawDeg: 90, pitchDeg: 90, target: [0, 0, 0], heightMm: 100 };
  assert.deepEqual(nudge("ArrowRight", "move", orbit), { kind: "move", by: [1, 0, 0] });
  assert.deepEqual(nudge("ArrowDown", "move", orbit, true), { kind: "move", by: [0, -10, 0] });
  assert.deepEqual(nudge("ArrowLeft", "rotate", orbit, true), { kind: "rotate", axis: 2, degrees: -45 });
  assert.deepEqual(nudge("ArrowUp", "scale", orbit, true), { kind: "scale", factor: 1.1 });
  assert.equal(nudge("ArrowRight", "pick", orbit), undefined);
  assert.equal(nudge("x", "move", orbit), undefined);
  assert.equal(nudgeOf({ ...keys, key: "ArrowRight" }, "move", orbit), undefined, "the view rotates by that");
  assert.equal(
    combinedChange({ kind: "rotate", axis: 0, degrees: 5 }, { kind: "rotate", axis: 1, degrees: 5 }),
    undefined,
  );
});
