import assert from "node:assert/strict";
import { test } from "node:test";
import { boundingRectangle } from "../../src/geometry/box.ts";
import { footprint } from "../../src/layout/part.ts";
import { rectangle } from "../fixture/polygons.ts";

const MODEL = { position: [10, 20, 5], region: rectangle(4, 2) } as const;
const SUPPORTS = { position: [11, 18, 0], region: rectangle(6, 6) } as const;

test("the footprint of a model without supports is its silhouette, at any position", () => {
  assert.deepEqual(footprint(MODEL, false), { body: MODEL.region });
});

test("the silhouette of supports is moved by their position relative to the model", () => {
  const { body, supports } = footprint({ ...MODEL, supports: SUPPORTS }, true);
  const [was, is] = [boundingRectangle(SUPPORTS.region), boundingRectangle(supports!)];
  assert.deepEqual(is, { minX: was.minX + 1, maxX: was.maxX + 1, minY: was.minY - 2, maxY: was.maxY - 2 });
  assert.equal(body, MODEL.region);
});

test("supports that may not overlap others are part of the body", () => {
  const withThem = { ...MODEL, supports: SUPPORTS };
  const { body, supports } = footprint(withThem, false);
  assert.equal(supports, undefined);
  assert.deepEqual(body, [...MODEL.region, ...footprint(withThem, true).supports!]);
});
