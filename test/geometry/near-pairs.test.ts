import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { visitNearPairs } from "../../src/geometry/near-pairs.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";

function found(vertices: Float64Array, among: Uint32Array, reach: number): string[] {
  const pairs: string[] = [];
  visitNearPairs(vertices, among, reach, noProgress, (a, b, squared) => {
    pairs.push(`${Math.min(a, b)} ${Math.max(a, b)} ${squared.toPrecision(12)}`);
  });
  return pairs.sort();
}

function byAll(vertices: Float64Array, among: Uint32Array, reach: number): string[] {
  const pairs: string[] = [];
  for (const a of among) {
    for (const b of among) {
      if (a >= b) continue;
      const squared = [0, 1, 2].reduce((sum, axis) => sum + (vertices[3 * a + axis] - vertices[3 * b + axis]) ** 2, 0);
      if (squared <= reach ** 2) pairs.push(`${a} ${b} ${squared.toPrecision(12)}`);
    }
  }
  return pairs.sort();
}

test("each pair of points within the radius is visited once, and no others, for any distribution", () => {
  for (let seed = 0; seed < slowRuns(24); seed++) {
    const random = randomFrom(seed);
    // In a box, in a plane, on a line, in clusters.
    const flat = seed % 3 === 0 ? [1, 1, 1] : seed % 3 === 1 ? [1, 1, 0] : [1, 0, 0];
    const heap = seed % 2 === 0 ? 1 : 7;
    const vertices = Float64Array.from({ length: 900 }, (_, i) => {
      const value = 100 * random() * flat[i % 3];
      return heap === 1 ? value : Math.round(value / 20) * 20 + 0.1 * random();
    });
    const among = Uint32Array.from({ length: 300 }, (_, v) => v).filter((v) => v % 5 !== seed % 5);
    for (const reach of [1e-9, 0.05, 3, 40, 500]) {
      assert.deepEqual(found(vertices, among, reach), byAll(vertices, among, reach), `seed ${seed}, reach ${reach}`);
    }
  }
});

test("the search works for no vertices, one vertex, and several at the same position", () => {
  const vertices = Float64Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3);
  assert.deepEqual(found(vertices, Uint32Array.of(), 1), []);
  assert.deepEqual(found(vertices, Uint32Array.of(2), 1), []);
  assert.equal(found(vertices, Uint32Array.of(0, 1, 2), 1).length, 3);
});
