import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { drillModel } from "../../src/feature/drill/drill-model.ts";
import {
  extractSlabSurface,
  fillCavitySlab,
  hollowModel,
  planOneHollow,
} from "../../src/feature/hollow/hollow-model.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Mesh, concatenateSurfaces, solidVolumeMm3 } from "../../src/mesh/mesh.ts";
import { makeWellComposed } from "../../src/mesh/voxel/surface-nets.ts";
import { withOverlapsOnce } from "../../src/repair/solid-volume.ts";
import { labelMesh } from "../../src/solid/label/label-mesh.ts";
import { box, cylinder } from "../fixture/shapes.ts";

// The winding number in an overlap of bodies is 2. A hole, a cavity or a letter reduced it by 1, so that slices still filled it.

const moved = (x: number, surface = box([20, 20, 20])) => ({
  ...surface,
  vertices: Float64Array.from(surface.vertices, (value, i) => (i % 3 === 0 ? value + x : value)),
});
const meshOf = (...xs: readonly number[]): Mesh =>
  canonicalMesh(concatenateSurfaces(xs.map((x) => moved(x))), 1, noProgress);
const [TWO, ONE] = [meshOf(0, 10), meshOf(0)];

/** The volume that slices fill. */
const filledMm3 = (mesh: Mesh): number => solidVolumeMm3(withOverlapsOnce(mesh, noProgress));
const top = (mesh: Mesh, x: number): [number, number, number] => [
  mesh.box.min[0] + x,
  mesh.box.min[1] + 10,
  mesh.box.max[2],
];

async function drilledMm3(mesh: Mesh, x: number): Promise<number> {
  const hole = { position: top(mesh, x), direction: [0, 0, -1], diameterMm: 4, depthMm: 40, outsetMm: 1 } as const;
  const drilled = await drillModel({ mesh, holes: [hole], plugged: [], clearanceMm: 0.1 }, noProgress);
  return filledMm3(mesh) - filledMm3(drilled.mesh);
}

test("a hole in overlapping bodies is as deep as in one body", async () => {
  assert.ok(Math.abs((await drilledMm3(TWO, 15)) - (await drilledMm3(ONE, 10))) < 0.5);
  assert.ok((await drilledMm3(ONE, 10)) > Math.PI * 4 * 20 - 1);
});

async function hollowed(mesh: Mesh) {
  const plan = await planOneHollow({ mesh, scale: 1, wallMm: 2, featureMm: 1, accuracy: 0.5 }, noProgress);
  const slabs = plan.bounds.slice(1).map((_, slab) => ({ plan, slab }));
  for (const one of slabs) fillCavitySlab(one, noProgress);
  makeWellComposed(plan.field, noProgress);
  const surfaces = slabs.map((one) => extractSlabSurface(one, noProgress));
  return hollowModel({ plan, surfaces, holes: [] }, noProgress);
}

test("overlapping bodies are hollowed as one solid", async () => {
  const { mesh, cavities } = await hollowed(TWO);
  assert.equal(cavities, 1);
  const expected = 30 * 20 * 20 - 26 * 16 * 16;
  assert.ok(Math.abs(filledMm3(mesh) - expected) < 0.01 * expected, `${filledMm3(mesh)} mm³`);
  assert.ok(Math.abs(mesh.volumeMm3 - filledMm3(mesh)) < 1, "its own facets enclose nothing twice");
});

test("letters are sunk into overlapping bodies as into one body", async () => {
  const engraved = async (mesh: Mesh, x: number): Promise<number> => {
    const placement = { position: top(mesh, x), along: [1, 0, 0], normal: [0, 0, 1] } as const;
    const request = { mesh, text: "I", placement, fontSizeMm: 6, depthMm: 1, mode: "ENGRAVE" } as const;
    return filledMm3(mesh) - filledMm3((await labelMesh(request, noProgress)).mesh);
  };
  const [one, two] = [await engraved(ONE, 10), await engraved(TWO, 15)];
  assert.ok(one > 1 && Math.abs(two - one) < 0.05 * one, `${two} mm³, ${one} mm³ in one body`);
});

test("bodies that are only in the boxes of each other keep every facet", async () => {
  const apart = canonicalMesh(concatenateSurfaces([cylinder(3, 10), moved(30)]), 1, noProgress);
  const hole = { position: [0, 0, 500], direction: [0, 0, -1], diameterMm: 4, depthMm: 4, outsetMm: 1 } as const;
  const { mesh } = await drillModel({ mesh: apart, holes: [hole], plugged: [], clearanceMm: 0.1 }, noProgress);
  assert.equal(mesh, apart);
});
