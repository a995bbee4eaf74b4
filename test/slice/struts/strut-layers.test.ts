import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { CAPS } from "../../../src/mesh/strut-lattice.ts";
import { coarserGrid } from "../../../src/slice/pixel-grid.ts";
import { regridStack } from "../../../src/slice/regrid-stack.ts";
import { type StackRequest, prepareStack } from "../../../src/slice/stack.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box, cylinder, uvSphere } from "../../fixture/shapes.ts";
import { areasOf, drawStack, evenly, gridOf, meshOf, picturesOf, placed, slicedVolume } from "../../fixture/slices.ts";
import { type Strut, latticeOf, placedLattice } from "../../fixture/struts.ts";

const grid = gridOf(160, 120, 0.1);
const boundariesMm = evenly(60, 0.1);
const position: Vec3 = [0, 0, 3];
/** Layers of a tenth of a millimetre miss this much of a cylinder of 1 mm. */
const LAYERS_MM3 = 0.06;

function randomStruts(random: () => number, count: number): Strut[] {
  const cap = () => CAPS[Math.floor(3 * random())];
  return Array.from({ length: count }, () => {
    const from: Vec3 = [9 * random() - 4.5, 7 * random() - 3.5, 6 * random() - 3];
    const to: Vec3 = [from[0] + 3 * random() - 1.5, from[1] + 3 * random() - 1.5, from[2] + 3 * random() - 1.5];
    const radius = 0.1 + 0.4 * random();
    return { from, to, radii: [radius, random() < 0.5 ? radius : 0.1 + 0.4 * random()], caps: [cap(), cap()] };
  });
}

const requestOf = (struts: readonly Strut[], more: Partial<StackRequest> = {}): StackRequest => ({
  placed: [],
  lattices: [placedLattice(latticeOf({ struts, balls: [{ at: [0, 0, 0], radius: 0.6 }] }), { position })],
  boundariesMm,
  grid,
  ...more,
});

/** The largest difference of two layers of pixels. */
const difference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

test("neither the order of struts nor that of chunks changes a pixel", () => {
  const struts = randomStruts(randomFrom(1), 60);
  const expected = picturesOf(requestOf(struts));
  const shuffled = struts
    .map((strut, i) => [(i * 37) % 60, strut] as const)
    .sort(([a], [b]) => a - b)
    .map(([, strut]) => strut);
  assert.deepEqual(picturesOf(requestOf(shuffled)), expected);
  const stack = prepareStack(requestOf(struts), noProgress);
  assert.ok(stack.chunkCount > 2);
  const again = drawStack(stack, ({ runs }) => runs.values.slice(0, runs.rowStarts[runs.height]), [2, 0, 1, 2]);
  const inOrder = drawStack(stack, ({ runs }) => runs.values.slice(0, runs.rowStarts[runs.height]));
  assert.deepEqual(again, inOrder);
  assert.ok(expected.some((picture) => picture.some((value) => value > 0)));
});

test("a strut that is there several times changes nothing", () => {
  for (const { from, to, radii } of randomStruts(randomFrom(2), 8)) {
    const [radius] = radii;
    const strut: Strut = { from, to, radii: [radius, radius] };
    const expected = picturesOf(requestOf([strut]));
    for (const [i, picture] of picturesOf(requestOf([strut, strut, strut])).entries()) {
      assert.ok(difference(picture, expected[i]) <= 1, `layer ${i} of ${JSON.stringify(strut)}`);
    }
  }
});

test("a fine mesh of a capsule has the same pixels within a tenth of their area", () => {
  const sphere = uvSphere(1.2, 128, 64);
  const tube = cylinder(1.2, 3, 128);
  for (const orientation of [
    { x: 37, y: 20, z: 0 },
    { x: 90, y: 0, z: 30 },
  ]) {
    const strut: Strut = { from: [0, 0, -1.5], to: [0, 0, 1.5], radii: [1.2, 1.2] };
    const pose = { position, orientation };
    const exact = picturesOf({ ...requestOf([]), lattices: [placedLattice(latticeOf({ struts: [strut] }), pose)] });
    const ends = [-1.5, 1.5].map((z) => ({
      ...sphere,
      vertices: sphere.vertices.map((v, i) => (i % 3 === 2 ? v + z : v)),
    }));
    const parts = [placed(meshOf({ ...tube }, ends[0], ends[1]), pose)];
    picturesOf({ placed: parts, boundariesMm, grid }).forEach((picture, i) => {
      assert.ok(difference(picture, exact[i]) <= 26, `layer ${i} of ${JSON.stringify(orientation)}`);
    });
  }
});

