import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { toothJoins } from "../../../src/solid/dental/tooth-joins.ts";
import { insideOut } from "../../fixture/altered.ts";
import { meshOf } from "../../fixture/slices.ts";

/** Half a millimetre from corner to corner. */
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

/** Peaks in a row, 8 mm from one to the next, with a saddle of its own height between each two. */
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
  const joins = toothJoins(meshOf(range(10, saddles)), unwatched);
  assert.deepEqual(
    joins.map(({ zMm, fewer }) => [zMm, fewer]),
    saddles.toSorted((a, b) => b - a).map((z) => [z, 1]),
  );
});

test("what stands out by less than a tooth, or is thinner than one, is none", () => {
  assert.equal(toothJoins(meshOf(range(10, [8.1, 5])), unwatched).length, 1);
  assert.equal(toothJoins(meshOf(range(10, [7.9, 5])), unwatched).length, 2);
  const spikes = ground(24, (x, y) => (y === 8 && x % 8 === 4 ? 9 : 2));
  assert.deepEqual(toothJoins(meshOf(spikes), unwatched), []);
});

test("the roof of a cavity is no tooth", () => {
  assert.deepEqual(toothJoins(meshOf(insideOut(range(10, [5, 3, 4]))), unwatched), []);
});

test("teeth of surfaces that do not meet do not join", () => {
  const [near, far] = [range(10, [5]), range(10, [4])];
  const moved = { ...far, vertices: far.vertices.map((value, at) => (at % 3 === 1 ? value + 50 : value)) };
  assert.deepEqual(
    toothJoins(meshOf(near, moved), unwatched).map(({ zMm }) => zMm),
    [5, 4],
  );
});
