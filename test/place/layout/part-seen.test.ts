import assert from "node:assert/strict";
import { test } from "node:test";
import { partSeen } from "../../../src/place/layout/part-seen.ts";
import { rectangleOf } from "../../../src/place/layout/region.ts";
import { rectangle } from "../../fixture/regions.ts";

const MODEL = { position: [10, 20, 5], region: rectangle(4, 2) } as const;
const SUPPORTS = { position: [11, 18, 0], region: rectangle(6, 6) } as const;

test("a model without supports covers what is seen of it, wherever it stands", () => {
  assert.deepEqual(partSeen(MODEL, false), { body: MODEL.region });
});

test("supports lie where they stand beside their model", () => {
  const { body, supports } = partSeen({ ...MODEL, supports: SUPPORTS }, true);
  const [was, is] = [rectangleOf(SUPPORTS.region.rings), rectangleOf(supports!.rings)];
  assert.deepEqual(is, { minX: was.minX + 1, maxX: was.maxX + 1, minY: was.minY - 2, maxY: was.maxY - 2 });
  assert.equal(body, MODEL.region);
});

test("supports that may not overlap others are part of the model", () => {
  const withThem = { ...MODEL, supports: SUPPORTS };
  const { body, supports } = partSeen(withThem, false);
  assert.equal(supports, undefined);
  assert.deepEqual(body.rings, [...MODEL.region.rings, ...partSeen(withThem, true).supports!.rings]);
});
