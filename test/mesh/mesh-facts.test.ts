import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress, type Progress } from "../../src/core/progress.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { closedManifoldFact, findSelfIntersectionFact, selfIntersectionFact } from "../../src/mesh/mesh-facts.ts";
import { checkClosedManifold } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, withOtherSurface } from "../../src/mesh/mesh.ts";
import { internMesh } from "../../src/scene/model-mesh.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";

const CUBE = box([2, 2, 2]);
const OPEN_CUBE = { ...CUBE, triangles: CUBE.triangles.slice(3) };
const SURFACES: readonly (readonly Surface[])[] = [
  [CUBE],
  [torus(5, 2), moved(CUBE, [20, 0, 0])],
  [OPEN_CUBE],
  [insideOut(CUBE)],
  [uvSphere(5), insideOut(uvSphere(4))],
  [CUBE, moved(CUBE, [1, 1, 1])],
  [OPEN_CUBE, moved(insideOut(CUBE), [1, 1, 1])],
];

/** Fails when a kernel runs. */
const idle: Progress = { report: () => assert.fail("computed again"), part: () => idle, silent: () => idle };

const factsOf = (mesh: Mesh, progress: Progress) => [
  closedManifoldFact(mesh, progress),
  selfIntersectionFact(mesh, progress),
];

test("facts are those of the checks, in either order, and are computed once for a mesh and all its clones", () => {
  for (const surfaces of SURFACES) {
    const mesh = meshOf(...surfaces);
    const clone = structuredClone(mesh);
    const expected = [checkClosedManifold(mesh, noProgress), isSelfIntersecting(mesh, noProgress)];
    assert.deepEqual(factsOf(clone, noProgress), expected);
    for (const equal of [mesh, clone, { ...mesh, solidVolumeMm3: 1 }]) assert.deepEqual(factsOf(equal, idle), expected);
    const other = meshOf(...surfaces);
    assert.equal(selfIntersectionFact(other, noProgress), expected[1]);
    assert.deepEqual(closedManifoldFact(other, noProgress), expected[0]);
  }
});

test("the mesh that scenes hold learns what is known of an equal one", () => {
  const mesh = meshOf(torus(5, 2));
  const held = internMesh(mesh);
  const equal = meshOf(torus(5, 2));
  const expected = factsOf(equal, noProgress);
  assert.equal(internMesh(equal), held);
  assert.deepEqual(factsOf(held, idle), expected);
});

test("a repair finds the fact again, in the same steps, and leaves it to others", () => {
  const mesh = meshOf(CUBE, moved(CUBE, [1, 1, 1]));
  const stepsOfSearch = (): number => {
    let reports = 0;
    const counted: Progress = { report: () => reports++, part: () => counted, silent: () => counted };
    assert.equal(findSelfIntersectionFact(mesh, counted), true);
    return reports;
  };
  assert.equal(stepsOfSearch(), stepsOfSearch());
  assert.equal(selfIntersectionFact(mesh, idle), true);
});

test("another surface under the hash of a mesh has none of its facts", () => {
  const mesh = meshOf(CUBE);
  factsOf(mesh, noProgress);
  const crossing = withOtherSurface(mesh, meshOf(OPEN_CUBE, moved(CUBE, [1, 1, 1])));
  assert.deepEqual(factsOf(crossing, noProgress), [{ isOpen: true, hasInward: false }, true]);
});
