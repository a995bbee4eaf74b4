import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import { unionBoxes } from "../../src/geometry/box.ts";
import { rotateVector, rotationMatrix } from "../../src/geometry/pose.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { spanGridOver } from "../../src/slice/span-layers.ts";
import { checkRequest, minimaPerModel, modelBody, supportBody } from "../fixture/check-request.ts";
import { BARE_TABLE, HANGING_ICICLES, ICICLES, type Minimum, minimaOf } from "../fixture/minima.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { gridOf, meshOf, picturesOf } from "../fixture/slices.ts";
import { flooded, pixelsAround } from "../fixture/span-layer.ts";
import { moved, surfaceOfStl } from "../fixture/surface-edits.ts";
import { type Size, voxelMesh } from "../fixture/voxels.ts";

// Supplement, section 7, "minima".

const THICKNESS_MM = 0.1;
const minima = (bodies: readonly SceneBody[]): number[] =>
  minimaPerModel(checkRequest(bodies, THICKNESS_MM), noProgress);

function placesOf(bodies: readonly SceneBody[], thicknessMm = THICKNESS_MM): Minimum[] {
  const { boundariesMm } = checkRequest(bodies, thicknessMm);
  const around = bodies.map((body) => body.box).reduce(unionBoxes);
  const placed = bodies.map((body) => body.placed);
  return minimaOf(placed, boundariesMm, around);
}

const TABLE = meshOf(...BARE_TABLE, ...HANGING_ICICLES);
/** The table with its icicles; only its leg is on the platform. */
const table = (model = 0, at: readonly number[] = [0, 0, 0]): SceneBody => modelBody(model, TABLE, at);
const post = (x: number, y: number, height: number, width = 1): [Mesh, number[]] => [
  meshOf(box([width, width, height])),
  [x, y, 0],
];

test("a part on the platform has no minimum, one in the air has one", () => {
  const mesh = meshOf(uvSphere(4));
  assert.deepEqual(minima([modelBody(0, mesh)]), [0]);
  assert.deepEqual(minima([modelBody(0, mesh, [0, 0, 3])]), [1]);
  assert.deepEqual(minima([modelBody(0, meshOf(box([5, 5, 5])), [0, 0, 0.2])]), [1]);
});

test("every hanging tip is a minimum, the edge of the plate above them is none", () => {
  assert.deepEqual(minima([table()]), [3]);
  assert.deepEqual(minima([modelBody(0, meshOf(...BARE_TABLE))]), [0]);
});

test("minima have their layers and places, from the lowest up", () => {
  const found = placesOf([table(0, [3, -2, 0])]);
  const expected = ICICLES.toSorted((a, b) => a[2] - b[2]);
  assert.deepEqual(
    found.map(({ layer }) => layer),
    expected.map(([, , z]) => Math.round(z / THICKNESS_MM - 0.001)),
  );
  found.forEach(({ xMm, yMm, areaMm2 }, i) => {
    const [x, y] = expected[i];
    assert.ok(Math.abs(xMm - x - 3) < 0.06 && Math.abs(yMm - y + 2) < 0.06, `${xMm}, ${yMm} is not ${x + 3}, ${y - 2}`);
    assert.ok(areaMm2 > 0 && areaMm2 < 0.04, `${areaMm2} mm²`);
  });
});

test("minima that enclose their centroid have a place within the region", () => {
  const [{ xMm, yMm, areaMm2 }, ...others] = placesOf([modelBody(0, meshOf(torus(5, 1.5)), [0, 0, 2])]);
  assert.deepEqual(others, []);
  assert.ok(Math.abs(Math.hypot(xMm, yMm) - 5) < 0.5, `${xMm}, ${yMm}`);
  assert.ok(areaMm2 > 10);
});

test("a region that a support touches is no minimum: below it, inside it or at its side", () => {
  const [[x, y, z], ...others] = ICICLES;
  assert.deepEqual(minima([table(), supportBody(0, ...post(x, y, z + 0.15))]), [2]);
  assert.deepEqual(minima([table(), supportBody(0, ...post(x, y, z))]), [2]);
  assert.deepEqual(minima([table(), supportBody(0, ...post(x + 0.5, y, 9.5))]), [2]);
  const all = others.map(([a, b, c]) => supportBody(0, ...post(a, b, c + 0.15)));
  assert.deepEqual(minima([table(), supportBody(0, ...post(x, y, z + 0.15)), ...all]), [0]);
});

