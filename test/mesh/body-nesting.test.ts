import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CancelledError,
  type Progress,
  cancelTask,
  newTaskState,
  noProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { bodiesOf, closedBodies } from "../../src/mesh/bodies.ts";
import { NO_SOLID, enclosingBodies, solidsOf } from "../../src/mesh/body-nesting.ts";
import { edgesOf } from "../../src/mesh/edges.ts";
import { type Surface, concatenateSurfaces, vertexCount } from "../../src/mesh/mesh.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, insideOut, moved, perforated, withFacets } from "../fixture/surface-edits.ts";

const countOf = (...surfaces: Surface[]): number => solidsOf(meshOf(...surfaces), noProgress).count;

/** Least and greatest x of each solid's facets. The test bodies are in a row along x or inside each other. */
function spans(...surfaces: Surface[]): [number, number][] {
  const mesh = meshOf(...surfaces);
  const { count, solidOf } = solidsOf(mesh, noProgress);
  const found = Array.from({ length: count }, (): [number, number] => [Infinity, -Infinity]);
  for (const [facet, corners] of facetsOf(mesh).entries()) {
    for (const corner of solidOf[facet] === NO_SOLID ? [] : corners) {
      const span = found[solidOf[facet]];
      span[0] = Math.min(span[0], mesh.vertices[3 * corner]);
      span[1] = Math.max(span[1], mesh.vertices[3 * corner]);
    }
  }
  return found;
}

const CUBE = box([2, 2, 2]);
const cube = (size: number): Surface => box([size, size, size]);

test("the number of solids is right for solids that are apart or touch at a corner, an edge or a face", () => {
  assert.equal(countOf(CUBE), 1);
  assert.equal(countOf(CUBE, moved(CUBE, [5, 0, 0])), 2);
  assert.equal(countOf(CUBE, moved(CUBE, [2, 2, 2])), 2, "a corner holds nothing together");
  assert.equal(countOf(CUBE, moved(CUBE, [2, 2, 0])), 1, "an edge does");
  assert.equal(countOf(CUBE, moved(CUBE, [2, 0, 0])), 1);
  assert.equal(countOf(CUBE, moved(CUBE, [1, 1, 1])), 2, "what passes through shares no edges");
});

test("cavities belong to the innermost body around them, islands are separate", () => {
  const shells = [cube(20), insideOut(cube(16)), cube(12), insideOut(cube(8)), cube(4)];
  for (let depth = 1; depth <= shells.length; depth++) {
    assert.equal(countOf(...shells.slice(0, depth)), Math.ceil(depth / 2), `${depth} shells`);
  }
  assert.deepEqual(spans(...shells), [
    [-10, 10],
    [-6, 6],
    [-2, 2],
  ]);
});

test("many cavities are found, also cavities of islands inside some of them", () => {
  const places = [-6, -2, 2, 6].flatMap((x) => [-6, -2, 2, 6].map((y): Vec3 => [x, y, 0]));
  const cavities = places.map((place) => moved(insideOut(uvSphere(1.8, 16, 8)), place));
  const islands = places.slice(0, 5).map((place) => moved(uvSphere(1.2, 16, 8), place));
  const cores = places.slice(0, 3).map((place) => moved(insideOut(uvSphere(0.6, 16, 8)), place));
  const beside = moved(CUBE, [30, 0, 0]);
  assert.equal(countOf(cube(20), ...cavities), 1);
  assert.equal(countOf(cube(20), ...cavities, ...islands, ...cores, beside), 1 + 5 + 1);
  assert.equal(countOf(cube(20), ...cores, beside), 2);
});

test("solids are in the order of their first facets", () => {
  const found = spans(moved(CUBE, [9, 0, 0]), CUBE, moved(cube(1), [20, 0, 0]), moved(insideOut(cube(1)), [9, 0, 0]));
  assert.deepEqual(found, [
    [-1, 1],
    [8, 10],
    [19.5, 20.5],
  ]);
});

test("orientation distinguishes a cavity from a body, even if everything is inside out", () => {
  assert.equal(countOf(cube(4), cube(2)), 2, "a body inside another");
  assert.equal(countOf(insideOut(cube(4))), 1);
  assert.equal(countOf(insideOut(cube(4)), cube(2)), 1, "a hollow body inside out");
  assert.equal(countOf(cube(6), insideOut(cube(4)), insideOut(cube(2))), 2, "an inside-out island");
  assert.equal(countOf(cube(4), moved(insideOut(cube(2)), [9, 0, 0])), 2, "an inside-out body beside another");
  assert.equal(countOf(torus(6, 2), insideOut(cube(2))), 2, "one in the hole of a ring is not in it");
});

test("a cavity in a cavity belongs to a body, not to the cavity", () => {
  const shells = [cube(12), cube(11), insideOut(cube(10)), insideOut(cube(8))];
  for (const surface of [meshOf(...shells), concatenateSurfaces(shells), concatenateSurfaces(shells.toReversed())]) {
    const { count, solidOf } = solidsOf(surface, noProgress);
    assert.equal(count, 2);
    const sizes = [0, 1, NO_SOLID].map((solid) => solidOf.filter((one) => one === solid).length);
    assert.deepEqual(
      sizes.sort((a, b) => a - b),
      [0, 12, 36],
    );
  }
});

