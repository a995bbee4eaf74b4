import assert from "node:assert/strict";
import { test } from "node:test";
import { boundingRectangle } from "../../src/geometry/box.ts";
import { footprint, minimumRectangleTurn } from "../../src/layout/part.ts";
import { polygons, rectangle } from "../fixture/polygons.ts";

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

test("the turn to the smallest rectangle is rounded only as far as the rectangle grows by 0.05 %", () => {
  const [width, depth] = [100, 20];
  for (const turnDeg of [0.001, 0.01, 0.05, 0.1, 0.3, 0.7, 1, 3, 17.123456, 44.9, 60, 89.9]) {
    const [c, s] = [Math.cos((turnDeg * Math.PI) / 180), Math.sin((turnDeg * Math.PI) / 180)];
    const turnedBy = (x: number, y: number): [number, number] => [c * x - s * y, s * x + c * y];
    const corners = [turnedBy(50, 10), turnedBy(-50, 10), turnedBy(-50, -10), turnedBy(50, -10)];
    const part = footprint({ position: [0, 0, 0], region: polygons(corners) }, false);
    const left = ((minimumRectangleTurn(part) + turnDeg) * Math.PI) / 180;
    const [cos, sin] = [Math.abs(Math.cos(left)), Math.abs(Math.sin(left))];
    const area = (width * cos + depth * sin) * (width * sin + depth * cos);
    assert.ok(area <= 1.0005 * width * depth * (1 + 1e-9), `${turnDeg}°: ${area / (width * depth)}`);
  }
  // 0.01° off the axes, a rectangle grows by 0.04 % only: it is not turned.
  const off = (0.01 * Math.PI) / 180;
  const leaning = [
    [30, 20],
    [-30, 20],
    [-30, -20],
    [30, -20],
  ].map(([x, y]): [number, number] => [x - off * y, y + off * x]);
  assert.equal(minimumRectangleTurn(footprint({ position: [0, 0, 0], region: polygons(leaning) }, false)) % 90, 0);
  const upright = footprint({ position: [0, 0, 0], region: rectangle(width, depth) }, false);
  assert.equal(minimumRectangleTurn(upright), 0);
});
