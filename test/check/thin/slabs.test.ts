import assert from "node:assert/strict";
import { test } from "node:test";
import { type Slab, slabsOf } from "../../../src/check/thin/slabs.ts";
import type { ThinCell, ThinLayer } from "../../../src/check/thin/thin-cells.ts";
import { type ThinFeatures, finishThinFeatures, searchSlab } from "../../../src/check/thin/thin-features.ts";
import { type ThinPlan, planThinFeatures } from "../../../src/check/thin/thin-plan.ts";
import { joinSlabs, slabRegions } from "../../../src/check/thin/thin-regions.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { UPRIGHT } from "../../../src/geometry/pose.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { slowCases } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";
import { thinVolumeOf } from "../../fixture/thin-parts.ts";

async function planOf(mesh: Mesh, thresholdMm: number): Promise<ThinPlan> {
  const request = { mesh, orientation: UPRIGHT, scale: 1, sizeMm: [9, 9, 9] as const, thresholdMm };
  const plan = await planThinFeatures(request, noProgress);
  assert.ok(typeof plan !== "string", String(plan));
  return plan;
}

/** The plan with slabs of about that many layers. */
const inSlabs = (plan: ThinPlan, layers: number): ThinPlan => ({
  ...plan,
  slabs: slabsOf(plan.surface, plan.grid, plan.modelThresholdMm, { work: 0, layers }),
});

/** The result of a plan whose slabs are searched in the given order. */
function resultOf(plan: ThinPlan, order: readonly number[] = [...plan.slabs.keys()]): ThinFeatures {
  const found = new Map(order.map((slab) => [slab, structuredClone(searchSlab(plan, slab, noProgress))]));
  return finishThinFeatures(
    plan,
    plan.slabs.map((_, slab) => found.get(slab)!),
  );
}

const SHAPES: [what: string, mesh: () => Mesh, thresholdMm: number][] = [
  ["a thin plate", () => meshOf(box([7, 5, 0.9])), 1],
  ["a block with a fin", () => meshOf(box([4, 3, 3]), moved(box([0.6, 3, 4]), [0.5, 0, 3])), 1],
  ["a shell", () => meshOf(uvSphere(2), insideOut(uvSphere(1.3))), 1],
  ["a rod through a ring", () => meshOf(torus(2, 0.4), cylinder(0.7, 5)), 1],
];

for (const [what, meshFor, thresholdMm] of slowCases(SHAPES)) {
  test(`${what} has the same thin regions in one slab and in many, searched in any order`, async () => {
    const plan = await planOf(meshFor(), thresholdMm);
    const whole = resultOf(inSlabs(plan, Infinity));
    const many = inSlabs(plan, 10);
    assert.ok(many.slabs.length > 2);
    const found = resultOf(many);
    assert.equal(found.regions.length, whole.regions.length);
    const [volume, expected] = [thinVolumeOf(found), thinVolumeOf(whole)];
    assert.ok(Math.abs(volume - expected) <= 0.01 * expected, `${volume} is not ${expected}`);
    assert.deepEqual(resultOf(many, [...many.slabs.keys()].toReversed()), found);
  });
}

test("slabs follow one another, have the least number of layers, and look beyond their ends", async () => {
  const plan = await planOf(meshOf(box([9, 4, 3]), moved(torus(4, 1), [0, 0, 3])), 1);
  const { layers } = plan.grid;
  for (const least of [5, 8, 13, 40]) {
    const { slabs } = inSlabs(plan, least);
    assert.deepEqual(
      slabs.map(({ from }) => from),
      [0, ...slabs.slice(0, -1).map(({ end }) => end)],
    );
    assert.equal(slabs.at(-1)!.end, layers);
    for (const slab of slabs) {
      assert.ok(slab.end - slab.from >= Math.min(least, layers));
      assertLooksBeyond(slab, plan);
    }
  }
});

function assertLooksBeyond({ from, end, classified, lowMm, highMm }: Slab, { grid, surface }: ThinPlan): void {
  assert.ok(classified.from === 0 || classified.from <= from - 3);
  assert.ok(classified.end === grid.layers || classified.end >= end + 3);
  assert.ok(lowMm < classified.from * grid.cellMm && highMm > classified.end * grid.cellMm);
  const heights = surface.vertices.filter((_, at) => at % 3 === 2);
  if (classified.from === 0) assert.ok(lowMm < Math.min(...heights));
  if (classified.end === grid.layers) assert.ok(highMm > Math.max(...heights));
}

const COLUMNS = 9;
const ROWS = 7;

/** Random thin cells, in layers from the lowest up. */
function someLayers(seed: number, density: number): ThinLayer[] {
  const random = randomFrom(seed);
  return Array.from({ length: 12 }, (_, layer) => {
    const cells: ThinCell[] = [];
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        if (random() > density) continue;
        const point: Vec3 = [column + random(), row + random(), layer + random()];
        cells.push({ row, column, coverage: 1 + Math.floor(255 * random()), isClear: random() < 0.7, point });
      }
    }
    return { layer, cells };
  }).filter(({ cells }) => cells.length > 0);
}

test("regions do not depend on where slabs end", () => {
  const ends = fc.uniqueArray(fc.integer({ min: 1, max: 11 }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(0.02, 0.08, 0.2), ends, (seed, density, unsorted) => {
      const layers = someLayers(seed, density);
      const regionsOf = (some: readonly ThinLayer[]) => slabRegions(some, ROWS, (point) => point);
      const bounds = [0, ...unsorted.toSorted((a, b) => a - b), 12];
      const slabs = bounds
        .slice(1)
        .map((end, i) => regionsOf(layers.filter(({ layer }) => layer >= bounds[i] && layer < end)));
      assert.deepEqual(joinSlabs(slabs, 2), joinSlabs([regionsOf(layers)], 2));
    }),
  );
});
