import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { prepareStack } from "../../src/slice/stack.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";

// After a duplicate, all copies are at the same place: a layer of a thousand took nine seconds to draw.

test("copies at the same place are sliced once, a copy next to them separately", () => {
  const mesh = meshOf(uvSphere(2));
  const request = { boundariesMm: evenly(4, 0.5), grid: gridOf(100, 60, 0.1) };
  const here = placed(mesh, { position: [0, 0, 1] });
  const beside = placed(mesh, { position: [0.5, 0, 1] });
  const many = Array.from({ length: 10_000 }, () => here);
  assert.equal(prepareStack({ ...request, placed: [...many, beside] }, noProgress).solidOf.length, 2);
  assert.deepEqual(picturesOf({ ...request, placed: many }), picturesOf({ ...request, placed: [here] }));
});
