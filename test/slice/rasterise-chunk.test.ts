import assert from "node:assert/strict";
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
import { type Surface, newFacts } from "../../src/mesh/mesh.ts";
import { rasteriseChunk } from "../../src/slice/rasterise-chunk.ts";
import { type StackRequest, prepareStack } from "../../src/slice/stack.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { slowSample } from "../fixture/long.ts";
import { denseLayer } from "../fixture/dense-layer.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, drawStack, evenly, gridOf, meshOf, picturesOf, placed, sliceAll } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { insideOut, moved, perforated } from "../fixture/surface-edits.ts";

const grid = gridOf(64, 48, 0.3);
const LAYERS = 160;
const boundariesMm = evenly(LAYERS, 0.05);
const VOLUME = { dimensionsMm: [17, 12, 9], filletRadiusMm: 2 } as const;

/** Closed, intersecting, hollow, inverted and open meshes, some of them at the border. */
const scene: PlacedMesh[] = [
  placed(meshOf(torus(3, 1)), { position: [1, 1, 4], orientation: { x: 50, y: 20, z: 10 } }),
  placed(meshOf(box([3, 4, 5]), moved(box([3, 4, 5]), [1, 1, 1])), { position: [-5, 0, 3] }),
  placed(meshOf(uvSphere(3, 20, 11), insideOut(uvSphere(2))), { position: [7, 4, 4] }),
  placed(meshOf(insideOut(tetrahedron(5))), { position: [-6, 5, 2] }),
  placed(meshOf(perforated(cylinder(2, 6, 20), 5, randomFrom(1))), { position: [4, -4, 3] }),
];
const request: StackRequest = { placed: scene, boundariesMm, grid, clipTo: VOLUME };

const drawn = (request: StackRequest) =>
  sliceAll(request, ({ runs, ...measures }) => ({ picture: denseLayer(runs), ...measures }));

test("the same request gives exactly the same layers", () => {
  assert.deepEqual(drawn(request), drawn(request));
});

test("chunks can be drawn in any order, and again", () => {
  const stack = prepareStack(request, noProgress);
  const chunks = Array.from({ length: stack.chunkCount }, (_, chunk) => chunk);
  assert.ok(chunks.length > 2);
  const inOrder = drawStack(stack, ({ index, runs }) => [index, denseLayer(runs)] as const);
  assert.deepEqual(
    inOrder.map(([index]) => index),
    Array.from({ length: LAYERS }, (_, k) => k),
  );
  const backAndForth = [...chunks.toReversed(), ...chunks];
  assert.deepEqual(
    drawStack(stack, ({ index, runs }) => [index, denseLayer(runs)] as const, backAndForth),
    inOrder,
  );
});

test("a cancelled chunk does not change later chunks", () => {
  const inOrder = drawn(request);
  const stack = prepareStack(request, noProgress);
  for (const chunk of [0, 1, 2]) {
    for (const { index } of rasteriseChunk(stack, chunk)) if (index % stack.chunkSize === 7) break;
    const next = Array.from(rasteriseChunk(stack, chunk + 1), ({ index, runs }) => [index, denseLayer(runs)] as const);
    for (const [index, picture] of next) assert.deepEqual(picture, inOrder[index].picture);
  }
});

test("a layer does not depend on its chunk", () => {
  const inOrder = drawn(request);
  for (const skipped of [1, 17, 47, 95]) {
    drawn({ ...request, boundariesMm: boundariesMm.slice(skipped) }).forEach(({ picture, areaMm2, perimeterMm }, k) => {
      const before = inOrder[k + skipped];
      assert.deepEqual(picture, before.picture);
      // Sums of the same numbers, in another order.
      assert.ok(Math.abs(areaMm2 - before.areaMm2) < 1e-11 && Math.abs(perimeterMm - before.perimeterMm) < 1e-11);
    });
  }
});

test("layers of another size in between change nothing", () => {
  const inOrder = drawn(request);
  areasOf({ ...request, grid: gridOf(200, 10, 0.1) });
  assert.deepEqual(drawn(request), inOrder);
});

test("a stack gives the same layers after it was posted in a message", () => {
  const stack = prepareStack(request, noProgress);
  const sent = structuredClone(stack);
  const pictures = drawStack(stack, ({ runs }) => denseLayer(runs));
  assert.deepEqual(
    drawStack(sent, ({ runs }) => denseLayer(runs)),
    pictures,
  );
});

