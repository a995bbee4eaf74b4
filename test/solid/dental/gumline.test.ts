import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { findToothJoins } from "../../../src/solid/dental/gumline.ts";
import { meshOf } from "../../fixture/slices.ts";
import { insideOut } from "../../fixture/surface-edits.ts";

const STEP_MM = 0.5;

/** The surface z = heightAt(x, y) over a square. */
function ground(sizeMm: number, heightAt: (x: number, y: number) => number): Surface {
  const count = Math.round(sizeMm / STEP_MM) + 1;
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < count; i++) {
      vertices.push(i * STEP_MM, j * STEP_MM, heightAt(i * STEP_MM, j * STEP_MM));
      if (i + 1 === count || j + 1 === count) continue;
      const at = j * count + i;
      triangles.push(at, at + 1, at + count + 1, at, at + count + 1, at + count);
    }
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Peaks in a row, 8 mm apart, with a saddle of the given height between each two. */
const range = (peakMm: number, saddles: readonly number[]): Surface =>
  ground(8 * (saddles.length + 1), (x, y) => {
    const peak = Math.min(saddles.length, Math.floor(x / 8));
    const away = Math.abs(x - 8 * peak - 4) / 4;
    const saddle = x < 8 * peak + 4 ? saddles[peak - 1] : saddles[peak];
    const ridge = peakMm - away * (peakMm - (saddle ?? 0));
    return ridge * Math.max(0, 1 - Math.abs(y - 8) / 8);
  });

test("teeth join at the saddles between them, from the top down", () => {
  const saddles = [5, 3, 4.5, 2, 6];
  const joins = findToothJoins(meshOf(range(10, saddles)), noProgress);
  assert.deepEqual(
    joins,
    saddles.toSorted((a, b) => b - a),
  );
});

test("a part that is lower or thinner than a tooth is not a tooth", () => {
  assert.equal(findToothJoins(meshOf(range(10, [8.1, 5])), noProgress).length, 1);
  assert.equal(findToothJoins(meshOf(range(10, [7.9, 5])), noProgress).length, 2);
  const spikes = ground(24, (x, y) => (y === 8 && x % 8 === 4 ? 9 : 2));
  assert.deepEqual(findToothJoins(meshOf(spikes), noProgress), []);
});

test("the roof of a cavity is not a tooth", () => {
  assert.deepEqual(findToothJoins(meshOf(insideOut(range(10, [5, 3, 4]))), noProgress), []);
});

test("teeth of separate surfaces do not join", () => {
  const [near, far] = [range(10, [5]), range(10, [4])];
  const moved = { ...far, vertices: far.vertices.map((value, at) => (at % 3 === 1 ? value + 50 : value)) };
  assert.deepEqual(findToothJoins(meshOf(near, moved), noProgress), [5, 4]);
});