test("a support that ends one layer below a tip, or next to it, holds nothing", () => {
  const [[x, y, z]] = ICICLES;
  assert.deepEqual(minima([table(), supportBody(0, ...post(x, y, z - 0.11))]), [3]);
  assert.deepEqual(minima([table(), supportBody(0, ...post(x + 2, y, 9))]), [3]);
});

test("a support that begins in the air at the height of a tip and touches the tip holds it, and is no minimum itself", () => {
  const [[x, y, z]] = ICICLES;
  const clip = meshOf(box([2, 1, 1]));
  assert.deepEqual(minima([table(), supportBody(0, clip, [x + 0.9, y, z])]), [2]);
  assert.deepEqual(minima([table(), supportBody(0, clip, [14, 14, 3])]), [3]);
});

test("a neighbour and its supports also hold a tip", () => {
  const [[x, y, z], [otherX, otherY, otherZ]] = ICICLES;
  const carried = [table(), modelBody(1, ...post(x, y, z)), supportBody(2, ...post(otherX, otherY, otherZ))];
  assert.deepEqual(minima([...carried, modelBody(2, meshOf(box([3, 3, 3])), [30, 0, 0])]), [1, 0, 0]);
});

test("in a cluster of models each minimum counts for its model", () => {
  const ball = meshOf(uvSphere(1.2));
  assert.deepEqual(minima([modelBody(0, ball, [0, 6, 5]), table(1), modelBody(2, ball, [5, 4, 4])]), [1, 3, 1]);
});

test("copies have the same number of minima", () => {
  const bodies = Array.from({ length: 12 }, (_, i) =>
    table(i, [21.3 * (i % 4) - 32, 22.7 * Math.floor(i / 4) - 30, 0]),
  );
  assert.deepEqual(
    minima(bodies),
    bodies.map(() => 3),
  );
});

test("bodies outside the build volume are not printed", () => {
  assert.deepEqual(minima([table(0, [999_000, 0, 0]), table(1)]), [0, 3]);
  assert.deepEqual(minima([table(0, [100, 0, 0])]), [1]);
  assert.deepEqual(minima([]), []);
});

test("random cubes have minima where no cube is below", () => {
  let found = 0;
  for (let seed = 0; seed < 30; seed++) {
    const random = randomFrom(seed);
    const size: Size = [9, 10, 6];
    const [columns, rows, height] = size;
    const share = 0.05 + 0.1 * random();
    const solid = Uint8Array.from({ length: columns * rows * height }, () => (random() < share ? 1 : 0));
    solid[0] = 1;
    let expected = 0;
    for (let z = 1; z < height; z++) {
      const at = (pixel: number): number => solid[z * columns * rows + pixel];
      const parts = flooded(
        columns * rows,
        (i) => at(i) === 1,
        (i) => pixelsAround(i, columns, rows),
      );
      const below = (pixel: number): number => solid[(z - 1) * columns * rows + pixel];
      const isFree = (pixel: number): boolean =>
        [pixel, ...pixelsAround(pixel, columns, rows)].every((i) => below(i) === 0);
      expected += parts.filter((part) => part.every(isFree)).length;
    }
    const mesh = voxelMesh(size, (x, y, z) => solid[(z * rows + y) * columns + x] === 1);
    assert.deepEqual(
      minima([modelBody(0, mesh, [40 * random() - 20, 40 * random() - 20, 0])]),
      [expected],
      `seed ${seed}`,
    );
    found += expected;
  }
  assert.ok(found > 100, `${found} minima`);
});

/** The minima that a flood fill of every layer finds. */
function expectedMinima(
  { placed, box: around }: SceneBody,
  boundariesMm: Float64Array,
): { layer: number; pixels: number }[] {
  const { columns, rows, pixelMm, leftMm, backMm } = spanGridOver(around, 0.05);
  const [x, y, z] = placed.pose.position;
  const position = [x - leftMm - (columns * pixelMm) / 2, y - backMm + (rows * pixelMm) / 2, z] as const;
  const centred = { mesh: placed.mesh, pose: { ...placed.pose, position } };
  const pictures = picturesOf({ placed: [centred], boundariesMm, grid: gridOf(columns, rows, pixelMm) });
  return pictures.flatMap((picture, layer) =>
    flooded(
      picture.length,
      (i) => picture[i] > 0,
      (i) => pixelsAround(i, columns, rows),
    )
      .filter((part) =>
        part.every((pixel) =>
          [pixel, ...pixelsAround(pixel, columns, rows)].every((i) => layer > 0 && pictures[layer - 1][i] === 0),
        ),
      )
      .map((part) => ({ layer, pixels: part.length })),
  );
}

