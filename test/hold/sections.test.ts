import assert from "node:assert/strict";
import { test } from "node:test";
import { connectedRegions, touchingSpans } from "../../src/geometry/spans.ts";
import { SectionRecorder } from "../../src/hold/sections.ts";
import { randomFrom } from "../fixture/random.ts";
import { randomBitmap, spanLayerOf } from "../fixture/span-layer.ts";

const random = randomFrom(11);
const [COLUMNS, ROWS] = [26, 14];
const GRID = { columns: COLUMNS, rows: ROWS, pixelMm: 0.1, leftMm: 0, backMm: 0 };

test("islands of a layer are the regions of which no span touches a span of the layer below", () => {
  let found = 0;
  for (let round = 0; round < 200; round++) {
    // Empty layers and layers of one region are among them.
    const layers = [0, 1, 2, 3].map((index) =>
      spanLayerOf(randomBitmap(COLUMNS, ROWS, round % 9 === index ? 0 : random() ** 3, random), index),
    );
    const recorder = new SectionRecorder(GRID, Float64Array.of(1, 2, 3, 4), []);
    for (const [i, layer] of layers.entries()) {
      recorder.addLayer(layer);
      const { regions, regionOf } = recorder.lastIslands();
      const { count, regionOf: expectedOf } = connectedRegions(layer, "CORNERS");
      const isTouching = i === 0 ? undefined : touchingSpans(layer, layers[i - 1]!);
      const isIsland = (region: number): boolean =>
        isTouching !== undefined && expectedOf.every((of, span) => of !== region || isTouching[span] === 0);
      assert.deepEqual(regionOf, expectedOf);
      assert.deepEqual(regions, Array.from({ length: count }, (_, region) => region).filter(isIsland));
      found += regions.length;
    }
  }
  assert.ok(found > 100, `only ${found} islands`);
});
