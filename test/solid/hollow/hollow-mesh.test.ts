import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { loadManifold } from "../../../src/geometry/manifold.ts";
import { type Vec3, add, length, lerp, subtract, times, unit } from "../../../src/geometry/vector.ts";
import { bodiesOf, bodyVolumes } from "../../../src/mesh/bodies.ts";
import { toManifold } from "../../../src/mesh/boolean.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../../src/mesh/bvh/closest-point.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import {
  type Mesh,
  type Surface,
  concatenateSurfaces,
  cornersOf,
  facetNormal,
  flipFacets,
  triangleCount,
} from "../../../src/mesh/mesh.ts";
import { type LayerNet, makeWellComposed } from "../../../src/mesh/voxel/surface-nets.ts";
import { fillSlab } from "../../../src/solid/hollow/fill-slab.ts";
import { type HollowedMesh, hollowMesh, slabSurface } from "../../../src/solid/hollow/hollow-mesh.ts";
import { type HollowRequest, planHollow, slabCount } from "../../../src/solid/hollow/hollow-plan.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved, perforated, surfaceOfStl } from "../../fixture/surface-edits.ts";
import { assertNear } from "../../fixture/test-server.ts";
import { longTest, slowCases, slowRuns, slowSample } from "../../fixture/long.ts";

type Options = Partial<Omit<HollowRequest, "mesh">>;

const DEFAULTS = { scale: 1, wallMm: 2, featureMm: 1, accuracy: 0.5 };

/** Hollows a mesh on this thread: in the slabs of its plan, or of `thickness` layers, which `orderOf` can reorder. */
async function hollow(
  mesh: Mesh,
  options: Options = {},
  thickness?: number,
  orderOf = (slabs: readonly number[]): readonly number[] => slabs,
): Promise<HollowedMesh> {
  const planned = planHollow({ mesh, ...DEFAULTS, ...options }, noProgress);
  const plan = thickness === undefined ? planned : { ...planned, bounds: boundsOf(planned.field.layers, thickness) };
  const slabs = orderOf(Array.from({ length: slabCount(plan) }, (_, slab) => slab));
  for (const slab of slabs) fillSlab(plan, slab, noProgress);
  makeWellComposed(plan.field, noProgress);
  const surfaces: LayerNet[] = [];
  for (const slab of slabs) surfaces[slab] = slabSurface(plan, slab, noProgress);
  return hollowMesh(plan, surfaces, noProgress);
}

const boundsOf = (layers: number, thickness: number): number[] => [
  ...Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness),
  layers,
];

const FILES = new URL("../../fixture/corpus/", import.meta.url);
const corpusMesh = (name: string): Mesh => meshOf(surfaceOfStl(readFileSync(fileURLToPath(new URL(name, FILES)))));

/** The surface of the cavity, facing outward. */
function cavityOf({ mesh }: HollowedMesh, solid: Mesh): Surface {
  const facets = new Set(facetsOf(solid));
  const left = facetsOf(mesh).flatMap((facet, i) =>
    facets.has(facet) ? [] : [...mesh.triangles.subarray(3 * i, 3 * i + 3)],
  );
  const cavity = canonicalMesh({ vertices: mesh.vertices, triangles: Uint32Array.from(left) }, 1, noProgress);
  return flipFacets(cavity, () => true);
}

/** Each facet as the text of its corners, in the order of a canonical mesh. */
const facetsOf = ({ vertices, triangles }: Surface): string[] =>
  Array.from({ length: triangles.length / 3 }, (_, facet) =>
    [0, 1, 2]
      .map((corner) =>
        vertices.subarray(3 * triangles[3 * facet + corner], 3 * triangles[3 * facet + corner] + 3).join(),
      )
      .join(" "),
  );

const volumeOf = (surface: Surface): number => canonicalMesh(surface, 1, noProgress).volumeMm3;

async function assertClosedManifold({ mesh }: HollowedMesh): Promise<void> {
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
  toManifold(await loadManifold(), mesh).delete();
  assert.equal(isSelfIntersecting(mesh, noProgress), false);
}

/**
 * The volume that a rolling ball of radius r does not fill along the edges of a box, of total length `edges`, and its
 * corners.
 */
