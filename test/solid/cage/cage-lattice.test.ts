import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { boxSize } from "../../../src/geometry/box.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { type LetterPlane, partLetters } from "../../../src/mesh/letter-plane.ts";
import { meshReport } from "../../../src/mesh/mesh-report.ts";
import { type Mesh, triangleCount, vertexCount } from "../../../src/mesh/mesh.ts";
import { manifoldnessOf } from "../../../src/check/manifoldness.ts";
import { type LatticeRequest, cageLattice } from "../../../src/solid/cage/cage-lattice.ts";
import { planCage } from "../../../src/solid/cage/cage-plan.ts";
import { slowCases, slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { areasOf, evenly, gridOf, placed } from "../../fixture/slices.ts";

const SHAPE: LatticeRequest = {
  innerMm: [20, 16, 12],
  outerLimitMm: [165, 165, 300],
  openingMm: 5,
  barWidthMm: 1.5,
  barThicknessMm: 1.5,
  bars: "SQUARE",
  roundsEdges: false,
};

const latticeOf = (changes: Partial<LatticeRequest> = {}) => cageLattice({ ...SHAPE, ...changes }, noProgress);

/** Handles of a closed surface of one body, by Euler's formula. */
const genusOf = (mesh: Mesh): number => 1 - (vertexCount(mesh) - triangleCount(mesh) / 2) / 2;

function assertOneSolid({ mesh, openings }: { mesh: Mesh; openings: number }, what: string): void {
  const { openEdges, nonManifoldEdges, misorientedEdges, degenerateFacets, bodies } = meshReport(mesh, noProgress);
  assert.deepEqual([openEdges, nonManifoldEdges, misorientedEdges, degenerateFacets, bodies], [0, 0, 0, 0, 1], what);
  assert.ok(mesh.volumeMm3 > 0, what);
  assert.equal(genusOf(mesh), openings - 1, what);
}

function* requests(): Generator<LatticeRequest> {
  const random = randomFrom(5);
  for (let i = 0; i < slowRuns(18); i++) {
    const [barWidthMm, barThicknessMm] = [1 + 2 * random(), 1 + 2 * random()];
    yield {
      ...SHAPE,
      innerMm: [0.5 + 40 * random(), 0.5 + 30 * random(), 0.5 + 20 * random()],
      openingMm: Math.max(barWidthMm, barThicknessMm) + 6 * random() ** 2,
      barWidthMm,
      barThicknessMm,
      bars: i % 3 === 0 ? "ROUND" : "SQUARE",
      roundsEdges: i % 2 === 0,
    };
  }
}

test("a lattice of any shape is one closed solid with a hole for each opening, and empty inside", async () => {
  for (const request of requests()) {
    const what = JSON.stringify(request);
    const lattice = await cageLattice(request, noProgress);
    assertOneSolid(lattice, what);
    const { vertices } = lattice.mesh;
    for (let at = 0; at < vertices.length; at += 3) {
      const isOutside = request.innerMm.some((mm, axis) => Math.abs(vertices[at + axis]) >= mm / 2 - 1e-5);
      assert.ok(isOutside, `${what}: ${vertices.slice(at, at + 3)} is among the parts`);
    }
  }
});

test("openings are at most as wide as requested, and at least as wide as bars", () => {
  for (const request of requests()) {
    for (const { bars, lengthMm } of planCage(request)) {
      assert.ok(Math.abs(bars[0][0] + lengthMm / 2) < 1e-9 && Math.abs(bars.at(-1)![1] - lengthMm / 2) < 1e-9);
      for (let i = 1; i < bars.length; i++) {
        const gap = bars[i][0] - bars[i - 1][1];
        assert.ok(gap <= request.openingMm + 1e-6, `${gap} in ${JSON.stringify(request)}`);
        assert.ok(gap >= Math.max(request.barWidthMm, request.barThicknessMm) - 1e-6);
      }
    }
  }
});

test("a cage grows for even openings, but not beyond its limit", () => {
  const narrow = { ...SHAPE, innerMm: [10.6, 9.4, 8] as const, openingMm: 1.5 };
  const free = planCage(narrow).map(({ lengthMm }) => lengthMm);
  const limited = planCage({ ...narrow, outerLimitMm: [13.7, 12.5, 11] }).map(({ lengthMm }) => lengthMm);
  assert.ok(free[0] > 13.8, String(free));
  assert.ok(Math.abs(limited[0] - 13.7) < 1e-9, String(limited));
});

test("the volume of square bars is that of the shell without the openings", async () => {
  for (const request of [SHAPE, { ...SHAPE, barWidthMm: 3 }, { ...SHAPE, barWidthMm: 1, barThicknessMm: 2 }]) {
    const plan = planCage(request);
    const sizes = plan.map(({ lengthMm }) => lengthMm);
    const product = (values: readonly number[]): number => values.reduce((all, value) => all * value, 1);
    const shell = product(sizes) - product(sizes.map((mm) => mm - 2 * request.barThicknessMm));
    const open = plan.map(({ bars }) => bars.slice(1).reduce((sum, [from], i) => sum + from - bars[i][1], 0));
    const openings = 2 * request.barThicknessMm * (open[0] * open[1] + open[1] * open[2] + open[2] * open[0]);
    const { mesh } = await cageLattice(request, noProgress);
    assert.ok(Math.abs(mesh.volumeMm3 - (shell - openings)) < 1e-3 * shell, `${mesh.volumeMm3}`);
    const rounded = await cageLattice({ ...request, roundsEdges: true }, noProgress);
    // A quarter of the circle's polygon of 16 sides is missing at each edge, except at the corners.
    const t = request.barThicknessMm;
    const lost = t * t * (1 - 2 * Math.sin(Math.PI / 8)) * 4 * sizes.reduce((sum, mm) => sum + mm, 0);
    assert.ok(Math.abs(mesh.volumeMm3 - rounded.mesh.volumeMm3 - lost) < 0.3 * lost, `${lost}`);
  }
});

test("round bars have the requested width and thickness", async () => {
  const { mesh } = await latticeOf({ bars: "ROUND", innerMm: [60, 60, 60], barWidthMm: 1, barThicknessMm: 2 });
  const plan = planCage({ ...SHAPE, bars: "ROUND", innerMm: [60, 60, 60], barWidthMm: 1, barThicknessMm: 2 });
  const bar = plan[1].bars[4];
  const top: number[] = [];
  const { vertices } = mesh;
  const x = (plan[0].bars[3][1] + plan[0].bars[4][0]) / 2;
  for (let at = 0; at < vertices.length; at += 3) {
    const isNear =
      Math.abs(vertices[at] - x) < 4 && vertices[at + 1] >= bar[0] - 1e-4 && vertices[at + 1] <= bar[1] + 1e-4;
    if (isNear && vertices[at + 2] > 0) top.push(vertices[at + 2]);
  }
  assert.ok(Math.abs(Math.max(...top) - Math.min(...top) - 2) < 1e-4, `${Math.max(...top) - Math.min(...top)}`);
});

test("no lattice intersects itself", async () => {
  for (const changes of [
    {},
    { roundsEdges: true },
    { bars: "ROUND" as const },
    { bars: "ROUND" as const, barWidthMm: 2.5 },
  ]) {
    const { mesh } = await latticeOf(changes);
    assert.equal(manifoldnessOf(mesh, noProgress).selfIntersecting, false, JSON.stringify(changes));
  }
});

test("bars of 1 mm are in every layer, with their full width", async () => {
  const request = { ...SHAPE, barWidthMm: 1, barThicknessMm: 1 };
  const { mesh } = await cageLattice(request, noProgress);
  const [x, y, z] = boxSize(mesh.box);
  const layers = Math.ceil(z / 0.11);
  const areas = areasOf({
    placed: [placed(mesh, { position: [0, 0, z / 2] })],
    boundariesMm: evenly(layers, 0.11),
    grid: gridOf(300, 300, 0.1),
  });
  const [across, along] = planCage(request);
  // Between two horizontal bars a layer has only the posts of the four walls.
  const posts = 2 * (across.bars.length + along.bars.length) - 4;
  const middle = areas[Math.floor((1 + 2) / 0.11)];
  assert.ok(Math.abs(middle - posts) < 0.02 * posts, `${middle} mm² of ${posts} posts in ${x} × ${y}`);
  assert.ok(areas.slice(0, -1).every((area) => area > 0.98 * posts));
});

test("a label is raised from a plate in the front wall, or in the right wall if it does not fit there", async () => {
  for (const bars of slowCases(["ROUND", "SQUARE"] as const)) {
    const plain = await latticeOf({ innerMm: [30, 40, 20], bars });
    const labelled = await latticeOf({ innerMm: [30, 40, 20], bars, label: "Oq4" });
    assertOneSolid(labelled, bars);
    assert.ok(labelled.openings < plain.openings);
    const [before, after] = [plain.mesh.box, labelled.mesh.box];
    const raised = before.min[1] - after.min[1];
    assert.ok(raised > 0.5 && raised < 1, `${bars}: ${raised}`);
    for (const axis of [0, 2]) assert.ok(Math.abs(after.min[axis] - before.min[axis]) < 1e-5);
    for (const axis of [0, 1, 2]) assert.ok(Math.abs(after.max[axis] - before.max[axis]) < 1e-5);
    const { axis, side, atMm } = labelled.letters!;
    assert.deepEqual([axis, side], [1, -1]);
    assert.ok(Math.abs(atMm - after.min[1] - 0.6) < 1e-4, `${bars}: ${atMm}`);
    assertLettersApart(labelled.mesh, labelled.letters!);
    // The plate alone has more than this area, and the letters are raised from it.
    assert.ok(labelled.mesh.volumeMm3 > plain.mesh.volumeMm3 + 30);
  }
});

test("a label that is too long for the front wall is in the right one", async () => {
  const { mesh, letters } = await latticeOf({ innerMm: [8, 40, 20], label: "LOT 7" });
  assert.deepEqual([letters!.axis, letters!.side], [0, 1]);
  assertLettersApart(mesh, letters!);
});

/** Asserts that the facets of letters enclose 0.6 mm above the face of the plate, and the other facets nothing beyond the face. */
function assertLettersApart(mesh: Mesh, plane: LetterPlane): void {
  const { letters, rest } = partLetters(mesh, plane);
  assert.equal(letters.triangles.length + rest.triangles.length, mesh.triangles.length);
  const heights = (part: Mesh): number[] =>
    Array.from(part.triangles, (corner) => plane.side * (part.vertices[3 * corner + plane.axis] - plane.atMm));
  const [raised, others] = [letters, rest].map(heights);
  assert.ok(Math.abs(Math.max(...raised) - 0.6) < 1e-4 && Math.min(...raised) > -1e-4);
  assert.ok(Math.max(...others) < 1e-4);
}

test("a label that is too long for the cage, or has no letters, is refused with the requirement", async () => {
  await assert.rejects(
    latticeOf({ label: "a label that is far too long" }),
    /needs a wall \d+ mm wide at least.*\d+ mm wide/,
  );
  await assert.rejects(latticeOf({ label: " " }), /shows nothing/);
  await assert.rejects(latticeOf({ label: "漢" }), /U\+6F22/);
});

test("openings narrower than bars are refused", async () => {
  await assert.rejects(latticeOf({ openingMm: 1.4 }), /1\.4 mm are narrower than the bars, 1\.5 mm/);
});

test("equal requests give equal bytes", async () => {
  const hashes = await Promise.all([0, 1].map(async () => (await latticeOf({ bars: "ROUND" })).mesh.hash));
  assert.equal(hashes[0], hashes[1]);
});

const CENTRE: Vec3 = [0, 0, 0];
test("a lattice is centred on the origin", async () => {
  const { mesh } = await latticeOf();
  CENTRE.forEach((value, axis) => assert.ok(Math.abs(mesh.box.min[axis] + mesh.box.max[axis] - 2 * value) < 1e-5));
});
