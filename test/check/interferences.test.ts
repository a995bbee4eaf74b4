import assert from "node:assert/strict";
import { test } from "node:test";
import { findInterferences, nearbyPairs } from "../../src/check/interferences.ts";
import { meshTree } from "../../src/mesh/bvh/interfere.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";

const cube = meshOf(box([2, 2, 2]));
const ball = meshOf(uvSphere(1));
const treesOf = (...meshes: Mesh[]) => new Map(meshes.map((mesh) => [mesh.hash, meshTree(mesh, noProgress)]));
const at = (x: number) => ({ position: [x, 0, 0] as const });

test("the pairs that interfere are returned, including copies at one place and supports", () => {
  const models = new Map([
    [3, [placed(cube, at(0))]],
    [5, [placed(cube, at(0))]],
    [6, [placed(ball, at(2.5)), placed(cube, at(5))]],
    [9, [placed(ball, at(5))]],
    [11, [placed(cube, at(1))]],
  ]);
  const numbers = [...models.keys()];
  const pairs = Uint32Array.from(numbers.flatMap((a, i) => numbers.slice(i + 1).flatMap((b) => [a, b])));
  const trees = treesOf(cube, ball);
  const found = (offsetMm: number): number[] => [...findInterferences({ models, trees, pairs, offsetMm }, noProgress)];
  assert.deepEqual(found(0), [3, 5, 3, 11, 5, 11, 6, 9, 6, 11]);
  assert.deepEqual(found(0.6), [3, 5, 3, 6, 3, 11, 5, 6, 5, 11, 6, 9, 6, 11]);
});

test("the check can be cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  const fine = meshOf(uvSphere(5, 200, 100));
  const models = new Map([
    [0, [placed(fine)]],
    [1, [placed(fine, at(20))]],
  ]);
  const request = { models, trees: treesOf(fine), pairs: Uint32Array.of(0, 1), offsetMm: 50 };
  assert.throws(() => findInterferences(request, taskProgress(state)), CancelledError);
});

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

test("each pair of boxes within reach is found once", () => {
  for (const [count, reach, reachMm] of [
    [0, 1, 1],
    [1, 1, 1],
    [2, 10, 3],
    [60, 30, 0],
    [200, 60, 2],
    [200, 1, 0],
  ]) {
    const boxes = someBoxes(count, reach);
    assert.deepEqual(pairsOf(nearbyPairs(boxes, reachMm, noProgress)).sort(), byAllPairs(boxes, reachMm));
  }
});

test("the pairs are divided evenly", () => {
  const sizes = nearbyPairs(someBoxes(300, 30), 0, noProgress).map((share) => share.length);
  assert.ok(sizes.length > 16, `${sizes.length} shares`);
  assert.ok(sizes.slice(0, -1).every((size) => size === sizes[0]));
});

test("too many pairs are refused", () => {
  const count = 1500;
  const boxes = Float64Array.from({ length: 6 * count }, (_, i) => (i % 6 < 3 ? 0 : 1));
  const isRefusal = (thrown: unknown): boolean =>
    thrown instanceof ApiError && thrown.code === "OPERATION_FAILED" && /1000000 pairs/.test(thrown.message);
  assert.throws(() => nearbyPairs(boxes, 0, noProgress), isRefusal);
});