const cornersLost = (r: number, edges: number): number =>
  edges * r * r * (1 - Math.PI / 4) + 8 * r ** 3 * (1 - Math.PI / 6);

const WALL = 2;
/** Solids, and the volumes of their cavities with walls of 2 mm and features of 1 mm. */
const CLOSED_FORMS: Readonly<Record<string, readonly [solid: Mesh, cavityMm3: number]>> = {
  cube: [meshOf(box([18, 18, 18])), 14 ** 3 - cornersLost(0.5, 12 * 13)],
  sphere: [meshOf(uvSphere(9, 96, 48)), (4 / 3) * Math.PI * 7 ** 3],
  cylinder: [meshOf(cylinder(8, 16, 160)), Math.PI * 6 ** 2 * 12 - 2 * (2 * Math.PI * 5.7 * 0.25 * (1 - Math.PI / 4))],
  torus: [meshOf(torus(11, 5, 120, 48)), 2 * Math.PI ** 2 * 11 * 3 ** 2],
};

test("the shells of a cube, sphere, cylinder and torus have the volumes of their closed forms", async () => {
  for (const [name, [solid, cavityMm3]] of Object.entries(CLOSED_FORMS)) {
    for (const [accuracy, within] of slowCases([
      [0.5, 0.02],
      [1, 0.005],
    ] as const)) {
      const { mesh } = await hollow(solid, { accuracy });
      const shell = solid.volumeMm3 - cavityMm3;
      assertNear(mesh.volumeMm3, shell, within * shell, `${name} at ${accuracy}`);
    }
  }
});

test("a hollowed mesh keeps its exact facets, is a closed manifold, and has few new facets in flat areas", async () => {
  for (const [name, [solid]] of slowSample(Object.entries(CLOSED_FORMS), 3)) {
    const hollowed = await hollow(solid, { accuracy: 0 });
    const facets = new Set(facetsOf(hollowed.mesh));
    assert.ok(
      facetsOf(solid).every((facet) => facets.has(facet)),
      name,
    );
    await assertClosedManifold(hollowed);
  }
  const { mesh } = await hollow(CLOSED_FORMS.cube![0], { accuracy: 1 });
  assert.ok(mesh.triangles.length / 3 < 3000, `${mesh.triangles.length / 3} facets`);
});

/** Distances from the vertices and centroids of the facets of one surface to another, with the points. */
function* distancesTo(surface: Surface, other: Surface): Generator<readonly [mm: number, point: Vec3]> {
  const tree = buildBvh(other, noProgress);
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    const [a, b, c] = cornersOf(surface, facet);
    const centroid = times(add(add(a, b), c), 1 / 3);
    for (const point of [a, centroid]) yield [distanceToSurface(tree, point, 1000), point];
  }
}

longTest("walls of real models are as thick as requested, and no thicker if the cavity has space", async () => {
  for (const [name, wallMm] of slowCases([
    ["mf-hull-body-x0.35.stl", 6],
    ["mf-hull-body-x0.35.stl", 4],
    ["thingi-65004.stl", 1.2],
  ] as const)) {
    const solid = corpusMesh(name);
    const hollowed = await hollow(solid, { wallMm, accuracy: 1, featureMm: 0.5 });
    await assertClosedManifold(hollowed);
    const cavity = cavityOf(hollowed, solid);
    const toSolid = buildBvh(solid, noProgress);
    const toCavity = buildBvh({ ...cavity, vertices: Float32Array.from(cavity.vertices) }, noProgress);
    for (const [mm, point] of distancesTo(cavity, solid))
      assert.ok(mm > 0.95 * wallMm, `${name}: ${mm} mm at ${point}`);
    let sampled = 0;
    // Below each point of the surface the cavity begins at the depth of the wall if more than a feature fits.
    for (const [point, inward] of inwardSamples(solid)) {
      const at = (depth: number): Vec3 => add(point, times(inward, depth));
      const ball = 0.25 * 1.3;
      if (distanceToSurface(toSolid, at(wallMm + ball), 100) < 0.999 * (wallMm + ball)) continue;
      const toHollow = distanceToSurface(toCavity, point, 100);
      sampled++;
      assert.ok(Math.abs(toHollow / wallMm - 1) < 0.05, `${name}: ${toHollow} mm at ${point}`);
    }
    assert.ok(sampled > 30, `${name}: ${sampled} samples`);
  }
});

