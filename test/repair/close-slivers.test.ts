import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type MeshReport, describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces, filterFacets } from "../../src/mesh/mesh.ts";
import { closeSlivers } from "../../src/repair/close-slivers.ts";
import { joinFaces } from "../../src/repair/join-faces.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { type Rz, sweptFace, sweptFaces } from "../fixture/swept-faces.ts";
import { partlyFlipped } from "../fixture/surface-edits.ts";

const meshOf = (...faces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(faces), 1, noProgress);
const reportOf = (mesh: Mesh): MeshReport => meshReport(mesh, noProgress);

/** Volume of the true body. */
const sweptVolume = (profile: readonly Rz[]): number =>
  profile.reduce((sum, [r0, z0], i) => {
    const [r1, z1] = profile[(i + 1) % profile.length];
    return sum + (Math.PI / 3) * (r0 * r0 + r0 * r1 + r1 * r1) * (z1 - z0);
  }, 0);

/** A closed profile with corners around a point at a distance from the axis: a ring with a wall of many cones, cylinders and discs. */
function randomProfile(random: () => number): Rz[] {
  const corners = 3 + Math.floor(5 * random());
  const middle = 12 + 10 * random();
  return Array.from({ length: corners }, (_, i): Rz => {
    const angle = (2 * Math.PI * (i + 0.6 * random())) / corners;
    const size = 3 + 7 * random();
    return [middle + size * Math.cos(angle), size * Math.sin(angle)];
  });
}

test("bodies whose faces were meshed separately, with different vertices along common circles, are closed", () => {
  const random = randomFrom(16);
  for (let run = 0; run < slowRuns(100); run++) {
    const profile = randomProfile(random);
    const steps = profile.map(() => 16 + Math.floor(80 * random()));
    const faces = sweptFaces(profile, (i) => steps[i]).map((face) => partlyFlipped(face, 0.3, random));
    const apart = meshOf(...faces);
    const { mesh, slivers } = joinFaces(apart, 0.01, noProgress);
    assert.deepEqual(describeDefects(reportOf(mesh)), [], `run ${run}`);
    // A chord about 22 mm of radius in 16 steps is 0.42 mm from its arc.
    const radius = Math.max(...profile.map(([r]) => r));
    const sagMm = radius * (1 - Math.cos(Math.PI / Math.min(...steps)));
    assert.ok(slivers.widestMm <= 2 * sagMm, `run ${run}: ${slivers.widestMm}`);
    assert.ok(Math.abs(mesh.volumeMm3 - sweptVolume(profile)) <= sagMm * mesh.areaMm2, `run ${run}`);
  }
});

test("a missing face stays missing, and the gaps between the others are closed", () => {
  const random = randomFrom(17);
  for (let run = 0; run < slowRuns(40); run++) {
    const profile = randomProfile(random);
    const steps = profile.map(() => 16 + Math.floor(40 * random()));
    const missing = Math.floor(profile.length * random());
    const faces = sweptFaces(profile, (i) => steps[i]).filter((_, i) => i !== missing);
    const { mesh } = joinFaces(meshOf(...faces), 0.01, noProgress);
    const before = steps.at(missing - 1)!;
    const after = steps[(missing + 1) % steps.length];
    assert.equal(reportOf(mesh).openEdges, before + after, `run ${run}`);
  }
});

test("a long border of thousands of vertices is closed", () => {
  const profile: Rz[] = [
    [5, 0],
    [20, 0],
    [20, 10],
    [5, 10],
  ];
  const { mesh } = joinFaces(meshOf(...sweptFaces(profile, (i) => 1500 + 397 * i)), 0.001, noProgress);
  assert.deepEqual(describeDefects(reportOf(mesh)), []);
});

test("a slot is closed if it is at most twice as wide as the deviation, otherwise it stays unchanged", () => {
  const whole = box([10, 0.1, 5]);
  const open = filterFacets(whole, (facet) => {
    const z = [0, 1, 2].map((k) => whole.vertices[3 * whole.triangles[3 * facet + k] + 2]);
    return z.some((one) => one < 0);
  });
  const opened = meshOf(open);
  assert.equal(reportOf(opened).openEdges, 4);
  assert.deepEqual(describeDefects(reportOf(joinFaces(opened, 0.055, noProgress).mesh)), []);
  const narrower = joinFaces(opened, 0.045, noProgress);
  assert.equal(reportOf(narrower.mesh).openEdges, 4);
  assert.deepEqual(narrower.slivers, { count: 0, widestMm: 0 });
  // A stated deviation as large as the features of the part is not used.
  const wider = meshOf(filterFacets(box([10, 2, 5]), (facet) => facet > 1));
  assert.equal(reportOf(joinFaces(wider, 20, noProgress).mesh).openEdges, reportOf(wider).openEdges);
});

test("a hole as narrow as the chords of its rim stays open: its sides do not follow one curve", () => {
  for (const steps of [7, 8, 12, 24, 48]) {
    const pipe = sweptFace([2, 0], [2, 30], steps);
    const disc = sweptFace([2, 0], [0, 0], steps);
    assert.equal(reportOf(joinFaces(meshOf(pipe, disc), 0.001, noProgress).mesh).openEdges, steps);
  }
});

test("closing can be cancelled, and a surface without open edges stays the same object", () => {
  const profile: Rz[] = [
    [5, 0],
    [9, 0],
    [9, 10],
  ];
  const apart = meshOf(...sweptFaces(profile, (i) => 40 + 3 * i));
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => closeSlivers(apart, 1, taskProgress(state)), CancelledError);
  const closed = box([1, 2, 3]);
  assert.equal(closeSlivers(closed, 1, noProgress).surface, closed);
});
