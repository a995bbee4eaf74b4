import assert from "node:assert/strict";
import { test } from "node:test";
import { layerShape } from "../../src/job/anycubic/layer-shape.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { painted, ring, someLayer } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const CORNERS = [
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
] as const;

/** Sums of the values of the regions of pixels for which `isIn` holds, within a frame of one pixel around the picture. */
function regions(
  { width, height, pixels }: GreyPicture,
  isIn: (value: number) => boolean,
  steps: readonly (readonly [number, number])[],
): number[] {
  const [columns, rows] = [width + 2, height + 2];
  const valueAt = (x: number, y: number): number =>
    x > 0 && y > 0 && x <= width && y <= height ? pixels[(y - 1) * width + x - 1] : 0;
  const seen = new Uint8Array(columns * rows);
  const sums: number[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || !isIn(valueAt(start % columns, Math.floor(start / columns)))) continue;
    const stack = [start];
    seen[start] = 1;
    let sum = 0;
    while (stack.length > 0) {
      const at = stack.pop() ?? 0;
      const [x, y] = [at % columns, Math.floor(at / columns)];
      sum += valueAt(x, y);
      for (const [dx, dy] of steps) {
        const next = (y + dy) * columns + x + dx;
        const isInside = x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows;
        if (!isInside || seen[next] || !isIn(valueAt(x + dx, y + dy))) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
    sums.push(sum);
  }
  return sums;
}

function assertShape(picture: GreyPicture): void {
  const lit = regions(picture, (value) => value > 0, [...SIDES, ...CORNERS]);
  const dark = regions(picture, (value) => value === 0, SIDES);
  const { contours, areaPixels, largestPixels } = layerShape(runsOf(picture));
  // One dark region is that around the parts.
  assert.equal(contours, lit.length + dark.length - 1);
  assert.ok(Math.abs(areaPixels - lit.reduce((sum, one) => sum + one, 0) / 255) < 1e-6);
  assert.ok(Math.abs(largestPixels - Math.max(0, ...lit) / 255) < 1e-6);
}

test("outlines, area and largest region of any layer are those that a flood of its pixels finds", () => {
  fc.assert(fc.property(someLayer, assertShape), { numRuns: slowRuns(200) });
});

test("a ring has two outlines, a chequerboard one for its only region and one for each hole", () => {
  assert.equal(layerShape(runsOf(ring(120, 90, 40, 20))).contours, 2);
  assertShape(painted(20, 20, (x, y) => ((x ^ y) & 1) * 255));
  assert.deepEqual(layerShape(runsOf(painted(5, 5, () => 0))).contours, 0);
});
