import assert from "node:assert/strict";
import { test } from "node:test";
import { layerAreas } from "../../src/job/layer-areas.ts";
import type { GreyPicture } from "../fixture/job/read-png-layer.ts";
import { runsOf } from "../fixture/job/runs-of.ts";
import { painted, ring } from "../fixture/job/some-layers.ts";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";

/** Areas of the regions, found by filling one after the other pixel by pixel. */
function filledAreas({ width, height, pixels }: GreyPicture): number[] {
  const left = Array.from(pixels);
  const areas: number[] = [];
  for (let start = 0; start < left.length; start++) {
    let area = 0;
    const stack = left[start] > 0 ? [start] : [];
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (left[at] === 0) continue;
      area += left[at] / 255;
      left[at] = 0;
      const x = at % width;
      if (x > 0) stack.push(at - 1);
      if (x < width - 1) stack.push(at + 1);
      if (at >= width) stack.push(at - width);
      if (at < width * (height - 1)) stack.push(at + width);
    }
    if (area > 0) areas.push(area);
  }
  return areas;
}

function assertAreas(picture: GreyPicture): void {
  const { width, pixels } = picture;
  const found = layerAreas(runsOf(picture));
  const areas = filledAreas(picture);
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, b);
  assert.equal(found.regions, areas.length);
  assert.ok(
    near(
      found.solidPixels,
      areas.reduce((sum, area) => sum + area, 0),
    ),
  );
  assert.ok(near(found.largestPixels, Math.max(0, ...areas)));
  assert.ok(near(found.smallestPixels, areas.length === 0 ? 0 : Math.min(...areas)));
  const lit = [...pixels.keys()].filter((at) => pixels[at] > 0);
  const columns = lit.map((at) => at % width);
  const rows = lit.map((at) => Math.floor(at / width));
  const box = {
    minX: Math.min(...columns),
    minY: Math.min(...rows),
    maxX: Math.max(...columns),
    maxY: Math.max(...rows),
  };
  assert.deepEqual(found.box, lit.length === 0 ? undefined : box);
}

test("areas and regions are those that filling the picture finds", () => {
  const picture = fc
    .record({
      width: fc.integer({ min: 1, max: 12 }),
      pixels: fc.array(fc.constantFrom(0, 0, 255, 128, 3), { minLength: 1, maxLength: 140 }),
    })
    .map(({ width, pixels }) => {
      const height = Math.ceil(pixels.length / width);
      return painted(width, height, (x, y) => pixels[y * width + x] ?? 0);
    });
  fc.assert(fc.property(picture, assertAreas), { numRuns: slowRuns(400) });
});

test("spirals, combs and pixels that touch at corners", () => {
  assertAreas(ring(80, 60, 25, 10));
  assertAreas(painted(9, 9, (x, y) => ((x + y) % 2) * 255));
  // The teeth of a comb join only in its last row, and those of the other in its first.
  assertAreas(painted(21, 10, (x, y) => (x % 2 === 0 || y === 9 ? 255 : 0)));
  assertAreas(painted(21, 10, (x, y) => (x % 2 === 0 || y === 0 ? 200 : 0)));
  assertAreas(painted(3, 3, () => 0));
});