/** Random points on a mesh, even over its area, with the directions into the solid. */
function* inwardSamples(mesh: Mesh): Generator<readonly [Vec3, Vec3]> {
  const random = randomFrom(5);
  for (let facet = 0; facet < triangleCount(mesh); facet++) {
    const [a, b, c] = cornersOf(mesh, facet);
    const normal = facetNormal(mesh, facet);
    const samples = Math.floor(((length(normal) / 2) * slowRuns(3000)) / mesh.areaMm2 + random());
    for (let i = 0; i < samples; i++) {
      const [v, w] = [random(), random()].sort();
      const point = add(lerp(a, b, v), times(subtract(c, a), 1 - w));
      yield [point, times(unit(normal), -1)];
    }
  }
}

/** Two cubes connected by a bar with a width of 2 · wall + `gap`. */
async function dumbbell(gap: number): Promise<Mesh> {
  const { Manifold } = await loadManifold();
  const width = 2 * WALL + gap;
  const parts = [
    Manifold.cube([12, 12, 12], true).translate([-14, 0, 0]),
    Manifold.cube([12, 12, 12], true).translate([14, 0, 0]),
    Manifold.cube([20, width, width], true),
  ];
  const { vertProperties, triVerts } = Manifold.union(parts).getMesh();
  return meshOf({ vertices: vertProperties.slice(), triangles: triVerts.slice() });
}

longTest("a cavity is connected if a feature fits between its walls, and only then", async () => {
  for (const [gap, featureMm, cavities] of [
    [0.6, 1, 2],
    [1.4, 1, 1],
    [0.6, 0.3, 1],
    [-0.5, 0.1, 2],
  ] as const) {
    const found = await hollow(await dumbbell(gap), { accuracy: 1, featureMm });
    assert.equal(found.cavities, cavities, `${gap} mm between walls, features of ${featureMm} mm`);
  }
});

longTest("a smaller feature size gives sharper edges, and a higher accuracy gives smaller voxels", async () => {
  const [cube] = CLOSED_FORMS.cube!;
  const volumes = await Promise.all(
    [1, 0.5, 0.1].map(async (featureMm) => (await hollow(cube, { accuracy: 1, featureMm })).mesh.volumeMm3),
  );
  assert.ok(volumes[0] > volumes[1] && volumes[1] > volumes[2], `${volumes}`);
  const sizes = await Promise.all([0, 0.5, 1].map(async (accuracy) => (await hollow(cube, { accuracy })).voxelMm));
  assertNear(sizes[0], WALL / 3.5, 1e-9);
  assert.ok(sizes[0] > sizes[1] && sizes[1] > sizes[2]);
  assertNear(sizes[2], WALL / 10, 1e-9);
});

test("lengths apply to the model in its scene, at any scale", async () => {
  const [cube] = CLOSED_FORMS.cube!;
  const half = meshOf(box([9, 9, 9]));
  const [one, other] = [await hollow(cube), await hollow(half, { scale: 2 })];
  assertNear(8 * other.mesh.volumeMm3, one.mesh.volumeMm3, 1e-3 * one.mesh.volumeMm3);
  assert.equal(other.voxelMm, one.voxelMm);
});

longTest("existing cavities get walls, and each body its own cavity", async () => {
  const shell = concatenateSurfaces([box([24, 24, 24]), insideOut(box([6, 6, 6]))]);
  const walled = await hollow(meshOf(shell), { accuracy: 1, featureMm: 0.1 });
  await assertClosedManifold(walled);
  assert.equal(walled.cavities, 1);
  const cavity = 20 ** 3 - (6 ** 3 + 6 * 6 * 6 * 2 + 3 * Math.PI * 4 * 6 + (4 / 3) * Math.PI * 8);
  assertNear(walled.mesh.volumeMm3, 24 ** 3 - 6 ** 3 - cavity, 0.01 * cavity);

  const pair = meshOf(box([10, 10, 10]), moved(box([10, 10, 10]), [14, 3, 1]), moved(box([3, 3, 3]), [0, 14, 0]));
  const hollowed = await hollow(pair);
  assert.equal(hollowed.cavities, 2);
  assert.deepEqual(
    bodyVolumes(hollowed.mesh, bodiesOf(hollowed.mesh))
      .toSorted()
      .map((mm3) => Math.sign(mm3)),
    new Float64Array([-1, -1, 1, 1, 1]),
  );
});

