import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../src/core/watch.ts";
import { prepareStack } from "../../src/slice/prepare-stack.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";

// After a duplicate, all copies stand in one place: a layer of a thousand took nine seconds to draw.

test("copies in one place are one model for the slicer, a copy beside them is another", () => {
  const mesh = meshOf(uvSphere(2));
  const request = { boundariesMm: evenly(4, 0.5), grid: gridOf(100, 60, 0.1) };
  const here = placed(mesh, { position: [0, 0, 1] });
  const beside = placed(mesh, { position: [0.5, 0, 1] });
  const many = Array.from({ length: 10_000 }, () => here);
  assert.equal(prepareStack({ ...request, placed: [...many, beside] }, unwatched).solidOf.length, 2);
  assert.deepEqual(picturesOf({ ...request, placed: many }), picturesOf({ ...request, placed: [here] }));
});
