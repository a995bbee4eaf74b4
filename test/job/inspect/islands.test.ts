import assert from "node:assert/strict";
import { test } from "node:test";
import { islandsOf } from "../../../src/job/inspect/islands.ts";
import { fc } from "../../fixture/property.ts";
import { randomFrom } from "../../fixture/random.ts";
import { slowRuns } from "../../fixture/long.ts";
import { flooded, randomBitmap, spanLayerOf } from "../../fixture/span-layer.ts";

const shares = fc.constantFrom(0.03, 0.2, 0.5, 0.9);

test("islands are the regions of a layer that touch no pixel below, also not at a corner", () => {
  const property = fc.property(fc.nat(), shares, shares, (seed, share, shareBelow) => {
    const random = randomFrom(seed);
    const [columns, rows] = [1 + Math.floor(20 * random()), 1 + Math.floor(20 * random())];
    const [layer, below] = [share, shareBelow].map((one) => randomBitmap(columns, rows, one, random));
    const around = (cell: number): number[] => {
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      const near = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [x + dx, y + dy]));
      return near.filter(([a, b]) => a >= 0 && b >= 0 && a < columns && b < rows).map(([a, b]) => b * columns + a);
    };
    const regions = flooded(columns * rows, (cell) => layer.pixels[cell] === 1, around);
    const expected = regions.filter(
      (region) => !region.some((cell) => around(cell).some((near) => below.pixels[near] === 1)),
    );
    const found = islandsOf(spanLayerOf(layer, 7), spanLayerOf(below, 6));
    assert.deepEqual(found.map(({ pixels }) => pixels).sort(), expected.map(({ length }) => length).sort());
    for (const { layer: index, column, row, pixels } of found) {
      const region = expected.find((cells) => cells.includes(row * columns + column));
      assert.equal(region?.length, pixels, "the place is outside of its island");
      assert.equal(index, 7);
    }
  });
  fc.assert(property, { numRuns: slowRuns(100) });
});
