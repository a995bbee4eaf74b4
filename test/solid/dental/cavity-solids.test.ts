import assert from "node:assert/strict";
import { test } from "node:test";
import { polygonsArea } from "../../../src/geometry/polygon.ts";
import { regionBelowRoof } from "../../../src/solid/dental/cavity-solids.ts";
import { randomFrom } from "../../fixture/random.ts";

const SIZE = 12;
const square = [Float64Array.of(0.3, 0.3, SIZE - 1.3, 0.3, SIZE - 1.3, SIZE - 1.3, 0.3, SIZE - 1.3)];
const roofOf = (heightAt: (column: number, row: number) => number) => ({
  leftMm: 0,
  frontMm: 0,
  stepMm: 1,
  columns: SIZE,
  rows: SIZE,
  heightsMm: Float64Array.from({ length: SIZE * SIZE }, (_, at) => heightAt(at % SIZE, Math.floor(at / SIZE))),
});

test("a region below a high roof stays unchanged, and nothing remains below a low roof", async () => {
  assert.equal(
    await regionBelowRoof(
      roofOf(() => 3),
      square,
      3,
    ),
    square,
  );
  assert.deepEqual(
    await regionBelowRoof(
      roofOf(() => 2.9),
      square,
      3,
    ),
    [],
  );
});

test("the four squares around a low node are removed", async () => {
  const region = await regionBelowRoof(
    roofOf((column, row) => (column === 5 && row === 5 ? 0 : 9)),
    square,
    3,
  );
  const whole = (SIZE - 1.6) ** 2;
  const left = polygonsArea(region);
  assert.ok(left <= whole - 4 && left > whole - 4.5, `${left}`);
});

test("no corner of the remaining region occurs twice, so that walls on it share no edge", async () => {
  const random = randomFrom(4);
  for (let round = 0; round < 40; round++) {
    const region = await regionBelowRoof(
      roofOf(() => (random() < 0.1 ? 0 : 9)),
      square,
      3,
    );
    const corners = region.flatMap((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i].toFixed(3)} ${ring[2 * i + 1].toFixed(3)}`),
    );
    assert.equal(new Set(corners).size, corners.length);
  }
});
