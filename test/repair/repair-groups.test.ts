import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces, triangleCount } from "../../src/mesh/mesh.ts";
import { newRepairBudget } from "../../src/repair/repair-budget.ts";
import { repairGroups } from "../../src/repair/repair-groups.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);
const cube = box([10, 10, 10]);
const pair = [cube, moved(cube, [4, 3, 2])];
const COMMON_MM3 = 6 * 7 * 8;
/** More steps than these repairs take. */
const STEPS = 1e9;

/** A closed body with random vertices: every facet crosses many others. */
function crumpled(): Surface {
  const random = randomFrom(1);
  const { vertices, triangles } = uvSphere(10, 48, 24);
  return moved({ vertices: vertices.map(() => 20 * random() - 10), triangles }, [60, 0, 0]);
}

test("a body that cannot be cut leaves the other groups exact", async () => {
  const heap = crumpled();
  const mesh = meshOf(...pair, heap, moved(cube, [0, 60, 0]), moved(cube, [5, 65, 5]));
  const { sound, broken, isRepaired } = await repairGroups(mesh, newRepairBudget(STEPS), noProgress);
  assert.equal(isRepaired, true);
  assert.equal(meshOf(broken).hash, meshOf(heap).hash);
  assert.deepEqual(describeDefects(meshReport(meshOf(sound), noProgress)), []);
  assert.ok(Math.abs(meshOf(sound).volumeMm3 - (4000 - COMMON_MM3 - 125)) < 0.01);
});

test("open bodies are broken, and closed bodies that touch them stay unchanged", async () => {
  const open = { vertices: cube.vertices, triangles: cube.triangles.slice(3) };
  const { sound, broken, isRepaired } = await repairGroups(meshOf(open, pair[1]), newRepairBudget(STEPS), noProgress);
  assert.deepEqual([isRepaired, triangleCount(broken)], [false, 11]);
  assert.equal(meshOf(sound).hash, meshOf(pair[1]).hash);
});

test("a single group is broken as a whole: it was tried before", async () => {
  const mesh = meshOf(...pair);
  const { sound, broken, isRepaired } = await repairGroups(mesh, newRepairBudget(STEPS), noProgress);
  assert.deepEqual([isRepaired, triangleCount(sound)], [false, 0]);
  assert.equal(meshOf(broken).hash, mesh.hash);
});
