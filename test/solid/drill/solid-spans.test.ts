import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { facetsAlong } from "../../../src/solid/drill/facets-along.ts";
import { frameOf, fromFrame, toFrame } from "../../../src/solid/drill/frame.ts";
import { solidSpans } from "../../../src/solid/drill/solid-spans.ts";
import { insideOut, moved, randomFrom } from "../../fixture/altered.ts";
import { corpusMesh } from "../../fixture/orienting.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { leaned } from "./holes.ts";

const STRAIGHT = { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], s: [0, 0, 1] } as const;

const upAt = (surface: Surface, u: number, v: number, seamMm = 1e-6): [number, number][] =>
  solidSpans(facetsAlong(surface, STRAIGHT, 100, unwatched), u, v, seamMm).map(({ from, to }) => [from, to]);

test("spans are where the winding number says that there is material", async () => {
  const random = randomFrom(4);
  const overlapping = meshOf(box([10, 20, 12]), moved(box([10, 8, 30]), [3, 4, 5]));
  const hollow = meshOf(uvSphere(15), insideOut(uvSphere(13)), uvSphere(5));
  for (const mesh of [meshOf(torus(12, 5)), overlapping, hollow, await corpusMesh("thingi-65004.stl")]) {
    const tree = facetTree(mesh, unwatched);
    let inside = 0;
    for (let round = 0; round < 60; round++) {
      const frame = frameOf({ position: somewhereIn(mesh, random), direction: leaned(180 * random(), 360 * random()) });
      const [u, v] = [2 * random() - 1, 2 * random() - 1];
      const spans = solidSpans(facetsAlong(mesh, frame, 1, unwatched), u, v, 0);
      for (let k = 0; k < 40; k++) {
        const along = 60 * (random() - 0.5);
        if (spans.some(({ from, to }) => Math.min(Math.abs(along - from), Math.abs(along - to)) < 1e-3)) continue;
        const isInside = spans.some(({ from, to }) => along > from && along < to);
        assert.equal(isInside, windingNumber(tree, fromFrame(frame, [u, v, along])) > 0);
        if (isInside) inside++;
      }
    }
    assert.ok(inside > 100, `${inside} inside`);
  }
});

const somewhereIn = ({ box: { min, max } }: Mesh, random: () => number): [number, number, number] => [
  min[0] + (max[0] - min[0]) * random(),
  min[1] + (max[1] - min[1]) * random(),
  min[2] + (max[2] - min[2]) * random(),
];

test("a line through corners and edges crosses each surface once", () => {
  const ball = meshOf(uvSphere(10, 8, 8));
  assert.deepEqual(upAt(ball, 0, 0), [[-10, 10]]);
  const cube = meshOf(box([2, 2, 2]));
  for (const at of [-0.5, 0, 0.25]) assert.deepEqual(upAt(cube, at, at), [[-1, 1]]);
  // On the rim it is in or out, but never in without an end.
  for (const [u, v] of [
    [1, 1],
    [-1, -1],
    [1, 0],
    [0, -1],
  ] as const) {
    const spans = upAt(cube, u, v);
    assert.ok(spans.length === 0 || (spans.length === 1 && spans[0]![0] === -1 && spans[0]![1] === 1));
  }
});

test("what touches or overlaps is one span, what a seam parts is two", () => {
  const stack = (gap: number): Surface => meshOf(box([2, 2, 2]), moved(box([2, 2, 2]), [0, 0, 2 + gap]));
  assert.deepEqual(upAt(stack(0), 0.3, 0.1), [[-1, 3]]);
  assert.deepEqual(upAt(stack(-1), 0.3, 0.1), [[-1, 2]]);
  assert.deepEqual(upAt(stack(0.5), 0.3, 0.1), [
    [-1, 1],
    [1.5, 3.5],
  ]);
  assert.deepEqual(upAt(stack(0.5), 0.3, 0.1, 0.6), [[-1, 3.5]]);
  assert.deepEqual(upAt(stack(0.5), 2.3, 0.1), []);
});

test("frames are right-handed, and lead there and back", () => {
  for (const direction of [leaned(0), leaned(90, 0), leaned(90, 90), leaned(33, 71)]) {
    const frame = frameOf({ position: [1, 2, 3], direction });
    const there = toFrame(frame, fromFrame(frame, [4, 5, 6]));
    [4, 5, 6].forEach((value, axis) => assert.ok(Math.abs(there[axis]! - value) < 1e-12));
    const [x, y, z] = frame.u;
    const [p, q, r] = frame.v;
    [y * r - z * q, z * p - x * r, x * q - y * p].forEach((value, axis) =>
      assert.ok(Math.abs(value - direction[axis]!) < 1e-12),
    );
  }
});
