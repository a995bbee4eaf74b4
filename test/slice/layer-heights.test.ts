import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { countLayers, layerBoundariesMm, type Slopes } from "../../src/slice/layer-heights.ts";

const STEP_MM = 0.005;
const BOUNDS = { minMm: 0.025, maxMm: 0.1 };
const ROUNDING = 1e-9;

const thicknessesOf = (boundaries: Float64Array): number[] =>
  Array.from(boundaries.subarray(1), (z, k) => z - boundaries[k]);

/** A body with the same slope at every height. */
const evenly = (flat: number, bottomMm: number, topMm: number, slabs = 100): Slopes => ({
  bottomMm,
  topMm,
  flatness: new Float32Array(slabs).fill(flat),
});

/** Uniformly distributed, unlike `fc.double`, most of whose values are tiny. */
const between = (min: number, max: number) =>
  fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => min + ((max - min) * millionths) / 1_000_000);

const bodies = fc.array(
  fc
    .record({
      bottomMm: between(-3, 5),
      heightMm: between(0.1, 10),
      flatness: fc.array(between(0, 1), { minLength: 1, maxLength: 60 }),
    })
    .map(({ bottomMm, heightMm, flatness }): Slopes => ({
      bottomMm,
      topMm: bottomMm + heightMm,
      flatness: Float32Array.from(flatness),
    })),
  { maxLength: 4 },
);

const bounds = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 60 }))
  .map(([min, more]) => ({ minMm: min * STEP_MM, maxMm: (min + more) * STEP_MM }));

const topOf = (all: readonly Slopes[]): number => Math.max(0, ...all.map(({ topMm }) => topMm));

const NANOMETRE = 1e-6;

test("uniform layers are at multiples of their thickness and end less than a layer above the top", () => {
  const thickness = between(0.01, 0.3);
  fc.assert(
    fc.property(thickness, between(0, 20), (thicknessMm, topMm) => {
      const boundaries = layerBoundariesMm(thicknessMm, topMm, []);
      boundaries.forEach((z, k) => assert.ok(Math.abs(z - k * thicknessMm) <= NANOMETRE, `${z} is not ${k} layers`));
      const last = boundaries.at(-1)!;
      assert.ok(last >= topMm - 2e-6 * thicknessMm - NANOMETRE && last < topMm + thicknessMm);
      assert.equal(boundaries.length, countLayers(topMm, thicknessMm) + 1);
    }),
  );
});

test("a scene with nothing above the platform has no layers", () => {
  for (const thickness of [0.1, BOUNDS]) {
    for (const topMm of [0, -3]) {
      assert.deepEqual(layerBoundariesMm(thickness, topMm, [evenly(0.5, -5, topMm)]), Float64Array.of(0));
    }
  }
});

test("adaptive layers have thicknesses of whole steps within their bounds and end less than the thinnest layer and a step above the top", () => {
  fc.assert(
    fc.property(bodies, bounds, (slopes, { minMm, maxMm }) => {
      const topMm = topOf(slopes);
      const boundaries = layerBoundariesMm({ minMm, maxMm }, topMm, slopes);
      assert.equal(boundaries[0], 0);
      for (const thickness of thicknessesOf(boundaries)) {
        assert.ok(thickness >= minMm - ROUNDING && thickness <= maxMm + ROUNDING, `${thickness}`);
        const steps = (thickness - minMm) / STEP_MM;
        assert.ok(Math.abs(steps - Math.round(steps)) < 1e-5, `${thickness} is ${steps} steps`);
      }
      const last = boundaries.at(-1)!;
      assert.ok(last >= topMm - 1e-6 * minMm - ROUNDING && last < topMm + Math.max(minMm, STEP_MM) + ROUNDING);
    }),
  );
});

test("no cusp is higher than the cusp of the thinnest layer, for any bodies", () => {
  fc.assert(
    fc.property(bodies, bounds, (slopes, { minMm, maxMm }) => {
      const boundaries = layerBoundariesMm({ minMm, maxMm }, topOf(slopes), slopes);
      thicknessesOf(boundaries).forEach((thickness, k) => {
        if (thickness <= minMm + ROUNDING) return;
        for (const { bottomMm, topMm, flatness } of slopes) {
          const slabMm = (topMm - bottomMm) / flatness.length;
          flatness.forEach((flat, slab) => {
            const from = Math.max(boundaries[k], bottomMm + slab * slabMm);
            const to = Math.min(boundaries[k + 1], bottomMm + (slab + 1) * slabMm);
            if (to - from > 1e-6) assert.ok(thickness * flat <= minMm + 1e-6, `${thickness} mm at ${flat}`);
          });
        }
      });
    }),
  );
});

test("a constant slope has layers as thick as its cusp allows, to a step", () => {
  for (const degrees of [0, 5, 20, 45, 60, 75, 80, 90]) {
    const flat = Math.cos((degrees * Math.PI) / 180);
    const allowed = Math.min(BOUNDS.maxMm, BOUNDS.minMm / flat);
    const expected = BOUNDS.minMm + STEP_MM * Math.floor((allowed - BOUNDS.minMm) / STEP_MM + 1e-6);
    const thicknesses = thicknessesOf(layerBoundariesMm(BOUNDS, 12, [evenly(flat, 0, 12)]));
    // The last layers end at the top.
    for (const thickness of thicknesses.slice(0, -2)) {
      assert.ok(Math.abs(thickness - expected) < ROUNDING, `${thickness} at ${degrees}°`);
    }
  }
});

test("layers become thin where a slope begins, not before", () => {
  const flatness = new Float32Array(100).fill(0, 0, 50).fill(1, 50);
  const boundaries = layerBoundariesMm(BOUNDS, 10, [{ bottomMm: 0, topMm: 10, flatness }]);
  const thicknesses = thicknessesOf(boundaries);
  thicknesses.forEach((thickness, k) => {
    const expected = boundaries[k + 1] <= 5 + ROUNDING ? BOUNDS.maxMm : BOUNDS.minMm;
    assert.ok(Math.abs(thickness - expected) < ROUNDING, `${thickness} at ${boundaries[k]}`);
  });
  assert.equal(thicknesses.length, 50 + 200);
});

test("the order of bodies and the number of slabs change nothing", () => {
  fc.assert(
    fc.property(bodies, (slopes) => {
      const topMm = topOf(slopes);
      const plain = layerBoundariesMm(BOUNDS, topMm, slopes);
      assert.deepEqual(layerBoundariesMm(BOUNDS, topMm, slopes.toReversed()), plain);
      const halved = slopes.map((body) => ({
        ...body,
        flatness: Float32Array.from({ length: 2 * body.flatness.length }, (_, k) => body.flatness[k >> 1]),
      }));
      assert.deepEqual(layerBoundariesMm(BOUNDS, topMm, halved), plain);
    }),
  );
});
