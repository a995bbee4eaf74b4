import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import type { LayerLoad } from "../../../src/hold/layer-loads.ts";
import { touchStrengthN } from "../../../src/hold/strengths.ts";
import { type Touch, touchLoads } from "../../../src/support/points/touch-loads.ts";
import { randomFrom } from "../../fixture/random.ts";

/** The pull on layers of 1 mm from 10 mm upward, given by area and middle. */
const loadsOf = (layers: readonly (readonly [areaMm2: number, x: number, y: number])[]): LayerLoad[] =>
  layers.map(([areaMm2, x, y], i) => ({ heightMm: 10.5 + i, n: 0.04 * areaMm2, x, y }));

/** Touches of one size. */
const ofSize = (sizeMm: number, places: readonly Vec3[]): Touch[] => places.map((position) => ({ position, sizeMm }));

const SQUARE: readonly Vec3[] = [
  [-5, -5, 10],
  [5, -5, 10],
  [-5, 5, 10],
  [5, 5, 10],
];

const near = (value: number, wanted: number): void =>
  assert.ok(Math.abs(value - wanted) <= 2e-3 * (1 + wanted), `${value} instead of ${wanted}`);

test("touches share a pull in their middle equally", () => {
  for (const load of touchLoads(loadsOf([[20, 0, 0]]), ofSize(0.5, SQUARE))) near(load, (0.04 * 20) / 4);
});

test("touches on the side to which a part leans bear more, as for a rigid part on springs", () => {
  // A load 2 mm off the middle of four springs at 5 mm from the middle: a quarter each, plus or minus 2 · 5 / (4 · 5²).
  const [left, right] = touchLoads(loadsOf([[20, 2, 0]]), ofSize(0.5, SQUARE));
  near(left, 0.8 * (1 / 4 - 1 / 10));
  near(right, 0.8 * (1 / 4 + 1 / 10));
});

test("forces and moments of loads below the strength of touches are in equilibrium with the pull", () => {
  const random = randomFrom(3);
  let checked = 0;
  for (let trial = 0; trial < 50; trial++) {
    const touches = Array.from({ length: 5 + trial }, (): Vec3 => [20 * random() - 10, 20 * random() - 10, 10]);
    const [x, y] = [2 * random() - 1, 2 * random() - 1];
    const loads = touchLoads(loadsOf([[6, x, y]]), ofSize(0.5, touches));
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
  const [, most] = touchLoads(loadsOf([[20, 30, 0]]), ofSize(0.5, SQUARE));
  near(most, touchStrengthN(0.5));
  const torn = touchLoads(loadsOf([[2000, 0, 0]]), ofSize(0.5, SQUARE));
  near(torn[0], 10 * Math.PI * 0.25 ** 2);
});

test("a touch bears only the layers above it", () => {
  const touches: Vec3[] = [...SQUARE, [0, 0, 12]];
  const loads = touchLoads(
    loadsOf([
      [40, 0, 0],
      [30, 0, 0],
      [20, 0, 0],
      [10, 0, 0],
    ]),
    ofSize(1, touches),
  );
  near(loads[0], (0.04 * 40) / 4);
  near(loads[4], (0.04 * 20) / 5);
});

test("touches share a pull by their areas, each up to its own strength", () => {
  const [light, medium, heavy] = [0.3, 0.5, 0.8];
  const touches = ofSize(medium, SQUARE).map((touch, i) => ({ ...touch, sizeMm: i < 2 ? light : heavy }));
  // Two light and two heavy ones on each side of the middle in y, where the pull is on the line of equal stretch.
  const middleY = (5 * (heavy ** 2 - light ** 2)) / (heavy ** 2 + light ** 2);
  const shared = touchLoads(loadsOf([[10, 0, middleY]]), touches);
  near(shared[0] / shared[2], (light / heavy) ** 2);
  near(shared[0] + shared[2], (0.04 * 10) / 2);
  const torn = touchLoads(loadsOf([[5000, 0, middleY]]), touches);
  for (const [i, { sizeMm }] of touches.entries()) near(torn[i], 10 * Math.PI * (sizeMm / 2) ** 2);
});

test("a touch of twice the area bears what two touches at its place bear", () => {
  const random = randomFrom(5);
  for (let trial = 0; trial < 20; trial++) {
    const places = Array.from({ length: 6 }, (): Vec3 => [20 * random() - 10, 20 * random() - 10, 10]);
    const [twice, ...others] = places;
    const layers = loadsOf([[5, 4 * random() - 2, 4 * random() - 2]]);
    const both = touchLoads(layers, ofSize(0.5, [twice, twice, ...others]));
    const one = touchLoads(layers, [{ position: twice, sizeMm: 0.5 * Math.SQRT2 }, ...ofSize(0.5, others)]);
    near(one[0], both[0] + both[1]);
    for (let i = 1; i < one.length; i++) near(one[i], both[i + 1]);
  }
});
