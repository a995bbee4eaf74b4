import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest } from "../../fixture/long.ts";
import { OverhangDistance } from "../../../src/slice/overhang/overhang-distance.ts";
import { type Bitmap, flooded, neighbours, spanLayerOf } from "../../fixture/span-layer.ts";
import { randomFrom } from "../../fixture/random.ts";

const random = randomFrom(11);
const PIXEL_MM = 0.1;
const LAYER_MM = 0.05;

const gridOf = ({ columns, rows }: Bitmap) => ({ columns, rows, pixelMm: PIXEL_MM, leftMm: 0, backMm: 0 });

/** Solid as given, except two pixels along the rim. */
function bitmap(columns: number, rows: number, isSolid: (column: number, row: number) => boolean): Bitmap {
  const pixels = Uint8Array.from({ length: columns * rows }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const isInside = column > 1 && row > 1 && column < columns - 2 && row < rows - 2;
    return isInside && isSolid(column, row) ? 1 : 0;
  });
  return { columns, rows, pixels };
}

/** Layers of blobs that move, grow or shrink from one layer to the next. */
function wandering(count: number, size: number): Bitmap[] {
  const blobs = Array.from({ length: 7 }, () => ({ x: size * random(), y: size * random(), r: 1 + 5 * random() }));
  return Array.from({ length: count }, () => {
    for (const blob of blobs) {
      blob.x += 3 * (random() - 0.5);
      blob.y += 3 * (random() - 0.5);
      blob.r = random() < 0.1 ? 1 + 8 * random() : Math.max(0, blob.r + 1.5 * (random() - 0.5));
    }
    return bitmap(size, size, (x, y) => blobs.some((blob) => (x - blob.x) ** 2 + (y - blob.y) ** 2 <= blob.r ** 2));
  });
}

const around = (at: number, columns: number): number[] =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((x) => at + y * columns + x)).filter((near) => near !== at);

test("distances grow no faster than paths, are 0 at anchors, and infinite without solid material", () => {
  for (let round = 0; round < 12; round++) {
    const size = 40;
    const layers = wandering(25, size);
    const distances = new OverhangDistance(gridOf(layers[0]), 45);
    let before: number[] = [];
    layers.forEach((layer, index) => {
      distances.addLayer((index + 0.5) * LAYER_MM, [{ layer: spanLayerOf(layer, index), isAnchored: index === 0 }]);
      if (random() < 0.3) {
        const solid = [...layer.pixels.keys()].filter((at) => layer.pixels[at] === 1);
        const chosen = solid[Math.floor(random() * solid.length)];
        if (chosen !== undefined) {
          distances.anchor([chosen]);
          assert.equal(distances.distanceMm(chosen), 0);
          before[chosen] = 0;
        }
      }
      const now: number[] = [];
      layer.pixels.forEach((solid, at) => {
        assert.equal(distances.isSolid(at), solid === 1);
        now[at] = solid === 1 ? distances.distanceMm(at) : Infinity;
        if (index === 0 && solid === 1) assert.equal(now[at], 0);
      });
      layer.pixels.forEach((solid, at) => {
        if (solid === 0) return;
        // The distance of a pixel above a solid pixel is at most that of the solid pixel, minus the rise of the layer.
        if (before[at] < Infinity)
          assert.ok(now[at] <= Math.max(0, before[at] - LAYER_MM) + 1e-5 || (before[at] === 0 && now[at] === 0));
        const besides = neighbours(at, size, size).filter((near) => layer.pixels[near] === 1);
        for (const near of besides) assert.ok(now[at] <= now[near] + PIXEL_MM * 1.01, `${now[at]} beside ${now[near]}`);
        // A pixel is not nearer than some adjacent pixel or pixel below allows.
        const isExplained =
          now[at] === 0 ||
          before[at] < now[at] + LAYER_MM + 1e-5 ||
          around(at, size).some((near) => Math.min(now[near], before[near] ?? Infinity) < now[at]) ||
          now[at] === Infinity;
        assert.ok(isExplained || index === 0);
      });
      before = now;
    });
  }
});

test("the distance across a wide plate is the straight distance, within 3 % and a pixel", () => {
  const size = 201;
  const plate = bitmap(size, size, () => true);
  const distances = new OverhangDistance(gridOf(plate), 45);
  const nothing = bitmap(size, size, () => false);
  distances.addLayer(0.025, [{ layer: spanLayerOf(nothing), isAnchored: true }]);
  distances.addLayer(0.075, [{ layer: spanLayerOf(plate, 1), isAnchored: false }]);
  assert.equal(distances.islands().length, 1);
  assert.equal(distances.distanceMm(100 * size + 100), Infinity);
  distances.anchor([100 * size + 100]);
  assert.equal(distances.islands().length, 0);
  for (let row = 2; row < size - 2; row++) {
    for (let column = 2; column < size - 2; column++) {
      const expected = PIXEL_MM * Math.sqrt((row - 100) ** 2 + (column - 100) ** 2);
      const found = distances.distanceMm(row * size + column);
      assert.ok(Math.abs(found - expected) <= 0.03 * expected + 0.5 * PIXEL_MM, `${found} is not ${expected}`);
    }
  }
});

