import assert from "node:assert/strict";
import { test } from "node:test";
import { box } from "../fixture/shapes.ts";
import { asFiled, evenly, gridOf, meshOf, slicedVolume } from "../fixture/slices.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";

// An inside-out body partly inside another was treated as its cavity, because one of its corners is inside.

test("an inside-out box that is partly outside another is solid, one inside it is a cavity", () => {
  const outer = moved(box([10, 10, 10]), [0, 0, 5]);
  const boundariesMm = evenly(100, 0.1);
  const grid = gridOf(200, 120, 0.1);
  const volumeOf = (inner: ReturnType<typeof moved>): number =>
    slicedVolume({ placed: [asFiled(meshOf(outer, insideOut(inner)))], boundariesMm, grid });
  for (const shift of [-5, 5]) {
    assert.ok(Math.abs(volumeOf(moved(box([10, 10, 10]), [shift, 0, 5])) - 1500) < 1e-3);
  }
  assert.ok(Math.abs(volumeOf(moved(box([4, 4, 4]), [0, 0, 5])) - (1000 - 64)) < 1e-3);
});
