import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { EulerDeg } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { spanGridOver } from "../../src/slice/span-layers.ts";
import { checkRequest, cupsPerModel, modelBody, supportBody } from "../fixture/check-request.ts";
import { expectedPockets } from "../fixture/expected-pockets.ts";
import { longCases, slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, lathe, uvSphere } from "../fixture/shapes.ts";
import { gridOf, meshOf, picturesOf } from "../fixture/slices.ts";
import type { Bitmap } from "../fixture/span-layer.ts";
import { insideOut, surfaceOfStl } from "../fixture/surface-edits.ts";
import { type Size, type Voxels, cells, voxelMesh } from "../fixture/voxels.ts";

// Supplement, section 7, "cups".

const cups = (bodies: readonly SceneBody[], thicknessMm = 0.1): number[] =>
  cupsPerModel(checkRequest(bodies, thicknessMm), noProgress);
const cupsAlone = (mesh: Mesh, at: readonly number[] = [0, 0, 0], orientation: Partial<EulerDeg> = {}): number =>
  cups([modelBody(0, mesh, at, { orientation: { x: 0, y: 0, z: 0, ...orientation } })])[0];

/** A round mug of 12 mm, open at its top, with an optional hole in the middle of its floor. */
const mug = (wallMm = 1, holeRadiusMm = 0): Mesh =>
  meshOf(
    holeRadiusMm === 0
      ? lathe(
          [
            [0, 0],
            [6, 0],
            [6, 10],
            [6 - wallMm, 10],
            [6 - wallMm, 1],
            [0, 1],
          ],
          48,
          false,
        )
      : lathe(
          [
            [holeRadiusMm, 0],
            [6, 0],
            [6, 10],
            [6 - wallMm, 10],
            [6 - wallMm, 1],
            [holeRadiusMm, 1],
          ],
          48,
          true,
        ),
  );

/** A hollow ball of 12 mm with walls of 1 mm and a round hole at its lowest point. */
function ventedBall(holeRadiusMm: number): Mesh {
  const arc = (radius: number): [number, number][] => {
    const from = Math.asin(holeRadiusMm / radius);
    return Array.from({ length: 25 }, (_, i) => {
      const angle = from + ((Math.PI - from) * i) / 24;
      return [i === 24 ? 0 : radius * Math.sin(angle), -radius * Math.cos(angle)];
    });
  };
  return meshOf(lathe([...arc(6), ...arc(5).toReversed()], 48, true));
}

const FLIPPED = { x: 180 };
const RAISED: Vec3 = [0, 0, 3];
/** The supports of a part of 12 mm that begins 3 mm above the platform. */
const posts = (model: number): SceneBody[] =>
  [-5.5, 5.5].map((x) => supportBody(model, meshOf(box([0.8, 0.8, 3.2])), [x, 0, 0]));

test("an upright mug is one cup, on the platform and above it", () => {
  assert.equal(cupsAlone(mug()), 1);
  assert.equal(cupsAlone(mug(), RAISED), 1);
});

test("a mug upside down is one cup on the bare platform and none on supports", () => {
  assert.equal(cupsAlone(mug(), [0, 0, 0], FLIPPED), 1);
  const orientation = { x: 180, y: 0, z: 0 };
  assert.deepEqual(cups([modelBody(0, mug(), RAISED, { orientation }), ...posts(0)]), [0]);
});

test("a mug on its side is no cup: its opening is at the side", () => {
  assert.equal(cupsAlone(mug(), RAISED, { x: 90 }), 0);
});

test("a closed hollow ball is one cup, a solid one none", () => {
  const ball = uvSphere(6);
  assert.equal(cupsAlone(meshOf(ball, insideOut(uvSphere(5))), RAISED), 1);
  assert.equal(cupsAlone(meshOf(ball), RAISED), 0);
});

test("a ball with a vent is no cup if the vent faces the platform, and one if it faces away", () => {
  for (const orientation of [{}, { x: 8 }, { y: -6, z: 20 }])
    assert.equal(cupsAlone(ventedBall(1), RAISED, orientation), 0);
  for (const orientation of [FLIPPED, { x: 150 }]) assert.equal(cupsAlone(ventedBall(1), RAISED, orientation), 1);
});

test("a vent above the lowest point of a cavity leaves the pool below it", () => {
  assert.equal(cupsAlone(ventedBall(1), RAISED, { x: 45 }), 1);
});

test("the platform closes a vent that touches it", () => {
  assert.equal(cupsAlone(ventedBall(1)), 1);
});

test("a hole drilled through the floor of a mug vents it, unless the platform closes the hole", () => {
  assert.equal(cupsAlone(mug(1, 0.5), RAISED), 0);
  assert.equal(cupsAlone(mug(1, 0.5)), 1);
});