test("copies with the same height and rotation share an index entry", () => {
  const mesh = meshOf(tetrahedron(0.6));
  const copies = Array.from({ length: 200 }, (_, i) =>
    placed(mesh, { position: [(i % 20) * 0.8 - 8, Math.floor(i / 20) - 5, 1] }),
  );
  const entriesOf = (models: readonly PlacedMesh[]): number => {
    const { solids, entryOf } = prepareStack({ placed: models, boundariesMm, grid }, noProgress);
    assert.equal(solids.length, 1);
    return new Set(entryOf).size;
  };
  assert.equal(entriesOf(copies), 1);
  const [first] = copies;
  const others = [
    { position: [0, 0, 1.01] as const },
    { position: [0, 0, 1] as const, orientation: { x: 1, y: 0, z: 0 } },
    { position: [0, 0, 1] as const, scale: 1.1 },
  ];
  const mixed = [first, ...others.map((pose) => placed(mesh, pose))];
  assert.equal(entriesOf(mixed), 4);
  const areas = areasOf({ placed: copies, boundariesMm, grid });
  areasOf({ placed: [first], boundariesMm, grid }).forEach((area, k) =>
    assert.ok(Math.abs(areas[k] - 200 * area) < 1e-9 * (1 + area), `layer ${k}: ${areas[k]} is not 200 · ${area}`),
  );
  assert.ok(Math.max(...areas) > 1);
});

test("copies give the same layers as separate meshes", () => {
  const places = [
    [-4, 0.1, 2],
    [0.05, 0, 2],
    [0.6, 0.2, 2],
    [4, -1, 2.2],
  ] as const;
  const shape: Surface = torus(1, 0.4);
  const apart = places.map((position, i) => placed(meshOf(moved(shape, [i, 0, 0])), { position }));
  const copies = places.map((position) => placed(meshOf(shape), { position }));
  const boundariesMm = evenly(8, 0.5);
  const [one, other] = [apart, copies].map((placed) => picturesOf({ placed, boundariesMm, grid }));
  one.forEach((picture, k) => picture.forEach((value, i) => assert.ok(Math.abs(value - other[k][i]) <= 1)));
});

test("perimeters are the lengths of all outlines", () => {
  const boundariesMm = evenly(1, 1);
  const perimeterOf = (...placed: PlacedMesh[]): number =>
    sliceAll({ placed, boundariesMm, grid }, ({ perimeterMm }) => perimeterMm)[0];
  const near = (actual: number, expected: number): void =>
    assert.ok(Math.abs(actual - expected) < 1e-5, `${actual} is not ${expected}`);
  near(perimeterOf(placed(meshOf(box([3, 4, 2])))), 14);
  near(perimeterOf(placed(meshOf(box([3, 4, 2])), { orientation: { x: 0, y: 0, z: 33 } })), 14);
  near(perimeterOf(placed(meshOf(cylinder(2, 3, 30)))), 30 * 4 * Math.sin(Math.PI / 30));
  near(perimeterOf(placed(meshOf(box([6, 6, 6]), insideOut(box([4, 4, 4]))))), 40);
  near(perimeterOf(placed(meshOf(box([3, 4, 2]))), placed(meshOf(box([3, 4, 2])), { position: [1, 1, 0] })), 28);
});

test("preparing reports progress and stops when cancelled", () => {
  const state = newTaskState();
  prepareStack(request, taskProgress(state));
  assert.ok(readProgress(state) > 0.5 && readProgress(state) <= 1, `${readProgress(state)}`);
  cancelTask(state);
  assert.throws(() => prepareStack(request, taskProgress(state)), CancelledError);
});

test("preparing a large mesh can be cancelled midway", () => {
  const mesh = meshOf(uvSphere(5, 400, 250));
  let left = Infinity;
  let reports = 0;
  const progress: Progress = {
    report() {
      reports++;
      if (left-- === 0) throw new CancelledError();
    },
    part: () => progress,
    silent: () => progress,
  };
  const prepare = (): unknown => {
    const large = [placed({ ...mesh, facts: newFacts() }, { position: [0, 0, 5] })];
    return prepareStack({ placed: large, boundariesMm, grid }, progress);
  };
  prepare();
  // One report for the model, and one for every 65,536 facets in each of three passes.
  assert.ok(reports >= 1 + 3 * 3, `${reports} reports`);
  for (const k of slowSample([...Array(reports).keys()], 3)) {
    left = k;
    assert.throws(prepare, CancelledError, `at report ${k}`);
  }
});

test("ten thousand bodies in one layer are all drawn", () => {
  const dot = meshOf(box([0.05, 0.05, 1]));
  const row = meshOf(...Array.from({ length: 100 }, (_, i) => moved(box([0.05, 0.05, 1]), [0.15 * (i - 50), 0, 0])));
  const dots = Array.from({ length: 10_000 }, (_, i) =>
    placed(dot, { position: [0.15 * ((i % 100) - 50), 0.13 * (Math.floor(i / 100) - 50), 0.5] }),
  );
  const rows = Array.from({ length: 100 }, (_, i) => placed(row, { position: [0, 0.13 * (i - 50), 0.5] }));
  for (const placed of [dots, rows]) {
    const [area] = areasOf({ placed, boundariesMm: evenly(1, 1), grid });
    assert.ok(Math.abs(area - 25) < 1e-4, `${area}`);
  }
});
