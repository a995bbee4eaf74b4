import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import type { Sections } from "../../../src/hold/sections.ts";
import { touchStrengthN } from "../../../src/hold/strengths.ts";
import { touchLoads } from "../../../src/support/points/touch-loads.ts";
import { randomFrom } from "../../fixture/random.ts";

/** Sections of one region in each layer of 1 mm from 10 mm upward, given by area and middle. */
function sectionsOf(layers: readonly (readonly [areaMm2: number, x: number, y: number])[]): Sections {
  const column = (i: 0 | 1 | 2): Float64Array => Float64Array.from(layers, (layer) => layer[i]);
  const zeros = new Float64Array(layers.length);
  return {
    heightsMm: Float64Array.from({ length: layers.length + 1 }, (_, i) => (i === 0 ? 0.5 : 9.5 + i)),
    // Nothing is in the first layer, on the platform.
    starts: Int32Array.from({ length: layers.length + 2 }, (_, i) => Math.max(0, i - 1)),
    areasMm2: column(0),
    x: column(1),
    y: column(2),
    xx: zeros,
    xy: zeros,
    yy: zeros,
    belowStarts: new Int32Array(layers.length + 1),
    below: new Int32Array(0),
  };
}

const SQUARE: readonly Vec3[] = [
  [-5, -5, 10],
  [5, -5, 10],
  [-5, 5, 10],
  [5, 5, 10],
];

const near = (value: number, wanted: number): void =>
  assert.ok(Math.abs(value - wanted) <= 2e-3 * (1 + wanted), `${value} instead of ${wanted}`);

test("touches share a pull in their middle equally", () => {
  for (const load of touchLoads(sectionsOf([[20, 0, 0]]), SQUARE, 0.5)) near(load, (0.04 * 20) / 4);
});

test("touches on the side to which a part leans bear more, as for a rigid part on springs", () => {
  // A load 2 mm off the middle of four springs at 5 mm from the middle: a quarter each, plus or minus 2 · 5 / (4 · 5²).
  const [left, right] = touchLoads(sectionsOf([[20, 2, 0]]), SQUARE, 0.5);
  near(left, 0.8 * (1 / 4 - 1 / 10));
  near(right, 0.8 * (1 / 4 + 1 / 10));
});

test("forces and moments of loads below the strength of touches are in equilibrium with the pull", () => {
  const random = randomFrom(3);
  let checked = 0;
  for (let trial = 0; trial < 50; trial++) {
    const touches = Array.from({ length: 5 + trial }, (): Vec3 => [20 * random() - 10, 20 * random() - 10, 10]);
    const [x, y] = [2 * random() - 1, 2 * random() - 1];
    const loads = touchLoads(sectionsOf([[6, x, y]]), touches, 0.5);
    const force = loads.reduce((total, load) => total + load, 0);
    // Pressed touches count with their size; only trials without any are compared.
    if (force > 0.2401) continue;
    checked++;
    const turning = (axis: 0 | 1): number => touches.reduce((total, touch, i) => total + loads[i] * touch[axis], 0);
    near(force, 0.24);
    near(turning(0), 0.24 * x);
    near(turning(1), 0.24 * y);
  }
  assert.ok(checked > 10, `${checked} trials`);
});

test("no touch bears more than its strength while others have reserves, nor more than what tears it off", () => {
  const [, most] = touchLoads(sectionsOf([[20, 30, 0]]), SQUARE, 0.5);
  near(most, touchStrengthN(0.5));
  const torn = touchLoads(sectionsOf([[2000, 0, 0]]), SQUARE, 0.5);
  near(torn[0], 10 * Math.PI * 0.25 ** 2);
});

test("a touch bears only the layers above it", () => {
  const touches: Vec3[] = [...SQUARE, [0, 0, 12]];
  const loads = touchLoads(
    sectionsOf([
      [40, 0, 0],
      [30, 0, 0],
      [20, 0, 0],
      [10, 0, 0],
    ]),
    touches,
    1,
  );
  near(loads[0], (0.04 * 40) / 4);
  near(loads[4], (0.04 * 20) / 5);
});
