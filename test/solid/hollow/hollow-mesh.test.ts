import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Fault } from "../../../src/core/fault.ts";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { bodiesOf, bodyVolumes } from "../../../src/mesh/bodies.ts";
import { booleanKernel } from "../../../src/mesh/boolean/kernel.ts";
import { solidOf } from "../../../src/mesh/boolean/solid-of.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { distanceTo } from "../../../src/mesh/bvh/nearest-point.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { combine } from "../../../src/mesh/combine.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { flipFacets } from "../../../src/mesh/repair/flip-facets.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { hollowInSlabs } from "../../../src/api/model/hollow-in-slabs.ts";
import type { Hollow } from "../../../src/solid/hollow/hollow-mesh.ts";
import { type HollowPlan, type HollowRequest, planHollow } from "../../../src/solid/hollow/hollow-plan.ts";
import { TASKS } from "../../../src/worker/table.ts";
import { insideOut, moved, perforated, randomFrom, surfaceOfStl } from "../../fixture/altered.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { assertNear } from "../../fixture/workshop.ts";

type Options = Partial<Omit<HollowRequest, "mesh">>;

const DEFAULTS = { scale: 1, wallMm: 2, featureMm: 1, accuracy: 0.5 };

/** Runs each task at once, on this thread. */
const kit: Parameters<typeof hollowInSlabs>[2] = {
  compute: async (task, input) => (await TASKS[task](input as never, unwatched)) as never,
};

const hollow = (mesh: Mesh, options: Options = {}): Promise<Hollow> =>
  hollowInSlabs({ request: { mesh, ...DEFAULTS, ...options }, number: 0, of: 1 }, [], kit);

const FILES = new URL("../../fixture/corpus/", import.meta.url);
const fromFile = (name: string): Mesh => meshOf(surfaceOfStl(readFileSync(fileURLToPath(new URL(name, FILES)))));

/** The walls of what was hollowed out, facing outward. */
function cavityOf({ mesh }: Hollow, solid: Mesh): Surface {
  const facets = new Set(facetsOf(solid));
  const left = facetsOf(mesh).flatMap((facet, i) =>
    facets.has(facet) ? [] : [...mesh.triangles.subarray(3 * i, 3 * i + 3)],
  );
  const cavity = canonicalMesh({ vertices: mesh.vertices, triangles: Uint32Array.from(left) }, 1, unwatched);
  return flipFacets(cavity, () => true);
}

/** The corners of each facet, to the bit and in the order in which a canonical mesh has them. */
const facetsOf = ({ vertices, triangles }: Surface): string[] =>
  Array.from({ length: triangles.length / 3 }, (_, facet) =>
    [0, 1, 2]
      .map((corner) =>
        vertices.subarray(3 * triangles[3 * facet + corner]!, 3 * triangles[3 * facet + corner]! + 3).join(),
      )
      .join(" "),
  );

const volumeOf = (surface: Surface): number => canonicalMesh(surface, 1, unwatched).volumeMm3;

async function assertSound({ mesh }: Hollow): Promise<void> {
  assert.deepEqual(faultsOf(survey(mesh, unwatched)), []);
  solidOf(await booleanKernel(), mesh).delete();
  assert.equal(isSelfIntersecting(facetTree(mesh, unwatched), unwatched), false);
}

/** Of a ball of r that goes along the edges of a box: what it does not fill of the box, at edges of the length `edges` in all. */
const cornersLost = (r: number, edges: number): number =>
  edges * r * r * (1 - Math.PI / 4) + 8 * r ** 3 * (1 - Math.PI / 6);

const WALL = 2;
/** Solids, and the volumes of their hollows with walls of 2 mm and features of 1 mm. */
const CLOSED_FORMS: Readonly<Record<string, readonly [solid: Mesh, cavityMm3: number]>> = {
  cube: [meshOf(box([18, 18, 18])), 14 ** 3 - cornersLost(0.5, 12 * 13)],
  sphere: [meshOf(uvSphere(9, 96, 48)), (4 / 3) * Math.PI * 7 ** 3],
  cylinder: [meshOf(cylinder(8, 16, 160)), Math.PI * 6 ** 2 * 12 - 2 * (2 * Math.PI * 5.7 * 0.25 * (1 - Math.PI / 4))],
  torus: [meshOf(torus(11, 5, 120, 48)), 2 * Math.PI ** 2 * 11 * 3 ** 2],
};

test("the shells of cube, sphere, cylinder and torus have the volumes of closed forms", async () => {
  for (const [name, [solid, cavityMm3]] of Object.entries(CLOSED_FORMS)) {
    for (const [accuracy, within] of [
      [0.5, 0.02],
      [1, 0.005],
    ] as const) {
      const { mesh } = await hollow(solid, { accuracy });
      const shell = solid.volumeMm3 - cavityMm3;
      assertNear(mesh.volumeMm3, shell, within * shell, `${name} at ${accuracy}`);
    }
  }
});

