import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { packChamber } from "../../src/pack/pack-chamber.ts";
import { cageLattice } from "../../src/solid/cage/cage-lattice.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, evenly, gridOf, meshOf, placed } from "../fixture/slices.ts";

const THICKNESS_MM = 0.5;
const SHAPES = [box([12, 8, 10]), torus(8, 3), uvSphere(6), tetrahedron(14), cylinder(9, 1.5)];

test("the layers of a packed chamber have the sum of the areas of its parts and its cage", async () => {
  const { mesh } = await cageLattice(
    {
      innerMm: [30, 24, 12],
      outerLimitMm: [60, 60, 60],
      openingMm: 5,
      barWidthMm: 1.5,
      barThicknessMm: 1.5,
      bars: "SQUARE",
      roundsEdges: true,
    },
    noProgress,
  );
  const cage = placed(mesh, { position: [0, 0, -mesh.box.min[2]] });
  const parts = SHAPES.map((shape) => ({ ...placed(meshOf(shape)), turns: "none" as const }));
  const region = { min: [-32, -32, 0], max: [32, 32, 60], filletRadiusMm: 10 } as const;
  const packing = packChamber({ parts, obstacles: [cage], region, spacingMm: 2, wallDistanceMm: 0 }, noProgress);
  assert.equal(packing.placed, parts.length);
  // All parts have found a place.
  const all = [cage, ...parts.map((part, i) => placed(part.mesh, packing.poses[i]!))];
  const slicing = {
    boundariesMm: evenly(Math.floor(packing.heightMm / THICKNESS_MM), THICKNESS_MM),
    grid: gridOf(320, 320, 0.2),
  };
  const alone = all.map((one) => areasOf({ ...slicing, placed: [one] }));
  assert.ok(alone.every((areas) => areas.some((areaMm2) => areaMm2 > 0)));
  areasOf({ ...slicing, placed: all }).forEach((areaMm2, k) => {
    const sum = alone.reduce((area, areas) => area + areas[k], 0);
    assert.ok(Math.abs(areaMm2 - sum) <= 1e-6 * sum, `layer ${k}: ${areaMm2} is not ${sum}`);
  });
});
