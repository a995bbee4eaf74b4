import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  Cancelled,
  cancelJob,
  newJobState,
  progressOf,
  unwatched,
  type Watch,
  watchJob,
} from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import { combine } from "../../src/mesh/combine.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import * as whole from "../../src/mesh/repair/repair.ts";
import { faultsOf, survey } from "../../src/mesh/survey.ts";
import type { Facet } from "../fixture/altered.ts";
import {
  facetsOf,
  insideOut,
  moved,
  partlyFlipped,
  perforated,
  randomFrom,
  shuffled,
  surfaceOfStl,
  unwelded,
  withFacets,
} from "../fixture/altered.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(combine(surfaces), 1, unwatched);
const repair = (mesh: Mesh, watch: Watch): Mesh => whole.repair(mesh, watch).mesh;
const corpus = (name: string): Surface =>
  surfaceOfStl(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url)));

const SHAPES: Record<string, Surface> = {
  box: box([10, 20, 30]),
  sphere: uvSphere(15, 32, 16),
  torus: torus(20, 6),
  cylinder: cylinder(8, 25),
  "real part": meshOf(corpus("thingi-65004.stl")),
};

/** The repaired mesh, after checks that it is sound, and that it encloses `volume` to within `tolerance` of it. */
function assertMended(broken: Surface, volume: number, tolerance: number): Mesh {
  const mesh = meshOf(broken);
  const found = survey(mesh, unwatched);
  assert.notDeepEqual([faultsOf(found), found.collapsedFacets], [[], 0]);
  const mended = repair(mesh, unwatched);
  assert.deepEqual(faultsOf(survey(mended, unwatched)), []);
  assert.ok(Math.abs(mended.volumeMm3 - volume) <= tolerance * volume, `${mended.volumeMm3} for ${volume}`);
  assert.equal(repair(mended, unwatched), mended);
  return mended;
}

for (const [name, shape] of Object.entries(SHAPES)) {
  const sound = meshOf(shape);
  const volume = sound.volumeMm3;
  // Twelve facets make up the whole box, and a cylinder's are long: fewer may go before the shape is lost.
  const [mostHoles, holeTolerance] = name === "box" ? [2, 0.5] : name === "cylinder" ? [10, 0.2] : [40, 0.2];

  test(`a sound ${name} comes back as the same object`, () => assert.equal(repair(sound, unwatched), sound));

  test(`a ${name} with facets missing is closed, and keeps the facets it has`, () => {
    for (let seed = 0; seed < 40; seed++) {
      const broken = meshOf(perforated(sound, 1 + (seed % mostHoles), randomFrom(seed)));
      const mended = assertMended(broken, volume, holeTolerance);
      const kept = new Set(placesOf(mended));
      assert.deepEqual(
        placesOf(broken).filter((facet) => !kept.has(facet)),
        [],
      );
    }
  });

  test(`a ${name} with one facet missing gets that very facet back`, () => {
    for (let seed = 0; seed < 5; seed++) {
      assert.equal(repair(meshOf(perforated(sound, 1, randomFrom(seed))), unwatched).hash, sound.hash);
    }
  });

  test(`a ${name} with 30 % of its facets flipped faces outward again`, () => {
    for (let seed = 0; seed < 5; seed++) {
      assert.equal(assertMended(partlyFlipped(sound, 0.3, randomFrom(seed)), volume, 0).hash, sound.hash);
    }
  });

  test(`a ${name} turned inside out faces outward again`, () => {
    assert.equal(assertMended(insideOut(sound), volume, 0).hash, sound.hash);
  });

  test(`a ${name} loses its duplicate facets, whichever way they face`, () => {
    const facets = facetsOf(sound);
    const again = facets.filter((_, i) => i % 3 === 0);
    assert.equal(assertMended(withFacets(sound, [...facets, ...again]), volume, 0).hash, sound.hash);
    const bothWays = [...facets, ...again, ...again.map(([a, b, c]): Facet => [a, c, b])];
    assert.equal(assertMended(withFacets(sound, bothWays), volume, 0).hash, sound.hash);
  });

  test(`a ${name} is welded along seams that noise has torn`, () => {
    for (let seed = 0; seed < 5; seed++) {
      const mended = assertMended(unwelded(sound, 4e-6, randomFrom(seed)), volume, 1e-4);
      assert.equal(mended.triangles.length, sound.triangles.length);
    }
  });

  test(`a ${name} loses facets with a repeated corner`, () => {
    const facets = facetsOf(sound);
    const [a, b, c] = facets[0];
    assert.equal(assertMended(withFacets(sound, [...facets, [a, a, b], [c, c, c]]), volume, 0).hash, sound.hash);
  });

  test(`a ${name} with many faults at once is mended`, () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = randomFrom(seed);
      const holed = perforated(partlyFlipped(sound, 0.2, random), Math.ceil(mostHoles / 2), random);
      const facets = facetsOf(holed);
      const broken = shuffled(withFacets(holed, [...facets, ...facets.slice(0, 3)]), random);
      assertMended(broken, volume, holeTolerance);
    }
  });
}