test("a hollowed mesh keeps its facets to the bit and is sound, of few more facets where it is flat", async () => {
  for (const [name, [solid]] of Object.entries(CLOSED_FORMS)) {
    const hollowed = await hollow(solid, { accuracy: 0 });
    const facets = new Set(facetsOf(hollowed.mesh));
    assert.ok(
      facetsOf(solid).every((facet) => facets.has(facet)),
      name,
    );
    await assertSound(hollowed);
  }
  const { mesh } = await hollow(CLOSED_FORMS.cube![0], { accuracy: 1 });
  assert.ok(mesh.triangles.length / 3 < 3000, `${mesh.triangles.length / 3} facets`);
});

/** Distances from the vertices and the middles of the facets of one surface to another, and the places. */
function* distancesTo(surface: Surface, other: Surface): Generator<readonly [mm: number, place: Vec3]> {
  const tree = facetTree(other, unwatched);
  const { vertices, triangles } = surface;
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [0, 1, 2].map((i) => vertices.subarray(3 * triangles[at + i]!, 3 * triangles[at + i]! + 3));
    const middle = [0, 1, 2].map((axis) => (corners[0]![axis]! + corners[1]![axis]! + corners[2]![axis]!) / 3);
    for (const place of [corners[0]!, middle])
      yield [distanceTo(tree, place as unknown as Vec3, 1000), place as unknown as Vec3];
  }
}

test("walls of real models are as thick as asked, and no thicker where there is room for the hollow", async () => {
  for (const [name, wallMm] of [
    ["thingi-65004.stl", 1.2],
    ["mf-hull-body-x0.35.stl", 4],
    ["mf-hull-body-x0.35.stl", 6],
  ] as const) {
    const solid = fromFile(name);
    const hollowed = await hollow(solid, { wallMm, accuracy: 1, featureMm: 0.5 });
    await assertSound(hollowed);
    const cavity = cavityOf(hollowed, solid);
    const toSolid = facetTree(solid, unwatched);
    const toCavity = facetTree({ ...cavity, vertices: Float32Array.from(cavity.vertices) }, unwatched);
    for (const [mm, place] of distancesTo(cavity, solid))
      assert.ok(mm > 0.95 * wallMm, `${name}: ${mm} mm at ${place}`);
    let sampled = 0;
    // Above each place of the surface there is a cavity at the wall's depth, where a feature and more fits in there.
    for (const [place, inward] of inwardSamples(solid)) {
      const at = (depth: number): Vec3 =>
        [0, 1, 2].map((axis) => place[axis]! + depth * inward[axis]!) as unknown as Vec3;
      const ball = 0.25 * 1.3;
      if (distanceTo(toSolid, at(wallMm + ball), 100) < 0.999 * (wallMm + ball)) continue;
      const toHollow = distanceTo(toCavity, place, 100);
      sampled++;
      assert.ok(Math.abs(toHollow / wallMm - 1) < 0.05, `${name}: ${toHollow} mm at ${place}`);
    }
    assert.ok(sampled > 30, `${name}: ${sampled} samples`);
  }
});

/** Places on a mesh, spread over its area, and the directions into the solid there. */
function* inwardSamples({ vertices, triangles, areaMm2 }: Mesh): Generator<readonly [Vec3, Vec3]> {
  const random = randomFrom(5);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => vertices.subarray(3 * triangles[at + i]!, 3 * triangles[at + i]! + 3)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const normal = meshNormal(a, b, c);
    const size = Math.hypot(...normal);
    const samples = Math.floor(((size / 2) * 3000) / areaMm2 + random());
    for (let i = 0; i < samples; i++) {
      const [v, w] = [random(), random()].sort() as [number, number];
      const place = [0, 1, 2].map((k) => a[k]! + v * (b[k]! - a[k]!) + (1 - w) * (c[k]! - a[k]!));
      yield [place as unknown as Vec3, normal.map((value) => -value / size) as unknown as Vec3];
    }
  }
}

function meshNormal(a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>): number[] {
  const [u, v] = [b, c].map((corner) => [0, 1, 2].map((axis) => corner[axis]! - a[axis]!)) as [number[], number[]];
  return [0, 1, 2].map((axis) => u[(axis + 1) % 3]! * v[(axis + 2) % 3]! - u[(axis + 2) % 3]! * v[(axis + 1) % 3]!);
}

/** Two cubes and a bar of 2·wall + `gap` that joins them. */
async function dumbbell(gap: number): Promise<Mesh> {
  const { Manifold } = await booleanKernel();
  const width = 2 * WALL + gap;
  const parts = [
    Manifold.cube([12, 12, 12], true).translate([-14, 0, 0]),
    Manifold.cube([12, 12, 12], true).translate([14, 0, 0]),
    Manifold.cube([20, width, width], true),
  ];
  const { vertProperties, triVerts } = Manifold.union(parts).getMesh();
  return meshOf({ vertices: vertProperties.slice(), triangles: triVerts.slice() });
}

