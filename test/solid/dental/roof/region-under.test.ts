import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf } from "../../../../src/mesh/boolean/region/region.ts";
import { regionUnder } from "../../../../src/solid/dental/roof/region-under.ts";
import { randomFrom } from "../../../fixture/altered.ts";

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

test("a region under a roof that is high enough is the same, and under one that is low nothing", async () => {
  assert.equal(
    await regionUnder(
      roofOf(() => 3),
      square,
      3,
    ),
    square,
  );
  assert.deepEqual(
    await regionUnder(
      roofOf(() => 2.9),
      square,
      3,
    ),
    [],
  );
});

test("around a low corner its four squares go", async () => {
  const region = await regionUnder(
    roofOf((column, row) => (column === 5 && row === 5 ? 0 : 9)),
    square,
    3,
  );
  const whole = (SIZE - 1.6) ** 2;
  const left = areaOf(region);
  assert.ok(left <= whole - 4 && left > whole - 4.5, `${left}`);
});

test("no corner of what is left is met twice, so walls upon it share no edge", async () => {
  const random = randomFrom(4);
  for (let round = 0; round < 40; round++) {
    const region = await regionUnder(
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