test("open bodies are separate, whatever is around them", () => {
  const open = perforated(cube(2), 1, randomFrom(4));
  assert.equal(countOf(open), 1);
  assert.equal(countOf(cube(4), insideOut(open)), 2);
  assert.equal(countOf(open, moved(open, [5, 0, 0])), 2);
  assert.equal(countOf(perforated(cube(4), 1, randomFrom(5)), insideOut(cube(2))), 2);
});

test("facets without area belong to a solid that shares a corner, and are no solids", () => {
  const facets = facetsOf(CUBE);
  const second = withFacets(moved(CUBE, [5, 0, 0]), [...facets, [0, 0, 1], [3, 3, 3]]);
  const stray: Surface = { vertices: Float64Array.of(9, 9, 9, 10, 9, 9), triangles: Uint32Array.of(0, 1, 1, 0, 0, 0) };
  const mesh = meshOf(CUBE, second, stray);
  const { count, solidOf } = solidsOf(mesh, noProgress);
  assert.equal(count, 2);
  const sizes = [0, 1, NO_SOLID].map((solid) => solidOf.filter((one) => one === solid).length);
  assert.deepEqual(sizes, [12, 14, 2]);
});

function containersAmong(surface: Surface, progress: Progress): Map<number, Set<number>> {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  return enclosingBodies(
    surface,
    bodies,
    closedBodies(surface, edges, bodies),
    [...Array(bodies.count).keys()],
    progress,
  );
}

test("boxes are enclosed by the boxes around them, in any orientation", () => {
  const random = randomFrom(3);
  for (const isOnGrid of [false, true]) {
    const pick = (most: number): number => (isOnGrid ? Math.round(most * random()) : most * random());
    const placed = Array.from({ length: 150 }, () => ({
      at: [pick(8), pick(8), pick(8)] as Vec3,
      size: [1 + pick(9), 1 + pick(9), 1 + pick(9)] as Vec3,
    }));
    const surface = concatenateSurfaces(
      placed.map(({ at, size }, i) => moved(i % 3 === 0 ? insideOut(box(size)) : box(size), at)),
    );
    let found = 0;
    for (const [inner, outers] of containersAmong(surface, noProgress)) {
      placed.forEach((outer, i) => {
        const isAround = [0, 1, 2].every(
          (axis) =>
            Math.abs(outer.at[axis] - placed[inner].at[axis]) <= (outer.size[axis] - placed[inner].size[axis]) / 2,
        );
        const isStrictlyAround = [0, 1, 2].every(
          (axis) =>
            Math.abs(outer.at[axis] - placed[inner].at[axis]) < (outer.size[axis] - placed[inner].size[axis]) / 2,
        );
        if (isStrictlyAround && i !== inner) assert.ok(outers.has(i), `${inner} in ${i}`);
        if (!isAround) assert.ok(!outers.has(i), `${inner} not in ${i}`);
        found += outers.has(i) ? 1 : 0;
      });
    }
    assert.ok(found > 50, `${found}`);
  }
});

test("bodies next to each other are separated by their boxes, without a ray for each", () => {
  const rods = Array.from({ length: 2500 }, (_, i) =>
    moved(box([1, 50, 1]), [2 * (i % 50), 0, 2 * Math.floor(i / 50)]),
  );
  let reports = 0;
  const progress: Progress = { report: () => void reports++, part: () => progress, silent: () => progress };
  assert.ok([...containersAmong(concatenateSurfaces(rods), progress).values()].every(({ size }) => size === 0));
  assert.ok(reports < 100, `${reports} reports`);
});

test("flat bodies enclose nothing, and no rays are cast for them", () => {
  const sheet = (size: number, at: Vec3): Surface =>
    moved(
      { vertices: Float64Array.of(0, 0, 0, size, 0, 0, 0, size, 0), triangles: Uint32Array.of(0, 1, 2, 0, 2, 1) },
      at,
    );
  const sheets = [sheet(1000, [-1, -1, 0]), ...Array.from({ length: 600 }, (_, i) => sheet(1, [i % 25, i / 25, 0]))];
  let reports = 0;
  const progress: Progress = { report: () => void reports++, part: () => progress, silent: () => progress };
  assert.ok([...containersAmong(concatenateSurfaces(sheets), progress).values()].every(({ size }) => size === 0));
  assert.ok(reports < 6, `${reports} reports`);
});

test("a search among hundreds of bodies stops when the task is cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  const rods = Array.from({ length: 600 }, (_, i) => moved(box([1, 50, 1]), [2 * (i % 30), 0, 2 * Math.floor(i / 30)]));
  assert.throws(() => containersAmong(concatenateSurfaces(rods), taskProgress(state)), CancelledError);
});
