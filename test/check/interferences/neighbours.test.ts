import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbours } from "../../../src/check/interferences/neighbours.ts";
import { Fault } from "../../../src/core/fault.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { randomFrom } from "../../fixture/altered.ts";

const random = randomFrom(12);

const someBoxes = (count: number, reach: number): Float64Array =>
  Float64Array.from(
    Array.from({ length: count }, () => {
      const low = [reach * random(), reach * random(), reach * random()];
      return [...low, ...low.map((value) => value + 10 * random())];
    }).flat(),
  );

const pairsOf = (shares: readonly Uint32Array[]): string[] =>
  shares.flatMap((share) => Array.from({ length: share.length / 2 }, (_, i) => `${share[2 * i]} ${share[2 * i + 1]}`));

function byAllPairs(boxes: Float64Array, reachMm: number): string[] {
  const found: string[] = [];
  for (let i = 0; i < boxes.length / 6; i++) {
    for (let j = i + 1; j < boxes.length / 6; j++) {
      const isNear = [0, 1, 2].every((axis) => {
        const [low, high] = [boxes[6 * i + axis], boxes[6 * i + 3 + axis]];
        return boxes[6 * j + axis] - high <= reachMm && low - boxes[6 * j + 3 + axis] <= reachMm;
      });
      if (isNear) found.push(`${i} ${j}`);
    }
  }
  return found.sort();
}

test("finds each pair of boxes within reach once", () => {
  for (const [count, reach, reachMm] of [
    [0, 1, 1],
    [1, 1, 1],
    [2, 10, 3],
    [60, 30, 0],
    [200, 60, 2],
    [200, 1, 0],
  ]) {
    const boxes = someBoxes(count, reach);
    assert.deepEqual(pairsOf(neighbours(boxes, reachMm, unwatched)).sort(), byAllPairs(boxes, reachMm));
  }
});

test("deals the pairs out evenly", () => {
  const sizes = neighbours(someBoxes(300, 30), 0, unwatched).map((share) => share.length);
  assert.ok(sizes.length > 16, `${sizes.length} shares`);
  assert.ok(sizes.slice(0, -1).every((size) => size === sizes[0]));
});

test("refuses more pairs than anybody would read", () => {
  const count = 1500;
  const boxes = Float64Array.from({ length: 6 * count }, (_, i) => (i % 6 < 3 ? 0 : 1));
  const isRefusal = (thrown: unknown): boolean =>
    thrown instanceof Fault && thrown.code === "OPERATION_FAILED" && /1000000 pairs/.test(thrown.message);
  assert.throws(() => neighbours(boxes, 0, unwatched), isRefusal);
});
