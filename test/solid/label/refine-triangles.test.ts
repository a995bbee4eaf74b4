import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  taskProgress,
} from "../../../src/core/progress.ts";
import { triangulatePolygons } from "../../../src/geometry/polygon-operations.ts";
import { polygonsArea } from "../../../src/geometry/polygon.ts";
import { refineTriangles } from "../../../src/solid/label/refine-triangles.ts";
import { textOutline } from "../../../src/text/text-outline.ts";

const SQUARE = [0, 0, 1, 0, 1, 1, 0, 1];

function lengthIn(xy: readonly number[]): (a: number, b: number) => number {
  return (a, b) => Math.hypot(xy[2 * a] - xy[2 * b], xy[2 * a + 1] - xy[2 * b + 1]);
}

/** Twice the signed area. */
const doubleArea = (xy: readonly number[], [a, b, c]: readonly number[]): number =>
  (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) - (xy[2 * c] - xy[2 * a]) * (xy[2 * b + 1] - xy[2 * a + 1]);

function facesOf(triangles: readonly number[]): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, i) => triangles.slice(3 * i, 3 * i + 3));
}

test("fine triangles are unchanged", () => {
  const xy = [...SQUARE];
  assert.deepEqual(
    refineTriangles(xy, [0, 1, 2, 0, 2, 3], () => false, noProgress),
    [0, 1, 2, 0, 2, 3],
  );
  assert.deepEqual(xy, SQUARE);
});

test("no edge remains too long, the area is the same, and the mesh is conforming", async () => {
  const { region } = await textOutline("g8Ж");
  const finest = { corner: 40, everywhere: 150 };
  for (const limit of [(x: number) => (x < 500 ? finest.corner : 5000), () => finest.everywhere]) {
    const xy = region.flatMap((ring) => [...ring]);
    const start = await triangulatePolygons(region);
    const rim = rimLength([...start], xy);
    const triangles = refineTriangles(
      xy,
      start,
      (a, b) => lengthIn(xy)(a, b) > limit(Math.min(xy[2 * a], xy[2 * b])),
      noProgress,
    );
    const faces = facesOf(triangles);
    assert.ok(faces.every((face) => doubleArea(xy, face) > 0));
    assert.ok(
      Math.abs(faces.reduce((sum, face) => sum + doubleArea(xy, face) / 2, 0) / polygonsArea(region) - 1) < 1e-9,
    );
    for (const [a, b, c] of faces) {
      for (const [p, q] of [
        [a, b],
        [b, c],
        [c, a],
      ])
        assert.ok(lengthIn(xy)(p, q) <= limit(Math.min(xy[2 * p], xy[2 * q])));
    }
    // A vertex on the midpoint of a neighbour's edge would add that edge and both its halves to the rim.
    assert.ok(Math.abs(rimLength(triangles, xy) / rim - 1) < 1e-9);
  }
});

/** Length of the edges without an opposite one. */
function rimLength(triangles: readonly number[], xy: readonly number[]): number {
  const sides = new Set<string>();
  for (const [a, b, c] of facesOf(triangles))
    for (const side of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) sides.add(side);
  let rim = 0;
  for (const side of sides) {
    const [a, b] = side.split(" ").map(Number);
    if (!sides.has(`${b} ${a}`)) rim += lengthIn(xy)(a, b);
  }
  return rim;
}

test("triangles do not become slender", () => {
  const xy = [...SQUARE];
  const triangles = refineTriangles(
    xy,
    [0, 1, 2, 0, 2, 3],
    (a, b) => lengthIn(xy)(a, b) > 0.02 + Math.abs(xy[2 * a] + xy[2 * b] - 0.6) / 4,
    noProgress,
  );
  for (const face of facesOf(triangles)) {
    const longest = Math.max(...[0, 1, 2].map((i) => lengthIn(xy)(face[i], face[(i + 1) % 3])));
    assert.ok(doubleArea(xy, face) > 0.3 * longest * longest);
  }
});

test("the refinement reports progress from 0 to 1 at each triangle, and stops when it is cancelled", () => {
  const shares: number[] = [];
  const progress: Progress = {
    report: (share) => void shares.push(share),
    part: () => progress,
    silent: () => progress,
  };
  const xy = [...SQUARE];
  const triangles = refineTriangles(xy, [0, 1, 2, 0, 2, 3], (a, b) => lengthIn(xy)(a, b) > 0.1, progress);
  assert.ok(shares.length > triangles.length / 3);
  assert.ok(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1));
  assert.ok(shares.at(-1)! > 0.9);
  const state = newTaskState();
  cancelTask(state);
  const cut = [...SQUARE];
  assert.throws(() => refineTriangles(cut, [0, 1, 2, 0, 2, 3], () => true, taskProgress(state)), CancelledError);
});
