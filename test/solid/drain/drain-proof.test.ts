import assert from "node:assert/strict";
import { test } from "node:test";
import { boreRegions } from "../../../src/solid/drain/bore-regions.ts";
import { sealedPockets } from "../../../src/solid/drain/drain-proof.ts";
import { layeredPart } from "../../../src/solid/drain/layered-part.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { type Vec3, dot, subtract, times, unit } from "../../../src/geometry/vector.ts";
import { IDENTITY_POSE } from "../../../src/geometry/pose.ts";
import { emptyLayer, emptyRegionsOf } from "../../../src/geometry/pockets.ts";
import { expectedPockets } from "../../fixture/expected-pockets.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { type Bitmap, paint, randomBitmap, spanLayerOf } from "../../fixture/span-layer.ts";
import { insideOut } from "../../fixture/surface-edits.ts";

test("cups and pools are the pockets that floods find in the layers and in the layers upside down, below air", () => {
  let pools = 0;
  for (let seed = 0; seed < slowRuns(60); seed++) {
    const random = randomFrom(seed);
    const side = 7;
    const bitmaps = Array.from({ length: 6 }, (): Bitmap => randomBitmap(side, side, 0.6, random));
    const layers = bitmaps.map((bitmap, index) => emptyLayer(spanLayerOf(bitmap, index), side));
    const boundariesMm = Float64Array.from({ length: 7 }, (_, k) => k);
    const space = { layers: [...emptyRegionsOf(layers, side)], boundariesMm, pixelMm: 1 };
    const found = sealedPockets(space);
    const sizesOf = (sealing: string): number[] =>
      found.filter((one) => one.sealing === sealing).map(({ volumeMm3 }) => volumeMm3);
    const air: Bitmap = { columns: side, rows: side, pixels: new Uint8Array(side * side) };
    const byFloods = (order: readonly Bitmap[]): number[] => expectedPockets(order).toSorted((a, b) => b - a);
    assert.deepEqual(sizesOf("CUP"), byFloods(bitmaps), `seed ${seed}: cups`);
    assert.deepEqual(sizesOf("POOL"), byFloods([air, ...bitmaps.toReversed()]), `seed ${seed}: pools`);
    pools += sizesOf("POOL").length;
  }
  assert.ok(pools > 5);
});

test("a bore has the regions of the pixels in it, layer by layer", () => {
  const mesh = meshOf(box([12, 12, 12]), insideOut(uvSphere(4, 16, 8)));
  const boundariesMm = Float64Array.from({ length: 49 }, (_, k) => k / 4);
  const grid = { columns: 64, rows: 64, pixelMm: 0.25, leftMm: -8.03, backMm: 8.03 };
  const placed = [{ mesh, pose: { ...IDENTITY_POSE, position: [0, 0, 6] as const } }];
  const part = layeredPart({ placed, boundariesMm, grid }, noProgress);
  const painted = part.layers.map(({ empty, regions }) => paint(empty, 64, (span) => regions.regionOf[span]));
  const random = randomFrom(7);
  let met = 0;
  for (let i = 0; i < slowRuns(60); i++) {
    const number = (): number => 2 * random() - 1;
    const axis: Vec3 = i < 3 ? ([+(i === 0), +(i === 1), +(i === 2)] as const) : [number(), number(), number()];
    const direction = unit(axis);
    const start: Vec3 = [6 * number(), 6 * number(), 6 + 6 * number()];
    const cylinder = { start, direction, lengthMm: 1 + 8 * random(), radiusMm: 0.5 + 2 * random() };
    const { first, regions } = boreRegions(part, cylinder);
    painted.forEach((pixels, layer) => {
      const expected = new Set<number>();
      pixels.forEach((region, pixel) => {
        const x = grid.leftMm + ((pixel % 64) + 0.5) * grid.pixelMm;
        const y = grid.backMm - (Math.floor(pixel / 64) + 0.5) * grid.pixelMm;
        const away = subtract([x, y, (layer + 0.5) / 4], start);
        const along = dot(away, direction);
        const across = subtract(away, times(direction, along));
        const isInside = along >= 0 && along <= cylinder.lengthMm && dot(across, across) <= cylinder.radiusMm ** 2;
        if (isInside && region >= 0) expected.add(region);
      });
      const here = regions[layer - first] ?? [];
      assert.deepEqual([...here].toSorted(), [...expected].toSorted(), `bore ${i}, layer ${layer}`);
      met += here.length;
    });
  }
  assert.ok(met > 50, `${met}`);
});
