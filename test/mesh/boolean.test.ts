import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import { type Vec3, add, times } from "../../src/geometry/vector.ts";
import { difference, intersection, union } from "../../src/mesh/boolean.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Surface, triangleCount } from "../../src/mesh/mesh.ts";
import { box, tetrahedron, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";

const moved = ({ vertices, triangles }: Surface, by: Vec3): Surface => ({
  vertices: Float64Array.from(vertices, (value, at) => value + by[at % 3]),
  triangles,
});

const near = (actual: number, expected: number, slack = 1e-3): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

test("union, difference and intersection are right for two boxes that overlap at a corner", async () => {
  const [a, b] = [box([2, 2, 2]), moved(box([2, 2, 2]), [1, 1, 1])];
  near(meshOf(await union([a, b], noProgress)).volumeMm3, 15);
  near(meshOf(await difference(a, [b], noProgress)).volumeMm3, 7);
  near(meshOf(await intersection(a, b, noProgress)).volumeMm3, 1);
});

test("separate bodies stay separate, and empty results have no facets", async () => {
  const [a, b] = [box([1, 1, 1]), moved(box([1, 1, 1]), [5, 0, 0])];
  assert.equal(meshReport(meshOf(await union([a, b], noProgress)), noProgress).bodies, 2);
  assert.equal(triangleCount(await intersection(a, b, noProgress)), 0);
  assert.equal(triangleCount(await difference(a, [moved(box([3, 3, 3]), [0.1, 0.2, 0.3])], noProgress)), 0);
  assert.equal(triangleCount(await union([], noProgress)), 0);
});

test("a union of many boxes on a lattice has the volume of the cells that they cover", async () => {
  const random = randomFrom(7);
  const cells = new Set<string>();
  const boxes = Array.from({ length: 300 }, () => {
    const whole = (count: number): number => Math.floor(count * random());
    const low: Vec3 = [whole(8), whole(8), whole(8)];
    const size: Vec3 = [1 + whole(2), 1 + whole(2), 1 + whole(2)];
    for (let i = 0; i < size[0] * size[1] * size[2]; i++) {
      const at = [i % size[0], Math.floor(i / size[0]) % size[1], Math.floor(i / (size[0] * size[1]))];
      cells.add(at.map((value, k) => value + low[k]).join());
    }
    return moved(box(size), add(low, times(size, 0.5)));
  });
  near(meshOf(await union(boxes, noProgress)).volumeMm3, cells.size);
});

test("volumes add up and results are closed for intersecting shapes", async () => {
  const random = randomFrom(11);
  for (let i = 0; i < 10; i++) {
    const a = uvSphere(3 + random(), 24, 12);
    const b = moved(i % 2 === 0 ? tetrahedron(5 + random()) : uvSphere(2, 16, 8), [
      2 * random(),
      2 * random(),
      3 * random(),
    ]);
    const whole = meshOf(await union([a, b], noProgress));
    const [less, both] = [meshOf(await difference(a, [b], noProgress)), meshOf(await intersection(a, b, noProgress))];
    near(whole.volumeMm3 + both.volumeMm3, meshOf(a).volumeMm3 + meshOf(b).volumeMm3, 1e-2);
    near(less.volumeMm3 + both.volumeMm3, meshOf(a).volumeMm3, 1e-2);
    for (const mesh of [whole, less, both]) assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
  }
});

test("a body with a hole is refused with its number of facets", async () => {
  const open = { ...box([1, 1, 1]), triangles: box([1, 1, 1]).triangles.slice(3) };
  const refused = (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError);
    assert.equal(thrown.code, "OPERATION_FAILED");
    assert.match(thrown.message, /11 facets.*Repair/);
    return true;
  };
  await assert.rejects(union([box([1, 1, 1]), open], noProgress), refused);
  await assert.rejects(difference(box([1, 1, 1]), [open], noProgress), refused);
});

test("a union stops when it is cancelled", async () => {
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(union([box([1, 1, 1]), box([2, 1, 1])], taskProgress(state)), CancelledError);
});

test("a call of the kernel reports while it runs and ends if its task is cancelled, and the next call works", async () => {
  const balls = Array.from({ length: 6 }, (_, i) => moved(uvSphere(10, 64, 32), [0.7 * i, 1.1 * i, 0.3 * i]));
  const state = newTaskState();
  const shares: number[] = [];
  const counted = (most: number, from = taskProgress(state)): Progress => ({
    report(share, steps) {
      shares.push(share);
      if (shares.length > most) cancelTask(state);
      from.report(share, steps);
    },
    part: () => counted(most, from),
    silent: () => counted(most, from),
  });
  const whole = await union(balls, counted(Infinity));
  const reports = shares.length;
  assert.ok(reports > 50 && shares.every((share, i) => i === 0 || share > shares[i - 1]), `${reports} reports`);
  shares.length = 0;
  await assert.rejects(union(balls, counted(reports / 2)), CancelledError);
  assert.ok(shares.length < reports / 2 + 2);
  for (const combine of [difference(balls[0], [balls[1]], counted(0)), intersection(balls[0], balls[1], counted(0))])
    await assert.rejects(combine, CancelledError);
  assert.deepEqual(await union(balls, noProgress), whole);
});
