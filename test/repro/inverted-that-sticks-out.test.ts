import assert from "node:assert/strict";
import { test } from "node:test";
import { insideOut, moved } from "../fixture/altered.ts";
import { box } from "../fixture/shapes.ts";
import { asFiled, evenly, gridOf, meshOf, slicedVolume } from "../fixture/slices.ts";

// An inside-out body that only partly lies inside another was taken for its cavity, because one of its corners does.

test("an inside-out box that stands out of another is solid, one inside it is hollow", () => {
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
