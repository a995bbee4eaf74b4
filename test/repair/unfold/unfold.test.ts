import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelTask, CancelledError, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import { buildBvh, cornersInOrder } from "../../../src/mesh/bvh/bvh.ts";
import { intersectingPairs } from "../../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, triangleCount } from "../../../src/mesh/mesh.ts";
import { directedHausdorffMm } from "../../../src/repair/remesh-deviation.ts";
import { repair } from "../../../src/repair/repair.ts";
import { CrossingIndex } from "../../../src/repair/unfold/crossing-index.ts";
import { EditableSurface } from "../../../src/repair/unfold/editable-surface.ts";
import { unfold } from "../../../src/repair/unfold/unfold.ts";
import { knot } from "../../fixture/assembly.ts";
import { longTest } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { uvSphere } from "../../fixture/shapes.ts";
import { wrinkledDisc } from "../../fixture/wrinkled.ts";

const FINEST_MM = 1e-3;
const COARSEST_MM = 0.02;
const MAX_PAIRS = 100_000;

const meshOf = (surface: Surface): Mesh => canonicalMesh(surface, 1, noProgress);
const pairsIn = (surface: Surface): Uint32Array => intersectingPairs(buildBvh(surface, noProgress), noProgress)!;
const farthestMm = (from: Mesh, to: Mesh): number =>
  directedHausdorffMm(buildBvh(to, noProgress), from, noProgress, triangleCount(from));

longTest("folds from rounding are removed within the tolerance, and no vertex is moved", () => {
  const wrinkled = wrinkledDisc(14, 0.02, 0.02);
  const before = pairsIn(wrinkled).length;
  assert.ok(before > 400);
  const mostMm = COARSEST_MM / 4;
  const finer = meshOf(unfold(wrinkled, FINEST_MM, mostMm, MAX_PAIRS, noProgress)!);
  assert.ok(pairsIn(finer).length < before);
  // Deviations of successive edits may add up.
  assert.ok(farthestMm(finer, wrinkled) < 1.5 * mostMm && farthestMm(wrinkled, finer) < 1.5 * mostMm);
  const unfolded = meshOf(unfold(wrinkled, FINEST_MM, COARSEST_MM, MAX_PAIRS, noProgress)!);
  assert.ok(pairsIn(unfolded).length < 0.02 * before);
  assert.deepEqual(describeDefects(meshReport(unfolded, noProgress)), []);
  const placesIn = ({ vertices }: Mesh): Set<string> =>
    new Set(Array.from({ length: vertices.length / 3 }, (_, v) => vertices.subarray(3 * v, 3 * v + 3).join()));
  assert.ok(placesIn(unfolded).isSubsetOf(placesIn(wrinkled)));
});

test("a body that passes through itself and a body without crossings stay the same object; too many crossings are refused", () => {
  for (const mesh of [meshOf(knot(100, 12)), meshOf(uvSphere(10))]) {
    assert.equal(unfold(mesh, FINEST_MM, COARSEST_MM, MAX_PAIRS, noProgress), mesh);
  }
  const wrinkled = wrinkledDisc(8, 0.02, 0.02);
  const pairs = pairsIn(wrinkled).length / 2;
  assert.equal(unfold(wrinkled, FINEST_MM, COARSEST_MM, pairs - 1, noProgress), undefined);
  assert.notEqual(unfold(wrinkled, FINEST_MM, COARSEST_MM, pairs, noProgress), undefined);
});

test("after any edits the index has the crossing facets, and the surface is a closed manifold", () => {
  const random = randomFrom(3);
  const surface = wrinkledDisc(6, 0.02, 0.03);
  const index = new CrossingIndex(buildBvh(surface, noProgress), pairsIn(surface));
  const edited = new EditableSurface(surface);
  for (let i = 0; i < 200; i++) {
    const edits = [...edited.editsAt(Math.floor(random() * triangleCount(surface)))];
    const edit = edits[Math.floor(random() * edits.length)];
    if (!edit) continue;
    const added = Uint32Array.from({ length: triangleCount(edit.after) }, (_, facet) => facet);
    const corners = cornersInOrder(edit.after, added);
    const facets = new Set(edit.facets);
    const expected = index.pairCount - index.pairsOf(facets) + index.pairsWith(corners, facets, Infinity);
    index.replace(edit.facets, corners);
    edited.apply(edit);
    assert.equal(index.pairCount, expected);
    if (i % 20 !== 0) continue;
    const now = edited.surface();
    assert.equal(index.pairCount, pairsIn(now).length / 2);
    assert.equal(index.crossingFacets().length, new Set(pairsIn(now)).size);
    assert.deepEqual(describeDefects(meshReport(meshOf(now), noProgress)), []);
  }
});

test("unfolding can be cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  assert.throws(
    () => unfold(wrinkledDisc(8, 0.02, 0.02), FINEST_MM, COARSEST_MM, MAX_PAIRS, taskProgress(state)),
    CancelledError,
  );
});

longTest("a part with folds in ten thousand places is repaired facet by facet, not remeshed", async () => {
  const wrinkled = wrinkledDisc(80, 0.01, 0.02);
  const { mesh, isClosedManifold, deviationMm } = await repair(wrinkled, noProgress);
  assert.deepEqual([isClosedManifold, deviationMm], [true, undefined]);
  assert.equal(pairsIn(mesh).length, 0);
  assert.ok(Math.abs(mesh.volumeMm3 / wrinkled.volumeMm3 - 1) < 1e-4);
});