test("a hollow goes through where a feature fits between its walls and nowhere else", async () => {
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

test("a smaller feature size leaves sharper edges, more accuracy smaller voxels", async () => {
  const [cube] = CLOSED_FORMS.cube!;
  const volumes = await Promise.all(
    [1, 0.5, 0.1].map(async (featureMm) => (await hollow(cube, { accuracy: 1, featureMm })).mesh.volumeMm3),
  );
  assert.ok(volumes[0]! > volumes[1]! && volumes[1]! > volumes[2]!, `${volumes}`);
  const sizes = await Promise.all([0, 0.5, 1].map(async (accuracy) => (await hollow(cube, { accuracy })).voxelMm));
  assertNear(sizes[0], WALL / 3.5, 1e-9);
  assert.ok(sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!);
  assertNear(sizes[2], WALL / 10, 1e-9);
});

test("lengths are those of the model in its scene, whatever its scale", async () => {
  const [cube] = CLOSED_FORMS.cube!;
  const half = meshOf(box([9, 9, 9]));
  const [one, other] = [await hollow(cube), await hollow(half, { scale: 2 })];
  assertNear(8 * other.mesh.volumeMm3, one.mesh.volumeMm3, 1e-3 * one.mesh.volumeMm3);
  assert.equal(other.voxelMm, one.voxelMm);
});

test("cavities get walls as well, and each body its own hollow", async () => {
  const shell = combine([box([24, 24, 24]), insideOut(box([6, 6, 6]))]);
  const walled = await hollow(meshOf(shell), { accuracy: 1, featureMm: 0.1 });
  await assertSound(walled);
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

test("the hollow is the same wherever the mesh is, and to the byte in every run", async () => {
  const solid = fromFile("thingi-65004.stl");
  const away = canonicalMesh(moved(solid, [40.3, -7.7, 12.1]), 1, unwatched);
  const [one, again, other] = [
    await hollow(solid, { wallMm: 1.2, accuracy: 0 }),
    await hollow(solid, { wallMm: 1.2, accuracy: 0 }),
    await hollow(away, { wallMm: 1.2, accuracy: 0 }),
  ];
  assert.equal(again.mesh.hash, one.mesh.hash);
  const [a, b] = [volumeOf(cavityOf(one, solid)), volumeOf(cavityOf(other, away))];
  assertNear(b, a, 1e-3 * a);
});

/** The same, in slabs of so many layers. */
const inSlabsOf = (thickness: number): typeof kit => ({
  compute: async (task, input) => {
    const done = await kit.compute(task, input);
    if (task !== "planHollow") return done as never;
    const plan = done as HollowPlan;
    const { layers } = plan.field;
    const starts = Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness);
    return { ...plan, bounds: [...starts, layers] } as never;
  },
});

test("the seams of slabs do not show, whatever the order in which threads are done with them", async () => {
  const request = { ...DEFAULTS, mesh: fromFile("thingi-65004.stl"), wallMm: 1.2 };
  const share = { request, number: 0, of: 1 };
  const whole = await hollowInSlabs(share, [], kit);
  const thin = inSlabsOf(14);
  const inOrder = await hollowInSlabs(share, [], thin);
  await assertSound(inOrder);
  assert.equal(inOrder.cavities, whole.cavities);
  assertNear(inOrder.mesh.volumeMm3, whole.mesh.volumeMm3, 2e-4 * whole.mesh.volumeMm3);
  assertNear(inOrder.mesh.triangles.length, whole.mesh.triangles.length, 0.1 * whole.mesh.triangles.length);
  let jobs = 0;
  const late: typeof kit = {
    compute: async (task, input) => {
      await sleep(jobs++ % 2 === 0 ? 5 : 0);
      return (await thin.compute(task, input)) as never;
    },
  };
  assert.equal((await hollowInSlabs(share, [], late)).mesh.hash, inOrder.mesh.hash);
});

test("slabs begin at even layers, and what is large is in several", () => {
  for (const [mm, slabs] of [
    [30, 1],
    [70, 6],
  ] as const) {
    const { bounds, field } = planHollow({ ...DEFAULTS, mesh: meshOf(box([mm, mm, mm])), accuracy: 1 }, unwatched);
    assert.equal(bounds.length - 1, slabs);
    assert.ok(
      bounds.slice(0, -1).every((from, i) => from % 2 === 0 && from < bounds[i + 1]!),
      `${bounds}`,
    );
    assert.equal(bounds.at(-1), field.layers);
  }
});

test("what cannot be hollowed is refused with the reason", async () => {
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
      (fault: Fault) => fault.code === "OPERATION_FAILED" && message.test(fault.message),
    );
  }
});
