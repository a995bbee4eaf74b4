import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import * as repairModule from "../../src/repair/repair.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import {
  type Facet,
  facetsOf,
  insideOut,
  moved,
  partlyFlipped,
  perforated,
  shuffled,
  surfaceOfStl,
  unwelded,
  withFacets,
} from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);
const repair = async (mesh: Mesh, progress: Progress): Promise<Mesh> =>
  (await repairModule.repair(mesh, progress)).mesh;
const corpus = (name: string): Surface =>
  surfaceOfStl(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url)));

const SHAPES: Record<string, Surface> = {
  box: box([10, 20, 30]),
  sphere: uvSphere(15, 32, 16),
  torus: torus(20, 6),
  cylinder: cylinder(8, 25),
  "real part": meshOf(corpus("thingi-65004.stl")),
};

/** The repaired mesh, after checks that it has no defects and encloses `volume` within the relative `tolerance`. */
async function assertRepaired(broken: Surface, volume: number, tolerance: number): Promise<Mesh> {
  const mesh = meshOf(broken);
  const found = meshReport(mesh, noProgress);
  assert.notDeepEqual([describeDefects(found), found.collapsedFacets], [[], 0]);
  const repaired = await repair(mesh, noProgress);
  assert.deepEqual(describeDefects(meshReport(repaired, noProgress)), []);
  assert.ok(Math.abs(repaired.volumeMm3 - volume) <= tolerance * volume, `${repaired.volumeMm3} for ${volume}`);
  assert.equal(await repair(repaired, noProgress), repaired);
  return repaired;
}

for (const [name, shape] of Object.entries(SHAPES)) {
  const sound = meshOf(shape);
  const volume = sound.volumeMm3;
  // The box has only twelve facets, and the facets of a cylinder are long: if more are removed, the shape is lost.
  const [mostHoles, holeTolerance] = name === "box" ? [2, 0.5] : name === "cylinder" ? [10, 0.2] : [40, 0.2];

  test(`a valid ${name} is returned as the same object`, async () =>
    assert.equal(await repair(sound, noProgress), sound));

  test(`a ${name} with missing facets is closed and keeps its other facets`, async () => {
    for (let seed = 0; seed < slowRuns(40); seed++) {
      const broken = meshOf(perforated(sound, 1 + (seed % mostHoles), randomFrom(seed)));
      const repaired = await assertRepaired(broken, volume, holeTolerance);
      const kept = new Set(placesOf(repaired));
      assert.deepEqual(
        placesOf(broken).filter((facet) => !kept.has(facet)),
        [],
      );
    }
  });

  test(`a ${name} with one facet missing gets exactly that facet back`, async () => {
    for (let seed = 0; seed < 5; seed++) {
      assert.equal((await repair(meshOf(perforated(sound, 1, randomFrom(seed))), noProgress)).hash, sound.hash);
    }
  });

  test(`a ${name} with 30 % of its facets flipped faces outward again`, async () => {
    for (let seed = 0; seed < 5; seed++) {
      assert.equal((await assertRepaired(partlyFlipped(sound, 0.3, randomFrom(seed)), volume, 0)).hash, sound.hash);
    }
  });

  test(`a ${name} turned inside out faces outward again`, async () => {
    assert.equal((await assertRepaired(insideOut(sound), volume, 0)).hash, sound.hash);
  });

  test(`a ${name} loses its duplicate facets of either orientation`, async () => {
    const facets = facetsOf(sound);
    const again = facets.filter((_, i) => i % 3 === 0);
    assert.equal((await assertRepaired(withFacets(sound, [...facets, ...again]), volume, 0)).hash, sound.hash);
    const bothWays = [...facets, ...again, ...again.map(([a, b, c]): Facet => [a, c, b])];
    assert.equal((await assertRepaired(withFacets(sound, bothWays), volume, 0)).hash, sound.hash);
  });

  test(`a ${name} is welded along seams opened by noise`, async () => {
    for (let seed = 0; seed < 5; seed++) {
      const repaired = await assertRepaired(unwelded(sound, 4e-6, randomFrom(seed)), volume, 1e-4);
      assert.equal(repaired.triangles.length, sound.triangles.length);
    }
  });

  test(`a ${name} loses facets with a repeated corner`, async () => {
    const facets = facetsOf(sound);
    const [a, b, c] = facets[0];
    assert.equal(
      (await assertRepaired(withFacets(sound, [...facets, [a, a, b], [c, c, c]]), volume, 0)).hash,
      sound.hash,
    );
  });

  test(`a ${name} with many defects at once is repaired`, async () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = randomFrom(seed);
      const holed = perforated(partlyFlipped(sound, 0.2, random), Math.ceil(mostHoles / 2), random);
      const facets = facetsOf(holed);
      const broken = shuffled(withFacets(holed, [...facets, ...facets.slice(0, 3)]), random);
      await assertRepaired(broken, volume, holeTolerance);
    }
  });
}