test("walls of 0.3 mm seal and vents of 1 mm open, at any angle to the pixels", () => {
  for (let degrees = 0; degrees < 90; degrees += 7) {
    const tray = meshOf(box([12, 12, 1]), ...[-1, 1].flatMap((side) => wallsOf(side, 0.3)));
    assert.equal(cupsAlone(tray, [degrees / 70, degrees / 91, 3], { z: degrees }), 1, `${degrees}°`);
    assert.equal(cupsAlone(mug(0.3, 0.5), [degrees / 70, degrees / 91, 3], { z: degrees }), 0, `${degrees}°`);
  }
});

function wallsOf(side: number, wallMm: number) {
  const shifted = (size: Vec3, [x, y, z]: Vec3) => {
    const { vertices, triangles } = box(size);
    return { vertices: vertices.map((value, i) => value + [x, y, z][i % 3]), triangles };
  };
  const away = side * (6 - wallMm / 2);
  return [shifted([wallMm, 12, 6], [away, 0, 2.5]), shifted([12, wallMm, 6], [0, away, 2.5])];
}

/** A block of 9 × 9 × 6 mm without the cells that `isEmpty` names. */
const block = (isEmpty: Voxels): Mesh => voxelMesh([9, 9, 6], (...cell) => !isEmpty(...cell));

test("two cups in one part count as two, and as one if a passage connects them", () => {
  const isPit: Voxels = (x, y, z) => (x === 2 || x === 6) && y > 2 && y < 6 && z > 1;
  assert.equal(cupsAlone(block(isPit)), 2);
  assert.equal(cupsAlone(block((x, y, z) => isPit(x, y, z) || (x > 2 && x < 6 && y === 4 && z === 2))), 1);
  assert.equal(cupsAlone(block((x, y, z) => isPit(x, y, z) || (x > 2 && y === 4 && z === 2))), 0);
});

test("a hole drilled through the side leaves the cup below it", () => {
  const isPit: Voxels = (x, y, z) => x > 2 && x < 6 && y > 2 && y < 6 && z > 1;
  const isHoleAt =
    (height: number): Voxels =>
    (x, y, z) =>
      x > 5 && y === 4 && z === height;
  assert.equal(cupsAlone(block((x, y, z) => isPit(x, y, z) || isHoleAt(2)(x, y, z))), 0);
  assert.equal(cupsAlone(block((x, y, z) => isPit(x, y, z) || isHoleAt(3)(x, y, z))), 1);
});

test("a cup has a volume of at least 1 mm³", () => {
  const withCavity = (edge: number): Mesh => meshOf(box([6, 5, 4]), insideOut(box([edge, edge, edge])));
  assert.equal(cups([modelBody(0, withCavity(1.06))], 0.02)[0], 1);
  assert.equal(cups([modelBody(0, withCavity(0.94))], 0.02)[0], 0);
  // The sides of the cavity are half a pixel from those of the body.
  const uneven = meshOf(box([6.1, 5.1, 4]), insideOut(box([1, 1, 1.06])));
  assert.equal(cups([modelBody(0, uneven)], 0.02)[0], 1);
});

const tube = meshOf(
  lathe(
    [
      [5, 0],
      [6, 0],
      [6, 8],
      [5, 8],
    ],
    48,
    true,
  ),
);
const plate = (x: number, y: number): Mesh => meshOf(box([x, y, 2]));

test("a neighbour's raft may seal a cup, which counts for the part around the cup", () => {
  assert.deepEqual(cups([modelBody(0, plate(4, 4), [20, 0, 0]), modelBody(1, tube, [0, 0, 2])]), [0, 0]);
  const raft = supportBody(0, plate(30, 14), [5, 0, 0]);
  const neighbour = modelBody(0, plate(4, 4), [15, 0, 2]);
  assert.deepEqual(cups([neighbour, raft, modelBody(1, tube, [0, 0, 2])]), [0, 1]);
  assert.deepEqual(
    cups([
      modelBody(0, tube, [0, 0, 2]),
      modelBody(1, plate(4, 4), [15, 0, 2]),
      supportBody(1, plate(30, 14), [5, 0, 0]),
    ]),
    [1, 0],
  );
});

test("a cup that a model forms with its raft counts for the model, and a cup around another model counts for the outer one", () => {
  assert.deepEqual(cups([modelBody(0, tube, [0, 0, 2]), supportBody(0, plate(14, 14))]), [1]);
  const post = modelBody(1, meshOf(box([2, 2, 9])), [0, 0, 1]);
  assert.deepEqual(cups([modelBody(0, mug()), post]), [1, 0]);
  assert.deepEqual(cups([modelBody(1, mug()), { ...post, model: 0 }]), [0, 1]);
});

test("copies have the same number of cups at every place, each model its own", () => {
  const bodies = Array.from({ length: 24 }, (_, i) =>
    modelBody(i, i % 3 === 0 ? tube : mug(), [14.3 * (i % 6) - 40, 15.1 * Math.floor(i / 6) - 30, 1]),
  );
  assert.deepEqual(
    cups(bodies),
    bodies.map((_, i) => (i % 3 === 0 ? 0 : 1)),
  );
});

