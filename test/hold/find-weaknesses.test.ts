import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { HeldTip } from "../../src/hold/held-tip.ts";
import { type Weakness, findWeaknesses } from "../../src/hold/hold-walk.ts";
import { partSections } from "../../src/hold/part-sections.ts";
import { touchStrengthN } from "../../src/hold/strengths.ts";
import { worstWeaknesses } from "../../src/hold/worst-weaknesses.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { layerBoundariesMm } from "../../src/slice/layer-heights.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { meshOf, placed } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

const LAYER_MM = 0.1;
const TOUCH_MM = 0.5;

/** The weaknesses of parts whose lowest point is at `bottomMm`, on tips at some points; if it is 0, the parts are on the platform. */
function weaknessesOf(parts: readonly Surface[], points: readonly Vec3[] = [], bottomMm = 0): Weakness[] {
  const mesh = meshOf(concatenateSurfaces([...parts]));
  const [x, y, z] = boxCentre(mesh.box);
  const heightMm = 2 * (mesh.box.max[2] - z);
  const part = placed(mesh, { position: [x, y, bottomMm + heightMm / 2] });
  const boundariesMm = layerBoundariesMm(LAYER_MM, bottomMm + heightMm, []);
  const { sections, regions } = partSections(part, boundariesMm, points, noProgress);
  const tips = points.map((position, i): HeldTip => ({
    position,
    region: regions[i],
    strengthN: touchStrengthN(TOUCH_MM),
    sizeMm: TOUCH_MM,
  }));
  return worstWeaknesses(
    findWeaknesses({ sections, tips, groundMm: LAYER_MM, margin: 1, checkCancelled: () => undefined }),
  );
}

const kindsOf = (weaknesses: readonly Weakness[]): string[] => [...new Set(weaknesses.map(({ kind }) => kind))].sort();

const square = (halfMm: number, perSide: number, z: number, [x, y] = [0, 0]): Vec3[] =>
  Array.from({ length: perSide * perSide }, (_, i): Vec3 => {
    const at = (k: number): number => halfMm * ((2 * k) / (perSide - 1) - 1);
    return [x + at(i % perSide), y + at(Math.floor(i / perSide)), z];
  });

test("a cube is held by the platform, and by as many tips as its section needs", () => {
  const cube = [box([20, 20, 20])];
  assert.deepEqual(weaknessesOf(cube), []);
  // 400 mm² · 0.04 N/mm² = 16 N; a touch of 0.5 mm bears 0.393 N.
  assert.deepEqual(weaknessesOf(cube, square(9, 7, 5), 5), []);
  const [few] = weaknessesOf(cube, square(9, 6, 5), 5);
  assert.equal(few.kind, "PULL");
  assert.ok(Math.abs(few.heldShare - (36 * touchStrengthN(TOUCH_MM)) / 16.2) < 0.03, `${few.heldShare}`);
  assert.deepEqual(kindsOf(weaknessesOf(cube, square(3, 7, 5, [5, 0]), 5)), ["LEAN"]);
  assert.deepEqual(weaknessesOf(cube, [], 5)[0].heldShare, 0);
});

test("a region that is not connected yet is held by its own tips only", () => {
  const gate = [box([40, 10, 6]), moved(box([8, 8, 30]), [-16, 0, -18]), moved(box([8, 8, 30]), [16, 0, -18])];
  const [left, right] = [-16, 16].map((x) => square(3.5, 4, 5, [x, 0]));
  assert.ok(!weaknessesOf(gate, [...left, ...right], 5).some(({ point }) => point[2] < 35));
  const one = weaknessesOf(gate, [...left, ...left.map(([x, y, z]): Vec3 => [x + 0.6, y, z])], 5);
  assert.ok(one.some(({ kind, point, heldShare }) => kind === "PULL" && heldShare === 0 && point[0] > 10));
});

test("a cap that leans out breaks its stem, unless tips above the stem hold it", () => {
  const stem = lathe(
    [
      [0, 0],
      [8, 0],
      [8, 2],
      [1.5, 3],
      [1.5, 20],
      [0, 20],
    ],
    48,
    false,
  );
  const aside = [stem, moved(box([20, 20, 4]), [9, 0, 21.9])];
  assert.deepEqual(kindsOf(weaknessesOf(aside)).includes("NECK"), true);
  const tips = square(9, 7, 19.9, [9, 0]);
  assert.ok(!kindsOf(weaknessesOf(aside, tips)).includes("NECK"), "relieved by tips");
  const thick = lathe(
    [
      [0, 0],
      [8, 0],
      [8, 20],
      [0, 20],
    ],
    48,
    false,
  );
  assert.deepEqual(weaknessesOf([thick, moved(box([20, 20, 4]), [4, 0, 21.9])]), []);
});

test("tall thin walls wobble from a height that follows from their bending, but not above tips that hold them", () => {
  const wall = [box([60, 2, 100])];
  // H L³ / (3 E I) = 0.2 mm: H = 0.1 · 0.04 · 120 N (some pixels more), I = 60 · 2³ / 12 mm⁴, E = 1600 N/mm².
  const lengthMm = Math.cbrt((0.2 * 3 * 1600 * 40) / 0.48);
  const wobbling = weaknessesOf(wall);
  assert.deepEqual(kindsOf(wobbling), ["WOBBLE"]);
  assert.ok(
    wobbling.every(({ point }) => point[2] > 0.85 * lengthMm),
    `${wobbling.map(({ point }) => point[2])} mm, from ${lengthMm} mm`,
  );
  const row = (z: number): Vec3[] => [-20, -10, 0, 10, 20].map((x): Vec3 => [x, -1, z]);
  assert.deepEqual(weaknessesOf(wall, [...row(38), ...row(75)]), []);
  assert.deepEqual(weaknessesOf([box([60, 8, 100])]), []);
  assert.deepEqual(weaknessesOf([box([2, 2, 100])]), [], "a pin with less pull than a touch bears is left alone");
});
