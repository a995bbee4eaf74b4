import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { fillSlab } from "../../../src/solid/hollow/fill-slab.ts";
import { planHollow } from "../../../src/solid/hollow/hollow-plan.ts";
import { slowCases } from "../../fixture/long.ts";
import { meshOf } from "../../fixture/slices.ts";
import { surfaceOfStl } from "../../fixture/surface-edits.ts";

const scan = meshOf(surfaceOfStl(readFileSync(new URL("../../fixture/corpus/thingi-65004.stl", import.meta.url))));

/** A difference of one voxel in the values, and the greatest difference of two searches for the nearest facet. */
const STEPS = 32_767;
const SEARCHES_DIFFER = 0.02 * STEPS;

for (const accuracy of slowCases([0, 0.3])) {
  test(`slabs of any thickness are parts of the same cavity, at accuracy ${accuracy}`, () => assertParts(accuracy));
}

function assertParts(accuracy: number): void {
  const request = { mesh: scan, scale: 1, wallMm: 1.2, featureMm: 1, accuracy };
  const fieldOf = (boundsOf: (layers: number) => number[]): Int16Array => {
    const plan = planHollow(request, noProgress);
    const bounds = boundsOf(plan.field.layers);
    bounds.slice(1).forEach((_, slab) => fillSlab({ ...plan, bounds }, slab, noProgress));
    return plan.field.values;
  };
  const whole = fieldOf((layers) => [0, layers]);
  assert.ok(whole.some((value) => value > 0));
  for (const thickness of slowCases([8, 22])) {
    const values = fieldOf((layers) => [
      ...Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness),
      layers,
    ]);
    const farthest = whole.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i])), 0);
    assert.ok(farthest <= SEARCHES_DIFFER, `${farthest / STEPS} voxels`);
  }
}