/** Distances in pixels of an anchored layer, by repeated passes over all pixels until nothing changes. */
function relaxed({ columns, pixels }: Bitmap, isAnchored: (at: number) => boolean): Float64Array {
  const distance = Float64Array.from(pixels, (_, at) => (isAnchored(at) ? 0 : Infinity));
  const from = (...near: readonly number[]): number => Math.min(...near.map((at) => distance[at]));
  for (let isChanging = true; isChanging;) {
    isChanging = false;
    pixels.forEach((solid, at) => {
      if (solid === 0) return;
      const [inRow, inColumn] = [from(at - 1, at + 1), from(at - columns, at + columns)];
      const gap = Math.abs(inRow - inColumn);
      const step = gap < 1 ? (gap + Math.sqrt(2 - gap * gap)) / 2 : 1;
      const atCorner = from(at - columns - 1, at - columns + 1, at + columns - 1, at + columns + 1);
      const lower = Math.min(Math.min(inRow, inColumn) + step, atCorner + Math.SQRT2);
      if (lower >= distance[at]) return;
      distance[at] = lower;
      isChanging = true;
    });
  }
  return distance;
}

longTest("distances do not depend on the order in which pixels are lowered", () => {
  const size = 60;
  let far = 0;
  for (let round = 0; round < 20; round++) {
    const [layer] = wandering(1, size);
    const walls = bitmap(size, size, (x, y) => layer.pixels[y * size + x] === 1 || random() < 0.62);
    const solid = [...walls.pixels.keys()].filter((at) => walls.pixels[at] === 1);
    const anchors = Array.from({ length: 3 }, () => solid[Math.floor(random() * solid.length)]);
    const distances = new OverhangDistance(gridOf(walls), 45);
    distances.addLayer(0, [{ layer: spanLayerOf(bitmap(size, size, () => false)), isAnchored: true }]);
    distances.addLayer(LAYER_MM, [{ layer: spanLayerOf(walls, 1), isAnchored: false }]);
    // One after the other, so that distances from the first are lowered by the others.
    for (const anchor of anchors) distances.anchor([anchor]);
    const expected = relaxed(walls, (at) => anchors.includes(at));
    for (const at of solid) {
      const found = distances.distanceMm(at) / PIXEL_MM;
      assert.ok(found === expected[at] || Math.abs(found - expected[at]) <= 0.005 * expected[at] + 1e-4, `${found}`);
      if (expected[at] > size / 2 && expected[at] < Infinity) far++;
    }
  }
  assert.ok(far > 200, `${far} far pixels`);
});

test("islands are the regions that touch no pixel of the layer below", () => {
  for (let round = 0; round < 10; round++) {
    const size = 40;
    const layers = wandering(20, size);
    const distances = new OverhangDistance(gridOf(layers[0]), 45);
    layers.forEach((layer, index) => {
      distances.addLayer((index + 0.5) * LAYER_MM, [{ layer: spanLayerOf(layer, index), isAnchored: index === 0 }]);
      const found = distances.islands().map((island) => [...island].sort((a, b) => a - b));
      const isSolid = (at: number): boolean => layer.pixels[at] === 1;
      const regions = flooded(size * size, isSolid, (at) => around(at, size));
      const expected = regions.filter(
        (region) =>
          index > 0 &&
          region.every((at) => [at, ...around(at, size)].every((near) => layers[index - 1].pixels[near] === 0)),
      );
      assert.deepEqual(
        found.sort((a, b) => a[0] - b[0]),
        expected,
      );
    });
  }
});

test("several bodies are one solid, and its anchored pixels anchor the rest", () => {
  const left = bitmap(40, 10, (x) => x < 20);
  const right = bitmap(40, 10, (x) => x >= 15);
  const none = bitmap(40, 10, () => false);
  const distances = new OverhangDistance(gridOf(left), 45);
  const addLayer = (index: number, a: Bitmap, b: Bitmap): void =>
    distances.addLayer((index + 0.5) * LAYER_MM, [
      { layer: spanLayerOf(a, index), isAnchored: false },
      { layer: spanLayerOf(b, index), isAnchored: true },
    ]);
  const at = 5 * 40;
  addLayer(0, none, right);
  addLayer(1, left, right);
  assert.equal(distances.distanceMm(at + 17), 0);
  assert.ok(Math.abs(distances.distanceMm(at + 4) - 11 * PIXEL_MM) < 0.02);
  addLayer(2, left, none);
  assert.equal(distances.isSolid(at + 30), false);
  assert.equal(distances.distanceMm(at + 17), 0);
  assert.ok(Math.abs(distances.distanceMm(at + 4) - 11 * PIXEL_MM + LAYER_MM) < 0.02);
  addLayer(3, none, none);
  assert.equal(distances.isSolid(at + 17), false);
});