test("two copies at the same place seal one cup", () => {
  assert.deepEqual(cups([modelBody(0, mug()), modelBody(1, mug())]), [1, 0]);
});

test("bodies outside the build volume are not printed", () => {
  assert.equal(cupsAlone(mug(), [100, 0, 0]), 0);
  assert.equal(cupsAlone(mug(), [94.1, 0, 0]), 1);
  assert.equal(cupsAlone(mug(), [0, 999_000, 0]), 0);
  assert.deepEqual(cups([modelBody(0, mug(), [999_000, 0, 0]), modelBody(1, mug())]), [0, 1]);
});

test("an empty scene and a flat one have no cups", () => {
  assert.deepEqual(cups([]), []);
  assert.equal(cupsAlone(meshOf(box([5, 5, 0.04]))), 0);
});

/** Adds a cube next to cubes that meet only along a vertical edge, because these are neither tight nor open. */
function tight(size: Size, solid: Uint8Array): void {
  const [columns, rows] = size;
  const at = (x: number, y: number, z: number): number => (z * rows + y) * columns + x;
  for (let changed = true; changed;) {
    changed = false;
    for (const [x, y, z] of cells([columns - 1, rows - 1, size[2]])) {
      const [a, b, c, d] = [at(x, y, z), at(x + 1, y, z), at(x, y + 1, z), at(x + 1, y + 1, z)].map((i) => solid[i]);
      if (a !== d || b !== c || a === b) continue;
      solid[at(x, y, z)] = solid[at(x + 1, y, z)] = 1;
      changed = true;
    }
  }
}

test("cups of random cubes are those of a flood fill, wherever the cubes are", () => {
  let found = 0;
  const seeds = slowRuns(40);
  for (let seed = 0; seed < seeds; seed++) {
    const random = randomFrom(seed);
    const [columns, rows, height] = [4, 4, 2].map((least) => least + Math.floor(random() * 5));
    const share = 0.55 + 0.3 * random();
    const solid = Uint8Array.from({ length: columns * rows * height }, () => (random() < share ? 1 : 0));
    tight([columns, rows, height], solid);
    // The lowest and outermost cubes fix where the mesh begins: without a floor it would snap to another layer.
    const layers = Array.from({ length: height }, (_, z) => ({
      columns,
      rows,
      pixels: solid.subarray(z * columns * rows, (z + 1) * columns * rows),
    }));
    if (!layers[0].pixels.includes(1)) continue;
    const mesh = voxelMesh([columns, rows, height], (x, y, z) => solid[(z * rows + y) * columns + x] === 1);
    const at = [20 * random() - 10, 20 * random() - 10, 0];
    const expected = expectedPockets(layers).length;
    assert.equal(cups([modelBody(0, mesh, at)], 0.5)[0], expected, `seed ${seed}`);
    found += expected;
  }
  assert.ok(found > seeds, `${found} cups`);
});

test("cups of a real part are those of a pass over all pixels", () => {
  const mesh = meshOf(surfaceOfStl(readFileSync(corpus("thingi-65004.stl"))));
  const found: number[] = [];
  for (const [x, y] of [[0, 0], [180, 0], ...longCases([[8, 4]])]) {
    const body = modelBody(0, mesh, [0, 0, 0.5], { scale: 0.16, orientation: { x, y, z: 0 } });
    const { boundariesMm } = checkRequest([body], 0.4);
    const layers = picturesOver(body, boundariesMm);
    const expected = expectedPockets(layers).filter((pixels) => pixels * 0.1 * 0.1 * 0.4 >= 1).length;
    assert.equal(cups([body], 0.4)[0], expected, `${x}° ${y}°`);
    found.push(expected);
  }
  assert.ok(Math.max(...found) > 0 && Math.min(...found) === 0, `${found} cups`);
});

/** The layers of the part on a shifted grid of 0.1 mm: a pixel is solid if half of it is covered. */
function picturesOver({ placed, box: around }: SceneBody, boundariesMm: Float64Array): Bitmap[] {
  const { columns, rows, leftMm, backMm } = spanGridOver(around, 0.1);
  const [x, y, z] = placed.pose.position;
  const position = [x - leftMm - columns / 20 + 0.015, y - backMm + rows / 20 - 0.015, z] as const;
  const centred = { mesh: placed.mesh, pose: { ...placed.pose, position } };
  const pictures = picturesOf({ placed: [centred], boundariesMm, grid: gridOf(columns, rows, 0.1) });
  return pictures.map((picture) => ({ columns, rows, pixels: picture.map((value) => (value >= 128 ? 1 : 0)) }));
}

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));

test("the check can be cancelled", () => {
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => cupsPerModel(checkRequest([modelBody(0, mug())]), taskProgress(state)), CancelledError);
});