test("struts are united with a part, and a build volume clips both", () => {
  const struts = [{ from: [-4, 0, 0], to: [4, 0, 0], radii: [0.5, 0.5], caps: ["butt", "butt"] }] as const;
  const part = placed(meshOf(box([2, 2, 2])), { position });
  const united = slicedVolume(
    requestOf(struts, { placed: [part], lattices: [placedLattice(latticeOf({ struts }), { position })] }),
  );
  assert.ok(Math.abs(united - (8 + 6 * Math.PI * 0.25)) < LAYERS_MM3, String(united));
  const clipTo = { dimensionsMm: [6, 8, 20], filletRadiusMm: 0 } as const;
  const lattices = [placedLattice(latticeOf({ struts }), { position })];
  const clipped = slicedVolume(requestOf(struts, { placed: [part], lattices, clipTo }));
  assert.ok(Math.abs(clipped - (8 + 4 * Math.PI * 0.25)) < LAYERS_MM3, String(clipped));
});

test("a lattice is clipped to the inside or the outside of a solid, before it is united with the part", () => {
  const struts = [{ from: [-4, 0, 0], to: [4, 0, 0], radii: [0.5, 0.5], caps: ["butt", "butt"] }] as const;
  const solid = meshOf(box([4, 4, 4]));
  const volumeOf = (keeps: "inside" | "outside", more: Partial<StackRequest> = {}): number => {
    const lattice = latticeOf({ struts, clip: { mesh: solid, keeps } });
    return slicedVolume(requestOf([], { lattices: [placedLattice(lattice, { position })], ...more }));
  };
  const perMm = Math.PI * 0.25;
  const cases: [number, number][] = [
    [volumeOf("inside"), 4 * perMm],
    [volumeOf("outside"), 4 * perMm],
    [volumeOf("outside", { clipTo: { dimensionsMm: [6, 8, 20], filletRadiusMm: 0 } }), 2 * perMm],
    [volumeOf("inside", { clipTo: { dimensionsMm: [3, 8, 20], filletRadiusMm: 0 } }), 3 * perMm],
    [volumeOf("outside", { placed: [placed(meshOf(box([1, 4, 4])), { position })] }), 16 + 4 * perMm],
    [volumeOf("outside", { grid: { ...grid, mirrorX: true } }), 4 * perMm],
  ];
  cases.forEach(([actual, expected], i) =>
    assert.ok(Math.abs(actual - expected) < LAYERS_MM3, `${i}: ${actual}, ${expected}`),
  );
});

test("a lattice has the pose of its part, and a coarser grid the same areas", () => {
  const struts = randomStruts(randomFrom(5), 5);
  const turned = { position, orientation: { x: 20, y: 30, z: 40 }, scale: 0.7 };
  const lattices = [placedLattice(latticeOf({ struts }), turned)];
  const request = { ...requestOf([]), lattices };
  const mesh = meshOf(box([2, 2, 2]));
  assert.deepEqual(mesh.box, lattices[0].mesh.box);
  const areas = areasOf(request);
  const coarse = drawStack(
    regridStack(
      prepareStack({ ...request, grid: gridOf(640, 480, 0.025) }, noProgress),
      coarserGrid(gridOf(640, 480, 0.025), 0.1),
    ),
    ({ areaMm2 }) => areaMm2,
  );
  assert.deepEqual(coarse, areas);
  const fine = areasOf({ ...request, grid: gridOf(640, 480, 0.025) });
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(sum(areas) / sum(fine) - 1) < 0.01, `${sum(areas)} ${sum(fine)}`);
});