test("a degenerate facet attached to an edge is removed", async () => {
  const cube = box([2, 2, 2]);
  const middle = cube.vertices.length / 3;
  const vertices = Float64Array.from([...cube.vertices, 0, -1, -1]);
  const fin = withFacets({ vertices }, [...facetsOf(cube), [0, 1, middle]]);
  assert.equal((await assertRepaired(fin, 8, 0)).hash, meshOf(cube).hash);
});

test("a T-junction is closed by a flat facet", async () => {
  // A facet on one side of an edge has a vertex on it that the facet on the other side does not have.
  const cube = box([2, 2, 2]);
  const facets = facetsOf(cube).filter((facet) => !facet.every((v) => [0, 1, 4, 5].includes(v)));
  const middle = cube.vertices.length / 3;
  const split = { vertices: Float64Array.from([...cube.vertices, 0, -1, -1]) };
  const broken = withFacets(split, [...facets, [0, middle, 5], [middle, 1, 5], [0, 5, 4]]);
  await assertRepaired(broken, 8, 0);
});

test("a large hole is filled: an open tube gets both lids", async () => {
  for (const segments of [12, 200, 600]) {
    const tube = cylinder(10, 20, segments);
    const heightOf = (v: number): number => tube.vertices[3 * v + 2];
    const open = withFacets(
      tube,
      facetsOf(tube).filter((facet) => new Set(facet.map(heightOf)).size > 1),
    );
    const repaired = await assertRepaired(open, tube.volume, 1e-5);
    assert.equal(repaired.triangles.length / 3, 4 * segments - 4);
  }
});

test("a large hole that is not convex is filled without folds", async () => {
  // With ripples on the wall the boundary is not convex.
  for (const segments of [120, 480]) {
    const tube = cylinder(10, 20, segments);
    const gear = tube.vertices.map((value, i) => (i % 3 < 2 && Math.floor(i / 3) % 4 < 2 ? 0.8 * value : value));
    const whole = meshOf({ vertices: gear, triangles: tube.triangles });
    const heightOf = (v: number): number => whole.vertices[3 * v + 2];
    const open = withFacets(
      whole,
      facetsOf(whole).filter((facet) => new Set(facet.map(heightOf)).size > 1),
    );
    const repaired = await assertRepaired(open, whole.volumeMm3, 1e-4);
    assert.ok(Math.abs(repaired.areaMm2 / whole.areaMm2 - 1) < 1e-4, `${repaired.areaMm2} for ${whole.areaMm2}`);
  }
});

test("a cavity stays a cavity, and an inverted hollow body is inverted as a whole", async () => {
  const hollow = concatenateSurfaces([uvSphere(10), insideOut(uvSphere(6))]);
  const sound = meshOf(hollow);
  assert.equal(await repair(sound, noProgress), sound);
  assert.equal((await repair(meshOf(insideOut(hollow)), noProgress)).hash, sound.hash);
  assert.equal((await repair(meshOf(insideOut(uvSphere(10)), insideOut(uvSphere(6))), noProgress)).hash, sound.hash);
  const apart = meshOf(hollow, moved(box([3, 3, 3]), [30, 0, 0]));
  assert.equal(
    (await repair(meshOf(hollow, moved(insideOut(box([3, 3, 3])), [30, 0, 0])), noProgress)).hash,
    apart.hash,
  );
  const flipped = partlyFlipped(hollow, 0.3, randomFrom(11));
  assert.equal((await repair(meshOf(flipped), noProgress)).hash, sound.hash);
});

test("a valid body keeps its triangles when its neighbour is repaired", async () => {
  const neighbour = moved(torus(20, 6), [100, 0, 0]);
  const broken = concatenateSurfaces([perforated(uvSphere(10), 20, randomFrom(5)), neighbour]);
  const repaired = await assertRepaired(broken, uvSphere(10).volume + torus(20, 6).volume, 0.05);
  const kept = new Set(placesOf(repaired));
  assert.ok(placesOf(meshOf(neighbour)).every((facet) => kept.has(facet)));
});

test("a real part with twelve facets missing gets them back", async () => {
  const { hash, volumeMm3 } = meshOf(corpus("thingi-65004.stl"));
  const repaired = await assertRepaired(corpus("gen-65004-holes12.stl"), volumeMm3, 1e-6);
  assert.equal(repaired.hash, hash);
});

test("repair reports progress and ends when cancelled", async () => {
  const broken = meshOf(perforated(uvSphere(10), 5, randomFrom(1)));
  const state = newTaskState();
  await repair(broken, taskProgress(state));
  assert.ok(readProgress(state) > 0.8);
  cancelTask(state);
  await assert.rejects(() => repair(broken, taskProgress(state)), CancelledError);
});

/** Each facet as text: the coordinates of its corners. */
function placesOf(mesh: Mesh): string[] {
  const point = (v: number): string => mesh.vertices.slice(3 * v, 3 * v + 3).join(" ");
  return facetsOf(mesh).map((facet) => facet.map(point).join(", "));
}