test("minima of random bodies are those of a flood fill of all pixels", () => {
  let found = 0;
  for (let seed = 0; seed < 12; seed++) {
    const random = randomFrom(seed);
    const shapes = [box([2, 1, 0.6]), tetrahedron(2), uvSphere(0.7, 12, 8), torus(1, 0.3, 16, 8), cylinder(0.4, 2, 12)];
    const size = (): number => 3 * random() - 1.5;
    const parts = Array.from({ length: 5 }, (_, i) =>
      moved(shapes[(seed + i) % shapes.length], [size(), size(), size()]),
    );
    const angle = (): number => 360 * random() - 180;
    const orientation = { x: angle(), y: angle(), z: angle() };
    const body = modelBody(0, meshOf(...parts), [size(), size(), 0], { orientation });
    const { boundariesMm } = checkRequest([body], 0.15);
    const expected = expectedMinima(body, boundariesMm);
    const told = placesOf([body], 0.15).map(({ layer, areaMm2 }) => ({
      layer,
      pixels: Math.round(areaMm2 / 0.05 ** 2),
    }));
    assert.deepEqual(told, expected, `seed ${seed}`);
    assert.equal(minimaPerModel(checkRequest([body], 0.15), noProgress)[0], expected.length);
    found += expected.length;
  }
  assert.ok(found > 15, `${found} minima`);
});

test("minima of crumbs and needles between the sampled rows are those of a flood fill of all pixels", () => {
  let found = 0;
  for (let seed = 0; seed < 3; seed++) {
    const random = randomFrom(seed);
    const shapes = [
      tetrahedron(0.3),
      uvSphere(0.12, 8, 6),
      box([0.07, 1.5, 0.09]),
      box([1.5, 0.08, 0.05]),
      box([2, 2, 0.2]),
    ];
    const place = (): number => 3 * random() - 1.5;
    const crumbs = Array.from({ length: 15 }, (_, i) => moved(shapes[i % shapes.length], [place(), place(), place()]));
    const orientation = { x: 20 * random() - 10, y: 20 * random() - 10, z: 360 * random() };
    const body = modelBody(0, meshOf(...crumbs), [place(), place(), 0], { orientation });
    const { boundariesMm } = checkRequest([body], 0.1);
    const expected = expectedMinima(body, boundariesMm);
    const told = placesOf([body], 0.1).map(({ layer, areaMm2 }) => ({
      layer,
      pixels: Math.round(areaMm2 / 0.05 ** 2),
    }));
    assert.deepEqual(told, expected, `seed ${seed}`);
    found += expected.length;
  }
  assert.ok(found > 20, `${found} minima`);
});

test("minima of a real part are at vertices lower than all their neighbours", () => {
  const file = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));
  const mesh = meshOf(surfaceOfStl(readFileSync(file)));
  const body = modelBody(0, mesh, [0, 0, 0], { orientation: { x: 35, y: 20, z: 0 } });
  const { vertices, triangles } = mesh;
  const matrix = rotationMatrix(body.placed.pose.orientation);
  const corners = Array.from({ length: vertices.length / 3 }, (_, i) => {
    const raw = [0, 1, 2].map((axis) => vertices[3 * i + axis] - (mesh.box.min[axis] + mesh.box.max[axis]) / 2);
    return rotateVector(matrix, [raw[0], raw[1], raw[2]]).map((value, axis) => value + body.placed.pose.position[axis]);
  });
  const isLowest = new Uint8Array(corners.length).fill(1);
  triangles.forEach((corner, i) => {
    const next = triangles[i % 3 === 2 ? i - 2 : i + 1];
    if (corners[corner][2] > corners[next][2]) isLowest[corner] = 0;
    if (corners[corner][2] < corners[next][2]) isLowest[next] = 0;
  });
  const lowest = corners.filter((_, i) => isLowest[i] === 1);
  const found = placesOf([body]);
  assert.equal(found.length, 3);
  for (const { layer, xMm, yMm } of found) {
    const isThere = ([x, y, z]: readonly number[]): boolean =>
      Math.hypot(x - xMm, y - yMm) < 1 && z > (layer - 1) * THICKNESS_MM && z < (layer + 1) * THICKNESS_MM;
    assert.ok(lowest.some(isThere), `layer ${layer}: ${xMm}, ${yMm}`);
  }
});

test("the check can be cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => minimaPerModel(checkRequest([table()]), taskProgress(state)), CancelledError);
});
