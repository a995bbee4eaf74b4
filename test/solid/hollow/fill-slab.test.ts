import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { fillSlab } from "../../../src/solid/hollow/fill-slab.ts";
import { planHollow } from "../../../src/solid/hollow/hollow-plan.ts";
import { surfaceOfStl } from "../../fixture/altered.ts";
import { meshOf } from "../../fixture/slices.ts";

const scan = meshOf(surfaceOfStl(readFileSync(new URL("../../fixture/corpus/thingi-65004.stl", import.meta.url))));

/** A voxel's worth of values; and what two walks to about the nearest facet may differ by. */
const STEPS = 32_767;
const WALKS_DIFFER = 0.02 * STEPS;

test("slabs however thick are parts of the same cavity", () => {
  const request = { mesh: scan, scale: 1, wallMm: 1.2, featureMm: 1, accuracy: 0.3 };
  const filled = (boundsOf: (layers: number) => number[]): Int16Array => {
    const plan = planHollow(request, unwatched);
    const bounds = boundsOf(plan.field.layers);
    bounds.slice(1).forEach((_, slab) => fillSlab({ ...plan, bounds }, slab, unwatched));
    return plan.field.values;
  };
  const whole = filled((layers) => [0, layers]);
  assert.ok(whole.some((value) => value > 0));
  for (const thickness of [8, 22]) {
    const values = filled((layers) => [
      ...Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness),
      layers,
    ]);
    const farthest = whole.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i]!)), 0);
    assert.ok(farthest <= WALKS_DIFFER, `${farthest / STEPS} voxels`);
  }
});