test("a facet without area that sticks to an edge goes", () => {
  const cube = box([2, 2, 2]);
  const middle = cube.vertices.length / 3;
  const vertices = Float64Array.from([...cube.vertices, 0, -1, -1]);
  const fin = withFacets({ vertices }, [...facetsOf(cube), [0, 1, middle]]);
  assert.equal(assertMended(fin, 8, 0).hash, meshOf(cube).hash);
});

test("a T-junction is closed by a flat facet", () => {
  // One side of an edge has a vertex on it that the other side does not have.
  const cube = box([2, 2, 2]);
  const facets = facetsOf(cube).filter((facet) => !facet.every((v) => [0, 1, 4, 5].includes(v)));
  const middle = cube.vertices.length / 3;
  const split = { vertices: Float64Array.from([...cube.vertices, 0, -1, -1]) };
  const broken = withFacets(split, [...facets, [0, middle, 5], [middle, 1, 5], [0, 5, 4]]);
  assertMended(broken, 8, 0);
});

test("a large hole is filled: an open tube gets both its lids", () => {
  for (const segments of [12, 200, 600]) {
    const tube = cylinder(10, 20, segments);
    const heightOf = (v: number): number => tube.vertices[3 * v + 2];
    const open = withFacets(
      tube,
      facetsOf(tube).filter((facet) => new Set(facet.map(heightOf)).size > 1),
    );
    const mended = assertMended(open, tube.volume, 1e-5);
    assert.equal(mended.triangles.length / 3, 4 * segments - 4);
  }
});

test("a large hole that is not convex is filled without folds", () => {
  // Ripples on the wall make the rim a gear.
  for (const segments of [120, 480]) {
    const tube = cylinder(10, 20, segments);
    const gear = tube.vertices.map((value, i) => (i % 3 < 2 && Math.floor(i / 3) % 4 < 2 ? 0.8 * value : value));
    const whole = meshOf({ vertices: gear, triangles: tube.triangles });
    const heightOf = (v: number): number => whole.vertices[3 * v + 2];
    const open = withFacets(
      whole,
      facetsOf(whole).filter((facet) => new Set(facet.map(heightOf)).size > 1),
    );
    const mended = assertMended(open, whole.volumeMm3, 1e-4);
    assert.ok(Math.abs(mended.areaMm2 / whole.areaMm2 - 1) < 1e-4, `${mended.areaMm2} for ${whole.areaMm2}`);
  }
});

test("a cavity stays a cavity, and an inside-out hollow body turns whole", () => {
  const hollow = combine([uvSphere(10), insideOut(uvSphere(6))]);
  const sound = meshOf(hollow);
  assert.equal(repair(sound, unwatched), sound);
  assert.equal(repair(meshOf(insideOut(hollow)), unwatched).hash, sound.hash);
  assert.equal(repair(meshOf(insideOut(uvSphere(10)), insideOut(uvSphere(6))), unwatched).hash, sound.hash);
  const apart = meshOf(hollow, moved(box([3, 3, 3]), [30, 0, 0]));
  assert.equal(repair(meshOf(hollow, moved(insideOut(box([3, 3, 3])), [30, 0, 0])), unwatched).hash, apart.hash);
  const flipped = partlyFlipped(hollow, 0.3, randomFrom(11));
  assert.equal(repair(meshOf(flipped), unwatched).hash, sound.hash);
});

test("a sound body keeps its triangles when its neighbour is mended", () => {
  const neighbour = moved(torus(20, 6), [100, 0, 0]);
  const broken = combine([perforated(uvSphere(10), 20, randomFrom(5)), neighbour]);
  const mended = assertMended(broken, uvSphere(10).volume + torus(20, 6).volume, 0.05);
  const kept = new Set(placesOf(mended));
  assert.ok(placesOf(meshOf(neighbour)).every((facet) => kept.has(facet)));
});

test("a real part with twelve facets missing is whole again", () => {
  const { hash, volumeMm3 } = meshOf(corpus("thingi-65004.stl"));
  const mended = assertMended(corpus("gen-65004-holes12.stl"), volumeMm3, 1e-6);
  assert.equal(mended.hash, hash);
});

test("repair tells how far it is and ends when cancelled", () => {
  const broken = meshOf(perforated(uvSphere(10), 5, randomFrom(1)));
  const state = newJobState();
  repair(broken, watchJob(state));
  assert.ok(progressOf(state) > 0.8);
  cancelJob(state);
  assert.throws(() => repair(broken, watchJob(state)), Cancelled);
});

/** Each facet by its corners' coordinates. */
function placesOf(mesh: Mesh): string[] {
  const point = (v: number): string => mesh.vertices.slice(3 * v, 3 * v + 3).join(" ");
  return facetsOf(mesh).map((facet) => facet.map(point).join(", "));
}