longTest("the cavity does not depend on the position of the mesh, and each run gives the same bytes", async () => {
  const solid = corpusMesh("thingi-65004.stl");
  const away = canonicalMesh(moved(solid, [40.3, -7.7, 12.1]), 1, noProgress);
  const [one, again, other] = [
    await hollow(solid, { wallMm: 1.2, accuracy: 0 }),
    await hollow(solid, { wallMm: 1.2, accuracy: 0 }),
    await hollow(away, { wallMm: 1.2, accuracy: 0 }),
  ];
  assert.equal(again.mesh.hash, one.mesh.hash);
  const [a, b] = [volumeOf(cavityOf(one, solid)), volumeOf(cavityOf(other, away))];
  assertNear(b, a, 1e-3 * a);
});

longTest("seams between slabs leave no trace, whatever the order in which threads finish the slabs", async () => {
  const [mesh, options] = [corpusMesh("thingi-65004.stl"), { wallMm: 1.2, accuracy: 0 }];
  const whole = await hollow(mesh, options);
  const inOrder = await hollow(mesh, options, 14);
  await assertClosedManifold(inOrder);
  assert.equal(inOrder.cavities, whole.cavities);
  assertNear(inOrder.mesh.volumeMm3, whole.mesh.volumeMm3, 2e-4 * whole.mesh.volumeMm3);
  assertNear(inOrder.mesh.triangles.length, whole.mesh.triangles.length, 0.1 * whole.mesh.triangles.length);
  const oddFirst = (slabs: readonly number[]): readonly number[] => slabs.toSorted((a, b) => (b % 2) - (a % 2));
  assert.equal((await hollow(mesh, options, 14, oddFirst)).mesh.hash, inOrder.mesh.hash);
});

test("slabs begin at even layers, and a large model has several", () => {
  for (const [mm, slabs] of [
    [30, 1],
    [70, 6],
  ] as const) {
    const { bounds, field } = planHollow({ ...DEFAULTS, mesh: meshOf(box([mm, mm, mm])), accuracy: 1 }, noProgress);
    assert.equal(bounds.length - 1, slabs);
    assert.ok(
      bounds.slice(0, -1).every((from, i) => from % 2 === 0 && from < bounds[i + 1]),
      `${bounds}`,
    );
    assert.equal(bounds.at(-1), field.layers);
  }
});

test("a mesh that cannot be hollowed is refused with the reason", async () => {
  const cube = box([20, 20, 20]);
  const cases: [Mesh, Options, RegExp][] = [
    [meshOf(cube), { wallMm: 9.8 }, /nowhere thick enough for two walls of 9.8 mm and 1 mm between/],
    [meshOf(box([20, 20, 3])), {}, /nowhere thick enough/],
    [meshOf(perforated(cube, 1, randomFrom(1))), {}, /no closed manifold, it has 3 open edges/],
    [meshOf(insideOut(cube)), {}, /1 inside-out body/],
    [meshOf(box([5, 5, 5]), moved(box([5, 5, 5]), [5, 5, 0])), {}, /non-manifold edge/],
    [meshOf(box([400, 400, 400])), { wallMm: 0.1 }, /too large for walls of 0.1 mm/],
  ];
  for (const [mesh, options, message] of cases) {
    await assert.rejects(
      hollow(mesh, options),
      (fault: ApiError) => fault.code === "OPERATION_FAILED" && message.test(fault.message),
    );
  }
});

test("a solid of many facets is hollowed in two slabs where one of few facets is hollowed in one", () => {
  const [few, many] = [uvSphere(34.5, 64, 32), uvSphere(34.5, 800, 125)].map((surface) => {
    const plan = planHollow({ mesh: meshOf(surface), ...DEFAULTS }, noProgress);
    return { slabs: slabCount(plan), layers: plan.field.layers };
  });
  assert.deepEqual([few.slabs, many.slabs, few.layers], [1, 2, many.layers]);
});
