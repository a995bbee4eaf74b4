import assert from "node:assert/strict";
import { test } from "node:test";
import { interferences } from "../../../src/check/interferences/interferences.ts";
import { meshTree } from "../../../src/check/interferences/mesh-tree.ts";
import { Cancelled, cancelJob, newJobState, unwatched, watchJob } from "../../../src/core/watch.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { meshOf, placed } from "../../fixture/slices.ts";

const cube = meshOf(box([2, 2, 2]));
const ball = meshOf(uvSphere(1));
const treesOf = (...meshes: Mesh[]) => new Map(meshes.map((mesh) => [mesh.hash, meshTree(mesh, unwatched)]));
const at = (x: number) => ({ position: [x, 0, 0] as const });

test("gives the pairs that interfere, copies in one place and supports included", () => {
  const models = new Map([
    [3, [placed(cube, at(0))]],
    [5, [placed(cube, at(0))]],
    [6, [placed(ball, at(2.5)), placed(cube, at(5))]],
    [9, [placed(ball, at(5))]],
    [11, [placed(cube, at(1))]],
  ]);
  const numbers = [...models.keys()];
  const pairs = Uint32Array.from(numbers.flatMap((a, i) => numbers.slice(i + 1).flatMap((b) => [a, b])));
  const trees = treesOf(cube, ball);
  const found = (offsetMm: number): number[] => [...interferences({ models, trees, pairs, offsetMm }, unwatched)];
  assert.deepEqual(found(0), [3, 5, 3, 11, 5, 11, 6, 9, 6, 11]);
  assert.deepEqual(found(0.6), [3, 5, 3, 6, 3, 11, 5, 6, 5, 11, 6, 9, 6, 11]);
});

test("can be cancelled on its way", () => {
  const state = newJobState();
  cancelJob(state);
  const fine = meshOf(uvSphere(5, 200, 100));
  const models = new Map([
    [0, [placed(fine)]],
    [1, [placed(fine, at(20))]],
  ]);
  const request = { models, trees: treesOf(fine), pairs: Uint32Array.of(0, 1), offsetMm: 50 };
  assert.throws(() => interferences(request, watchJob(state)), Cancelled);
});
